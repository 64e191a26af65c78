// SPDX-License-Identifier: Apache-2.0
// Fakes of the runtime, the watcher and the line, without CUDA: work on the line completes when the
// test says so. Header only.
#pragma once

#include "backends/cuda/queue/marker.h"
#include "backends/cuda/queue/queue.h"
#include "base/work.h"

#include "acl/error_codes/rt_error_codes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ferry::cuda::fake {

// ---- a runtime ----

struct Fault {
  int code = 0;
  uint32_t task = 0;
  std::string text;
};

// What the runtime knows and what it was told. Reset by the fixture.
struct World {
  std::mutex mutex;  // guards faults
  std::vector<Fault> faults;
  std::vector<ferryx_memory> memory;
  std::atomic<uint64_t> epoch{7};
  std::atomic<bool> stops_after_fault{false};
  std::atomic<bool> is_stopped{false};
  std::string failed;  // the latest text passed to fail()

  std::vector<Fault> told() {
    const std::lock_guard lock(mutex);
    return faults;
  }
};

inline World& world() {
  static auto* instance = new World;
  return *instance;
}

inline int note_text(int code, const char* text) {
  world().failed = text;
  return code;
}

inline int find_memory(const void* address, ferryx_memory* found) {
  for (const ferryx_memory& memory : world().memory) {
    const auto* start = static_cast<const char*>(memory.address);
    if (address >= start && address < start + memory.size) {
      *found = memory;
      return 1;
    }
  }
  return 0;
}

inline ferryx_after_fault note_fault(void* /*cookie*/, const ferryx_fault* fault) {
  {
    const std::lock_guard lock(world().mutex);
    world().faults.push_back({fault->code, fault->work->origin.task, fault->text});
  }
  if (world().stops_after_fault) world().is_stopped = true;
  return world().stops_after_fault ? FERRYX_STOP : FERRYX_CONTINUE;
}

constexpr ferryx_runtime kRuntime{
    .struct_size = sizeof(ferryx_runtime),
    .fail = note_text,
    .find_memory = find_memory,
    .memory_epoch = [] { return world().epoch.load(); },
    .work_failed = note_fault,
    .before_work = [](void*) { return world().is_stopped ? FERRYX_STOP : FERRYX_CONTINUE; },
    .log = [](int, const char*) {},
    .requested_size = nullptr,
    .move_bytes = nullptr};

// ---- a watcher that visits on the test's command ----

class HandWatcher final : public Watcher {
 public:
  void post(Queue& queue) override {
    const std::lock_guard lock(mutex_);
    posted_.insert(&queue);
  }
  void forget(Queue& queue) override {
    const std::lock_guard lock(mutex_);
    posted_.erase(&queue);
  }
  bool is_posted(Queue& queue) {
    const std::lock_guard lock(mutex_);
    return posted_.count(&queue) > 0;
  }
  // Visits all posted queues until none is posted.
  void visit_posted() {
    for (;;) {
      Queue* queue = nullptr;
      {
        const std::lock_guard lock(mutex_);
        if (posted_.empty()) return;
        queue = *posted_.begin();
        posted_.erase(queue);
      }
      queue->advance();
    }
  }

 private:
  std::mutex mutex_;  // guards posted_
  std::set<Queue*> posted_;
};

// ---- a line ----

// May be shared between threads.
class FakeLine final : public Line {
 public:
  // ---- for tests ----

  // Completes everything on the line, and later work too if it runs freely.
  void finish_all() { done_ = submitted_.load(); }
  void run_freely() {
    runs_freely_ = true;
    finish_all();
  }
  std::vector<std::string> log() {
    const std::lock_guard lock(mutex_);
    return log_;
  }
  void refuse_next(int code) { refusal_ = code; }
  void refuse_copies(int code) { copy_refusal_ = code; }
  FaultSlot* latest_slot() { return slots_.empty() ? nullptr : slots_.back().get(); }
  size_t slots_out() const { return slots_out_; }
  std::vector<char> captured() { return captured_; }

