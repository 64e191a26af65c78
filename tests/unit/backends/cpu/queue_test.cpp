// SPDX-License-Identifier: Apache-2.0
// Queues, markers and the engine, without the runtime above.
#include "backends/cpu/queue.h"

#include "backends/cpu/marker.h"
#include "base/work.h"

#include "acl/error_codes/rt_error_codes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace ferry::cpu {
namespace {

// ---- a runtime without memory that records failures ----

std::vector<std::string> faults;
std::atomic<bool> stop_after_fault{false};
std::atomic<bool> is_stopped{false};

int find_no_memory(const void* /*address*/, ferryx_memory* /*found*/) {
  return 0;
}
uint64_t constant_epoch() {
  return 7;
}
ferryx_after_fault note_fault(void* /*cookie*/, const ferryx_fault* fault) {
  faults.emplace_back(fault->text);
  if (stop_after_fault) is_stopped = true;
  return stop_after_fault ? FERRYX_STOP : FERRYX_CONTINUE;
}
ferryx_after_fault stop_if_stopped(void* /*cookie*/) {
  return is_stopped ? FERRYX_STOP : FERRYX_CONTINUE;
}

constexpr ferryx_runtime kTestServices{.struct_size = sizeof(ferryx_runtime),
                                       .fail = nullptr,
                                       .find_memory = find_no_memory,
                                       .memory_epoch = constant_epoch,
                                       .work_failed = note_fault,
                                       .before_work = stop_if_stopped,
                                       .log = nullptr,
                                       .requested_size = nullptr,
                                       .move_bytes = nullptr};

std::atomic<uint64_t> last_correlation{0};

// Work of the test; its correlation ids count from 1.
template <class Payload>
ferryx_work work_of(ferryx_work_kind kind, Payload ferryx_payload::*member,
                    const Payload& payload) {
  ferryx_work work = make_work(kind, member, payload, constant_epoch());
  work.origin = {.call = "test",
                 .task = 0,
                 .stream = 0,
                 .context = nullptr,
                 .correlation = ++last_correlation};
  return work;
}

// Engines and their threads are never destroyed: one engine for all tests.
Engine& engine() {
  static auto* made = [] {
    services = &kTestServices;
    auto* fresh = new Engine({.device = 0, .threads = 2, .parallelism = 2});
    EXPECT_EQ(ACL_RT_SUCCESS, fresh->start());
    return fresh;
  }();
  return *made;
}

class CpuQueue : public ::testing::Test {
 protected:
  void SetUp() override {
    engine();
    services = &kTestServices;  // tests of whole backends open this one with services of their own
    faults.clear();
    stop_after_fault = false;
    is_stopped = false;
  }

  static uint64_t copy(Queue& queue, int& dst, const int& src) {
    const ferryx_copy item{
        .dst = &dst, .src = &src, .size = sizeof dst, .dst_storage = &dst, .src_storage = &src};
    return queue.submit(work_of(FERRYX_COPIES, &ferryx_payload::copies,
                                {.items = &item,
                                 .count = 1,
                                 .direction = FERRYX_HOST_TO_DEVICE,
                                 .flags = FERRYX_COPY_RESOLVED}));
  }
  // A copy of memory that is no longer live.
  static void submit_fault(Queue& queue) {
    static int cell = 0;
    const ferryx_copy item{.dst = &cell,
                           .src = &cell,
                           .size = sizeof cell,
                           .dst_storage = nullptr,
                           .src_storage = nullptr};
    queue.submit(
        work_of(FERRYX_COPIES, &ferryx_payload::copies,
                {.items = &item, .count = 1, .direction = FERRYX_HOST_TO_DEVICE, .flags = 0}));
  }
  // Makes the queue wait for a marker that is not enqueued anywhere.
  static void block(Queue& queue, ferryx_marker& marker) {
    queue.submit(work_of(FERRYX_AWAIT, &ferryx_payload::marker,
                         {.marker = &marker, .timeout = FERRYX_FOREVER}));
  }
  static void mark(Queue& queue, ferryx_marker& marker) {
    const uint64_t place = queue.submit(
        work_of(FERRYX_MARK, &ferryx_payload::marker, {.marker = &marker, .timeout = 0}));
    marker.set_source({.queue = &queue, .sequence = place});
  }

