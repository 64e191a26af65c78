// SPDX-License-Identifier: Apache-2.0
// A runtime and a program that uses every slot of a backend, through whatever fronts there are.
#pragma once

#include "base/work.h"
#include "tests/unit/layers/front/handle_ledger.h"

#include "acl/error_codes/rt_error_codes.h"
#include "ferry/backend.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstring>
#include <mutex>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

namespace ferry::layers {

// The CPU backend for many instances of FrontProgram: it is opened once, and so are its devices.
// Devices are never closed, and each reserves addresses, of which sanitizers leave few.
ferryx_backend cpu_backend_opened_once();

// The services of the runtime, and what it was told. One at a time, since backends keep a pointer.
class FrontRuntime {
 public:
  static FrontRuntime& instance() {
    static auto* only = new FrontRuntime;
    return *only;
  }
  static const ferryx_runtime* services();

  void add(const ferryx_memory& memory) {
    const std::lock_guard lock(mutex_);
    live_.push_back(memory);
  }
  void clear() {
    const std::lock_guard lock(mutex_);
    live_.clear();
    faults_.clear();
  }
  void forget_faults() {
    const std::lock_guard lock(mutex_);
    faults_.clear();
  }
  std::vector<int> faults() {
    const std::lock_guard lock(mutex_);
    return faults_;
  }
  int cookie = 0;  // its address is that of all queues

 private:
  static int find(const void* address, ferryx_memory* found);
  static ferryx_after_fault note_fault(void* cookie, const ferryx_fault* fault);
  static ferryx_after_fault go_on(void* cookie);

  std::mutex mutex_;  // guards what follows
  std::vector<ferryx_memory> live_;
  std::vector<int> faults_;
};

inline int FrontRuntime::find(const void* address, ferryx_memory* found) {
  FrontRuntime& own = instance();
  const std::lock_guard lock(own.mutex_);
  for (const ferryx_memory& memory : own.live_) {
    const auto* begin = static_cast<const char*>(memory.address);
    if (address < begin || address >= begin + memory.size) continue;
    *found = memory;
    return 1;
  }
  return 0;
}

inline ferryx_after_fault FrontRuntime::note_fault(void* cookie, const ferryx_fault* fault) {
  EXPECT_EQ(cookie, &instance().cookie);
  if (fault->work->kind == FERRYX_AWAIT) {
    EXPECT_TRUE(HandleLedger::instance().knows(fault->work->as.marker.marker));
  }
  const std::lock_guard lock(instance().mutex_);
  instance().faults_.push_back(fault->code);
  return FERRYX_CONTINUE;
}

inline ferryx_after_fault FrontRuntime::go_on(void* cookie) {
  EXPECT_EQ(cookie, &instance().cookie);
  return FERRYX_CONTINUE;
}

inline const ferryx_runtime* FrontRuntime::services() {
  static constexpr ferryx_runtime kServices{.struct_size = sizeof(ferryx_runtime),
                                            .fail = [](int code, const char*) { return code; },
                                            .find_memory = find,
                                            .memory_epoch = [] { return uint64_t{1}; },
                                            .work_failed = note_fault,
                                            .before_work = go_on,
                                            .log = [](int, const char*) {},
                                            .requested_size = nullptr,
                                            .move_bytes = nullptr};
  return &kServices;
}

// Tables, instances and devices are never given back. Kept as the runtime keeps them, so that all
// else that is left over shows as a leak.
inline void keep_forever(const void* object) {
  static auto* all = new std::vector<const void*>;
  all->push_back(object);
}

// Uses a table. Bytes, faults and dropped work are compared only where the backend keeps them.
class FrontProgram {
 public:
  static constexpr uint64_t kSize = 4096;
  static constexpr uint64_t kBlock = 64;

  FrontProgram(const ferryx_backend* table, bool keeps_bytes)
      : top_(*table), keeps_bytes_(keeps_bytes) {}

  // In this order.
  void open();
  void use_memory();
  void use_managed_memory();
  void use_virtual_memory();
  void share_memory();
  void execute_during_calls();
  void create_queues();
  void submit_bytes();
  void submit_functions();
  void submit_kernels();
  void submit_points();
  void finish_from_outside();
  void submit_several();
  void stop();
  void abort_and_drop();
  void time_out();
  void give_everything_back();

  ferryx_instance* instance() const { return instance_; }
  ferryx_device* device() const { return devices_[0]; }
  ferryx_queue* queue() const { return queues_[0]; }
  ferryx_queue* other_queue() const { return queues_[1]; }
  // Of all work that was submitted and should have executed.
  const std::set<uint64_t>& correlations() const { return correlations_; }
  void synchronize() { ok(top_.queue_synchronize(queues_[0], FERRYX_FOREVER)); }

 private:
  // What the arguments of callouts and functions count.
  struct Calls {
    std::atomic<int> callouts{0}, dropped_callouts{0}, functions{0}, dropped_functions{0};
    std::atomic<int> kernels{0}, dropped_kernels{0}, kernel_code{0};
  };
  static void start(void* argument, ferryx_callout* callout);
  static void run(void* argument, int run);
  static int run_kernel(void* argument, int run);
  ferryx_kernel kernel(const ferryx_access* accesses, uint64_t count, int code = 0);

  static void ok(int code) { EXPECT_EQ(ACL_RT_SUCCESS, code); }
  template <class Payload>
  ferryx_work work_of(ferryx_work_kind kind, Payload ferryx_payload::*member,
                      const std::type_identity_t<Payload>& payload) {
    ferryx_work work = make_work(kind, member, payload, 1);
    work.origin = {.call = "program",
                   .task = 0,
                   .stream = 3,
                   .context = nullptr,
                   .correlation = next_correlation()};
    return work;
  }
  template <class Payload>
  void submit(ferryx_queue* queue, ferryx_work_kind kind, Payload ferryx_payload::*member,
              const std::type_identity_t<Payload>& payload) {
    const ferryx_work work = work_of(kind, member, payload);
    correlations_.insert(work.origin.correlation);
    ok(top_.queue_submit(queue, &work));
  }
  static uint64_t next_correlation() {
    static std::atomic<uint64_t> last{0};
    return ++last;
  }
  ferryx_copy copy(const ferryx_memory& dst, uint64_t to, const ferryx_memory& src,
                   uint64_t from) const;
  void store(uint64_t offset, const void* bytes, uint64_t size);
  char* storage(uint64_t offset) const { return static_cast<char*>(memory_.storage) + offset; }
  void expect_byte(uint64_t offset, char value) const {
    EXPECT_TRUE(!keeps_bytes_ || *storage(offset) == value) << "at " << offset;
  }
  void share_physical_memory(ferryx_physical* physical, const ferryx_memory& range);
  void mark(ferryx_queue* queue, ferryx_marker* marker);
  void await(ferryx_queue* queue, ferryx_marker* marker, int64_t timeout = FERRYX_FOREVER);

  const ferryx_backend& top_;
  const bool keeps_bytes_;
  ferryx_instance* instance_ = nullptr;
  std::array<ferryx_device*, 2> devices_{};
  std::array<ferryx_queue*, 2> queues_{};
  ferryx_memory memory_{};  // of the first device
  ferryx_memory pinned_{};
  ferryx_memory mapped_{};
  alignas(4096) std::array<char, kSize> registered_{};
  std::set<uint64_t> correlations_;
  Calls calls_;
};

}  // namespace ferry::layers