  // ---- the interface that queues use ----

  Trouble copy(const ferryx_copies& copies) override {
    if (const int code = copy_refusal_; code != 0) return {.code = code, .text = "refused"};
    if ((copies.flags & FERRYX_COPY_CAPTURE) != 0) {
      const auto* bytes = static_cast<const char*>(copies.items->src_storage);
      captured_.assign(bytes, bytes + copies.items->size);
    }
    return submit("copy " + std::to_string(copies.count));
  }
  Trouble copy_columns(const ferryx_columns& columns) override {
    return submit("columns " + std::to_string(columns.count));
  }
  Trouble copy_2d(const ferryx_rows& /*rows*/) override { return submit("rows"); }
  Trouble fill(const ferryx_fill& /*fill*/) override { return submit("fill"); }
  Trouble copy_described(const void* /*descriptor*/, FaultSlot* /*slot*/) override {
    return submit("described");
  }
  Trouble copy_indirect(const ferryx_indirect& /*copy*/, FaultSlot* /*slot*/) override {
    return submit("indirect");
  }
  Trouble record(std::unique_ptr<Point>& made) override {
    Trouble trouble = submit("record");
    if (trouble.ok()) made = std::make_unique<FakePoint>(*this, submitted_);
    return trouble;
  }
  Trouble await(Point& /*point*/) override { return submit("await"); }
  Trouble query(bool& is_idle) override {
    is_idle = done_ >= submitted_;
    return {};
  }
  Trouble synchronize() override {
    finish_all();
    return {};
  }
  Trouble take_slot(FaultSlot*& slot) override {
    slots_.push_back(std::make_unique<FaultSlot>());
    slot = slots_.back().get();
    ++slots_out_;
    return {};
  }
  void give_back(FaultSlot* /*slot*/) override { --slots_out_; }
  ReaderLock& memory_lock() override { return memory_lock_; }

 private:
  class FakePoint final : public Point {
   public:
    FakePoint(FakeLine& line, uint64_t place) : line_(line), place_(place) {}
    Trouble query(bool& is_passed) override {
      is_passed = line_.done_ >= place_;
      return {};
    }
    Trouble synchronize() override { return line_.synchronize(); }
    Trouble nanoseconds(uint64_t& time) override {
      time = place_;
      return {};
    }

   private:
    FakeLine& line_;
    const uint64_t place_;
  };

  Trouble submit(const std::string& what) {
    if (const int code = refusal_.exchange(0); code != 0) {
      return {.code = code, .text = "refused"};
    }
    const std::lock_guard lock(mutex_);
    log_.push_back(what);
    ++submitted_;
    if (runs_freely_) done_ = submitted_.load();
    return {};
  }

  std::mutex mutex_;  // guards log_
  std::vector<std::string> log_;
  std::atomic<uint64_t> submitted_{0};
  std::atomic<uint64_t> done_{0};
  std::atomic<bool> runs_freely_{false};
  std::atomic<int> refusal_{0};  // lines of several queues share it
  std::atomic<int> copy_refusal_{0};
  std::vector<std::unique_ptr<FaultSlot>> slots_;
  std::atomic<size_t> slots_out_{0};
  std::vector<char> captured_;
  ReaderLock memory_lock_;
};

// ---- callouts that the test completes ----

struct HostCall {
  int started = 0;
  int dropped = 0;
  ferryx_callout* callout = nullptr;

  static void start(void* argument, ferryx_callout* callout) {
    auto* self = static_cast<HostCall*>(argument);
    ++(callout != nullptr ? self->started : self->dropped);
    self->callout = callout;
  }
  void finish() {
    ferryx_callout* ended = std::exchange(callout, nullptr);
    ended->done(ended);
  }
};

// ---- a fixture ----