  int cookie_ = 0;
};

TEST_F(CpuQueue, RunsManySmallTasksInOrder) {
  Queue queue(engine(), &cookie_);
  // Each copy reads what the previous one wrote: any other order loses the value.
  std::vector<int> cells(5000, 0);
  cells[0] = 42;
  for (size_t i = 1; i < cells.size(); ++i)
    EXPECT_EQ(i, copy(queue, cells[i], cells[i - 1]));
  EXPECT_EQ(ACL_RT_SUCCESS, queue.synchronize(FERRYX_FOREVER));
  EXPECT_EQ(std::vector<int>(cells.size(), 42), cells);
  EXPECT_TRUE(queue.is_done());
}

TEST_F(CpuQueue, KeepsTheOrderOfManySubmitters) {
  Queue queue(engine(), &cookie_);
  constexpr int kThreads = 4;
  constexpr size_t kCopies = 2000;
  std::vector<std::vector<int>> chains(kThreads, std::vector<int>(kCopies, 0));
  std::vector<std::thread> threads;
  for (int number = 0; number < kThreads; ++number) {
    threads.emplace_back([&, number] {
      std::vector<int>& chain = chains[static_cast<size_t>(number)];
      chain[0] = number + 1;
      for (size_t i = 1; i < chain.size(); ++i)
        copy(queue, chain[i], chain[i - 1]);
      EXPECT_EQ(ACL_RT_SUCCESS, queue.synchronize(FERRYX_FOREVER));
      EXPECT_EQ(number + 1, chain.back());
    });
  }
  for (std::thread& thread : threads)
    thread.join();
}

TEST_F(CpuQueue, ReportsAFaultAndGoesOn) {
  Queue queue(engine(), &cookie_);
  int done = 0;
  const int one = 1;
  submit_fault(queue);
  copy(queue, done, one);
  EXPECT_EQ(ACL_RT_SUCCESS, queue.synchronize(FERRYX_FOREVER));
  EXPECT_EQ(1, done);
  ASSERT_EQ(1u, faults.size());
  EXPECT_NE(std::string::npos, faults[0].find("not in any live allocation")) << faults[0];
}

TEST_F(CpuQueue, DropsTheRestOfAGroupAfterAFaultThatStops) {
  Queue queue(engine(), &cookie_);
  stop_after_fault = true;
  ferryx_marker* gate = new ferryx_marker(engine());
  block(queue, *gate);  // so that the whole group is queued when it starts
  int done = 0;
  const int one = 1;
  submit_fault(queue);
  for (int i = 0; i < 40; ++i)
    copy(queue, done, one);
  gate->reach();
  EXPECT_EQ(ACL_RT_SUCCESS, queue.synchronize(FERRYX_FOREVER));
  EXPECT_EQ(0, done);
  EXPECT_EQ(1u, faults.size());
  gate->release();
}

TEST_F(CpuQueue, WaiterRunsWhatItsQueueWaitsFor) {
  // No copy threads here: the waiting thread has to run everything.
  Engine idle({.device = 1, .threads = 0, .parallelism = 2});
  std::vector<std::unique_ptr<Queue>> chain;
  std::vector<ferryx_marker*> markers;
  std::vector<int> cells(5, 0);
  cells[0] = 9;
  for (size_t i = 0; i < 4; ++i) {
    chain.push_back(std::make_unique<Queue>(idle, &cookie_));
    if (i > 0) block(*chain[i], *markers[i - 1]);
    copy(*chain[i], cells[i + 1], cells[i]);
    markers.push_back(new ferryx_marker(idle));
    mark(*chain[i], *markers[i]);
  }
  EXPECT_EQ(ACL_RT_SUCCESS, chain[2]->synchronize(FERRYX_FOREVER));
  EXPECT_EQ(9, cells[3]);
  EXPECT_EQ(0, cells[4]);
  EXPECT_EQ(ACL_RT_SUCCESS, markers[3]->synchronize(FERRYX_FOREVER));
  EXPECT_EQ(9, cells[4]);
  for (ferryx_marker* marker : markers)
    marker->release();
}

TEST_F(CpuQueue, TwoQueuesThatWaitForEachOtherTimeOut) {
  Queue left(engine(), &cookie_);
  Queue right(engine(), &cookie_);
  auto* of_left = new ferryx_marker(engine());
  auto* of_right = new ferryx_marker(engine());
  block(left, *of_right);
  mark(left, *of_left);
  block(right, *of_left);
  mark(right, *of_right);
  EXPECT_EQ(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, left.synchronize(1'000'000));
  EXPECT_FALSE(left.is_done());
  left.drop_tasks(Queue::Waiters::kUntold);
  EXPECT_EQ(ACL_RT_SUCCESS, right.synchronize(FERRYX_FOREVER));
  of_left->release();
  of_right->release();
}

TEST_F(CpuQueue, AbortEndsAWaitAndDropsWhatHasNotStarted) {
  Queue queue(engine(), &cookie_);
  auto* gate = new ferryx_marker(engine());
  block(queue, *gate);
  int done = 0;
  const int one = 1;
  copy(queue, done, one);
  // An abort before the waiter arrives has no effect, and a wait on an empty queue succeeds: both
  // retry until they meet.
  std::thread waiter([&] {
    while (queue.synchronize(FERRYX_FOREVER) != ACL_ERROR_RT_STREAM_ABORT) {
    }
  });
  std::atomic<bool> is_over{false};
  std::thread aborter([&] {
    while (!is_over) {
      block(queue, *gate);
      queue.abort();
    }
  });
  waiter.join();
  is_over = true;
  aborter.join();
  EXPECT_EQ(0, done);
  EXPECT_TRUE(queue.is_done());
  gate->release();
}

TEST_F(CpuQueue, GoesAwayWithWorkInFlight) {
  auto* gate = new ferryx_marker(engine());
  for (int i = 0; i < 200; ++i) {
    Queue queue(engine(), &cookie_);
    int done = 0;
    const int one = 1;
    for (int k = 0; k < 20; ++k)
      copy(queue, done, one);
    block(queue, *gate);
    copy(queue, done, one);
  }
  gate->release();
}

// ---- observing ----

// The spans that an observer was told, and a gate in which it can be held.
class SpanLog {
 public:
  static void note(void* argument, const ferryx_span* span) {
    auto* own = static_cast<SpanLog*>(argument);
    std::unique_lock lock(own->mutex_);
    own->spans_.push_back(*span);
    ++own->arrived_;
    own->changed_.notify_all();
    own->changed_.wait(lock, [&] { return !own->is_held_; });
    ++own->left_;
  }
  void hold() {
    const std::lock_guard lock(mutex_);
    is_held_ = true;
  }
  void let_go() {
    const std::lock_guard lock(mutex_);
    is_held_ = false;
    changed_.notify_all();
  }
  void await_arrival() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return arrived_ > 0; });
  }
  bool is_inside() {
    const std::lock_guard lock(mutex_);
    return arrived_ != left_;
  }
  std::vector<ferryx_span> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(spans_, {});
  }

 private:
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::vector<ferryx_span> spans_;
  int arrived_ = 0;
  int left_ = 0;
  bool is_held_ = false;
};

// A callout that ends when the test says so.
class HeldCallout {
 public:
  ferryx_work work() {
    return work_of(FERRYX_CALLOUT, &ferryx_payload::callout, {.start = start, .argument = this});
  }
  void await_start() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return callout_ != nullptr; });
  }
  void finish() {
    await_start();
    callout_->done(callout_);
  }

 private:
  static void start(void* argument, ferryx_callout* callout) {
    auto* own = static_cast<HeldCallout*>(argument);
    const std::lock_guard lock(own->mutex_);
    own->callout_ = callout;
    own->changed_.notify_all();
  }

  std::mutex mutex_;  // guards callout_
  std::condition_variable changed_;
  ferryx_callout* callout_ = nullptr;
};

TEST_F(CpuQueue, ReportsEachWorkThatExecutesOnce) {
  Queue queue(engine(), &cookie_);
  SpanLog log;
  queue.observe(SpanLog::note, &log);
  std::vector<ferryx_work> all;
  std::vector<char> bytes(1 << 22);
  const ferryx_copy large{.dst = bytes.data(),
                          .src = bytes.data() + bytes.size() / 2,
                          .size = bytes.size() / 2,
                          .dst_storage = bytes.data(),
                          .src_storage = bytes.data() + bytes.size() / 2};
  for (const uint64_t size : {uint64_t{16}, uint64_t{16}, large.size, uint64_t{16}}) {
    ferryx_copy item = large;
    item.size = size;
    all.push_back(work_of(FERRYX_COPIES, &ferryx_payload::copies,
                          {.items = &item,
                           .count = 1,
                           .direction = FERRYX_HOST_TO_DEVICE,
                           .flags = FERRYX_COPY_RESOLVED}));
    queue.submit(all.back());
  }
  HeldCallout callout;
  auto* marker = new ferryx_marker(engine());
  all.push_back(callout.work());
  queue.submit(all.back());
  for (const ferryx_work_kind kind : {FERRYX_MARK, FERRYX_AWAIT}) {
    all.push_back(
        work_of(kind, &ferryx_payload::marker, {.marker = marker, .timeout = FERRYX_FOREVER}));
    queue.submit(all.back());
  }
  submit_fault(queue);
  callout.finish();
  EXPECT_EQ(ACL_RT_SUCCESS, queue.synchronize(FERRYX_FOREVER));
  queue.observe(nullptr, nullptr);
  const std::vector<ferryx_span> spans = log.take();
  EXPECT_EQ(spans.size(), all.size() + 1);  // work that fails has executed, too
  for (const ferryx_work& work : all) {
    EXPECT_EQ(1, std::count_if(spans.begin(), spans.end(), [&](const ferryx_span& span) {
                return span.correlation == work.origin.correlation;
              }));
  }
  for (const ferryx_span& span : spans) {
    EXPECT_GT(span.begin, 0u);
    EXPECT_LE(span.begin, span.end);
  }
  int cell = 0;
  copy(queue, cell, cell);
  EXPECT_EQ(ACL_RT_SUCCESS, queue.synchronize(FERRYX_FOREVER));
  EXPECT_TRUE(log.take().empty());
  marker->release();
}