class CudaQueue : public ::testing::Test {
 protected:
  void SetUp() override {
    services = &kRuntime;
    world().faults.clear();
    world().memory = {{.address = cells_,
                       .size = sizeof cells_,
                       .storage = cells_,
                       .kind = FERRYX_MEMORY_DEVICE,
                       .device = 0}};
    world().epoch = 7;
    world().stops_after_fault = false;
    world().is_stopped = false;
  }

  // Work of this task, with its number as correlation id.
  template <class Payload>
  static ferryx_work work(ferryx_work_kind kind, Payload ferryx_payload::*member,
                          const Payload& payload, uint32_t task = 0) {
    ferryx_work made = make_work(kind, member, payload, 7);
    made.origin = {
        .call = "test", .task = task, .stream = 1, .context = nullptr, .correlation = task};
    return made;
  }

  // Queues a copy inside the memory the world knows.
  int copy(Queue& queue, uint32_t task = 0) {
    const ferryx_copy item{.dst = cells_,
                           .src = cells_ + 64,
                           .size = 64,
                           .dst_storage = cells_,
                           .src_storage = cells_ + 64};
    return submit_copy(queue, item, 0, task);
  }
  // Queues one that leaves it.
  int bad_copy(Queue& queue, uint32_t task) {
    const ferryx_copy item{.dst = cells_,
                           .src = cells_,
                           .size = sizeof cells_ + 1,
                           .dst_storage = nullptr,
                           .src_storage = nullptr};
    return submit_copy(queue, item, 0, task);
  }
  static int submit_copy(Queue& queue, const ferryx_copy& item, uint32_t flags, uint32_t task = 0) {
    return queue.submit(work(
        FERRYX_COPIES, &ferryx_payload::copies,
        {.items = &item, .count = 1, .direction = FERRYX_HOST_TO_DEVICE, .flags = flags}, task));
  }
  static int submit_columns(Queue& queue, const ferryx_columns& columns, uint32_t task = 0) {
    return queue.submit(work(FERRYX_COLUMNS, &ferryx_payload::columns, columns, task));
  }
  static int submit(Queue& queue, ferryx_work_kind kind, Marker* marker,
                    int64_t timeout = FERRYX_FOREVER, uint32_t task = 0) {
    return queue.submit(
        work(kind, &ferryx_payload::marker,
             {.marker = reinterpret_cast<ferryx_marker*>(marker), .timeout = timeout}, task));
  }
  static int submit(Queue& queue, ferryx_work_kind kind, Flag* flag,
                    int64_t timeout = FERRYX_FOREVER, uint32_t task = 0) {
    return queue.submit(work(kind, &ferryx_payload::flag,
                             {.flag = reinterpret_cast<ferryx_flag*>(flag), .timeout = timeout},
                             task));
  }
  static int call(Queue& queue, ferryx_callout_start start, void* argument, uint32_t task = 0) {
    return queue.submit(work(FERRYX_CALLOUT, &ferryx_payload::callout,
                             {.start = start, .argument = argument}, task));
  }
  static int call(Queue& queue, HostCall& host_call, uint32_t task = 0) {
    return call(queue, HostCall::start, &host_call, task);
  }
  static int describe_copy(Queue& queue, const void* descriptor, uint32_t task = 0) {
    return queue.submit(
        work(FERRYX_DESCRIBED, &ferryx_payload::described, {.descriptor = descriptor}, task));
  }
  static bool is_done(Queue& queue) {
    bool done = false;
    EXPECT_EQ(ACL_RT_SUCCESS, queue.query(done));
    return done;
  }

  using Log = std::vector<std::string>;

  alignas(64) char cells_[256]{};
  HandWatcher watcher_;
  FakeLine line_;
};

// A reference-counted object with the lifetime of a test.
template <class Counted>
class Owned {
 public:
  Owned() : object_(new Counted) {}
  ~Owned() { object_->release(); }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  Counted* get() const { return object_; }
  Counted* operator->() const { return object_; }

 private:
  Counted* const object_;
};

}  // namespace ferry::cuda::fake