TEST_F(CpuQueue, ReportsAllThatIsOverBeforeTheObserverIsTakenAway) {
  int cell = 0;
  for (int round = 0; round < 300; ++round) {
    Queue queue(engine(), &cookie_);
    SpanLog log;
    queue.observe(SpanLog::note, &log);
    for (int i = 0; i < 5; ++i)
      copy(queue, cell, cell);
    EXPECT_EQ(ACL_RT_SUCCESS, queue.synchronize(FERRYX_FOREVER));
    queue.observe(nullptr, nullptr);
    ASSERT_EQ(log.take().size(), 5u) << "round " << round;
  }
}

TEST_F(CpuQueue, DoesNotReportDroppedWork) {
  Queue queue(engine(), &cookie_);
  SpanLog log;
  queue.observe(SpanLog::note, &log);
  auto* gate = new ferryx_marker(engine());
  int done = 0;
  const int one = 1;
  for (int round = 0; round < 200; ++round) {  // the wait is dropped before or after it begins
    block(queue, *gate);
    copy(queue, done, one);
    queue.abort();
  }
  EXPECT_EQ(ACL_RT_SUCCESS, queue.synchronize(FERRYX_FOREVER));
  queue.observe(nullptr, nullptr);
  EXPECT_EQ(0, done);
  EXPECT_TRUE(log.take().empty());
  gate->release();
}

TEST_F(CpuQueue, ForgetsWhenWorkBeganThatEndedUnobserved) {
  Queue queue(engine(), &cookie_);
  SpanLog log;
  queue.observe(SpanLog::note, &log);
  HeldCallout first;
  queue.submit(first.work());
  first.await_start();
  queue.observe(nullptr, nullptr);
  first.finish();
  EXPECT_EQ(ACL_RT_SUCCESS, queue.synchronize(FERRYX_FOREVER));
  HeldCallout second;  // in the same task, used again
  queue.submit(second.work());
  second.await_start();
  queue.observe(SpanLog::note, &log);
  second.finish();
  EXPECT_EQ(ACL_RT_SUCCESS, queue.synchronize(FERRYX_FOREVER));
  queue.observe(nullptr, nullptr);
  EXPECT_TRUE(log.take().empty());
}

TEST_F(CpuQueue, TakingTheObserverAwayWaitsForReportsUnderWay) {
  Queue queue(engine(), &cookie_);
  SpanLog log;
  log.hold();
  queue.observe(SpanLog::note, &log);
  HeldCallout callout;
  queue.submit(callout.work());
  std::thread reporter([&] { callout.finish(); });
  log.await_arrival();
  std::atomic<bool> has_begun{false};
  std::thread remover([&] {
    has_begun = true;
    queue.observe(nullptr, nullptr);
    EXPECT_FALSE(log.is_inside());
  });
  while (!has_begun)
    std::this_thread::yield();
  log.let_go();
  remover.join();
  reporter.join();
}

}  // namespace
}  // namespace ferry::cpu
