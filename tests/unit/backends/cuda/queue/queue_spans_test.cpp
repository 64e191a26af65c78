// SPDX-License-Identifier: Apache-2.0
// Queues of the CUDA backend with an observer: which work is reported, when, and with which times.
// The clock of the fake line counts what was submitted to it.
#include "backends/cuda/queue/progress.h"
#include "backends/cuda/queue/queue.h"
#include "fake_line.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace ferry::cuda::fake {
namespace {

// Keeps what it is told: "correlation begin-end".
class Observer {
 public:
  static void note(void* argument, const ferryx_span* span) {
    auto* self = static_cast<Observer*>(argument);
    const std::lock_guard lock(self->mutex_);
    self->told_.push_back(std::to_string(span->correlation) + " " + std::to_string(span->begin) +
                          "-" + std::to_string(span->end));
  }
  std::vector<std::string> told() {
    const std::lock_guard lock(mutex_);
    return told_;
  }

 private:
  std::mutex mutex_;  // guards told_
  std::vector<std::string> told_;
};

class CudaSpans : public CudaQueue {
 protected:
  static constexpr int64_t kNanosecond = 1;

  void watch(Queue& queue) { queue.observe(Observer::note, &observer_); }

  Observer observer_;
};

TEST_F(CudaSpans, NothingIsRecordedWithoutAnObserver) {
  Queue queue(line_, watcher_, nullptr);
  copy(queue);
  watch(queue);
  queue.observe(nullptr, nullptr);
  copy(queue);
  EXPECT_EQ((Log{"copy 1", "copy 1"}), line_.log());
  EXPECT_FALSE(watcher_.is_posted(queue));
}

TEST_F(CudaSpans, WorkOnTheLineIsReportedByTheWatcherOnceItIsOver) {
  Queue queue(line_, watcher_, nullptr);
  watch(queue);
  copy(queue, 11);
  copy(queue, 12);
  EXPECT_EQ((Log{"record", "copy 1", "record", "record", "copy 1", "record"}), line_.log());
  EXPECT_TRUE(watcher_.is_posted(queue));
  EXPECT_TRUE(queue.advance().polls);
  EXPECT_EQ(Log{}, observer_.told());
  line_.finish_all();
  EXPECT_FALSE(queue.advance().polls);
  EXPECT_EQ((Log{"11 1-3", "12 4-6"}), observer_.told());
}

TEST_F(CudaSpans, IsReportedWhenSynchronizeReturnsOrAQueryFindsAllDone) {
  Queue queue(line_, watcher_, nullptr);
  watch(queue);
  copy(queue, 1);
  EXPECT_EQ(ACL_RT_SUCCESS, queue.synchronize(FERRYX_FOREVER));
  EXPECT_EQ(Log{"1 1-3"}, observer_.told());
  copy(queue, 2);
  EXPECT_FALSE(is_done(queue));
  line_.finish_all();
  EXPECT_TRUE(is_done(queue));
  EXPECT_EQ((Log{"1 1-3", "2 4-6"}), observer_.told());
}

TEST_F(CudaSpans, ColumnsStayColumns) {
  Queue queue(line_, watcher_, nullptr);
  watch(queue);
  void* const dst = cells_;
  void* const src = cells_ + 64;
  const size_t size = 8;
  submit_columns(queue,
                 {.dsts = &dst,
                  .srcs = &src,
                  .sizes = &size,
                  .count = 1,
                  .common_size = 8,
                  .dst = world().memory[0],
                  .src = world().memory[0],
                  .direction = FERRYX_HOST_TO_DEVICE},
                 5);
  EXPECT_EQ((Log{"record", "columns 1", "record"}), line_.log());
  queue.synchronize(FERRYX_FOREVER);
  EXPECT_EQ(Log{"5 1-3"}, observer_.told());
}

TEST_F(CudaSpans, MarksAndWaitsOnTheLineAreReported) {
  Queue queue(line_, watcher_, nullptr);
  Owned<Marker> marker;
  watch(queue);
  submit(queue, FERRYX_MARK, marker.get(), FERRYX_FOREVER, 1);
  submit(queue, FERRYX_AWAIT, marker.get(), FERRYX_FOREVER, 2);
  EXPECT_EQ((Log{"record", "record", "record", "record", "await", "record"}), line_.log());
  queue.synchronize(FERRYX_FOREVER);
  EXPECT_EQ((Log{"1 1-3", "2 4-6"}), observer_.told());
}

TEST_F(CudaSpans, ACalloutLastsFromItsStartToItsEnd) {
  Queue queue(line_, watcher_, nullptr);
  HostCall host_call;
  line_.run_freely();
  watch(queue);
  copy(queue, 1);
  call(queue, host_call, 2);
  copy(queue, 3);
  watcher_.visit_posted();
  EXPECT_EQ(1, host_call.started);
  EXPECT_EQ(Log{"1 1-3"}, observer_.told());
  EXPECT_EQ((Log{"record", "copy 1", "record", "record"}), line_.log());
  host_call.finish();
  watcher_.visit_posted();
  EXPECT_EQ((Log{"1 1-3", "2 4-5", "3 6-8"}), observer_.told());
}

TEST_F(CudaSpans, FlagsLastUntilTheyAreSetOrTaken) {
  Queue queue(line_, watcher_, nullptr);
  Owned<Flag> flag;
  line_.run_freely();
  watch(queue);
  submit(queue, FERRYX_TAKE_FLAG, flag.get(), FERRYX_FOREVER, 1);
  submit(queue, FERRYX_SET_FLAG, flag.get(), FERRYX_FOREVER, 2);
  watcher_.visit_posted();
  EXPECT_EQ(Log{}, observer_.told());
  flag->set();
  watcher_.visit_posted();
  EXPECT_EQ((Log{"1 1-2", "2 3-4"}), observer_.told());
}

TEST_F(CudaSpans, AWaitForAMarkerThatIsNotQueuedLastsUntilItIs) {
  FakeLine other_line;
  Queue queue(line_, watcher_, nullptr);
  Queue other(other_line, watcher_, nullptr);
  Owned<Marker> marker;
  line_.run_freely();
  watch(queue);
  submit(queue, FERRYX_AWAIT, marker.get(), FERRYX_FOREVER, 1);
  watcher_.visit_posted();
  EXPECT_EQ(Log{}, observer_.told());
  submit(other, FERRYX_MARK, marker.get());
  watcher_.visit_posted();
  EXPECT_EQ(1u, observer_.told().size());
  EXPECT_EQ((Log{"record", "record", "await", "record"}), line_.log())
      << "the start is recorded when it is submitted and when it becomes the front";
  EXPECT_EQ(Log{"1 2-4"}, observer_.told());
}

TEST_F(CudaSpans, AWaitThatTimesOutIsReported) {
  Queue queue(line_, watcher_, nullptr);
  Owned<Flag> flag;
  line_.run_freely();
  watch(queue);
  submit(queue, FERRYX_TAKE_FLAG, flag.get(), kNanosecond, 1);
  for (Queue::Visit visit = queue.advance(); visit.deadline != Clock::time_point::max();
       visit = queue.advance()) {
  }
  EXPECT_EQ(ACL_RT_SUCCESS, queue.synchronize(FERRYX_FOREVER));
  EXPECT_EQ(1u, world().told().size());
  EXPECT_EQ(Log{"1 1-2"}, observer_.told());
}

TEST_F(CudaSpans, WorkThatDoesNotExecuteIsNotReported) {
  Queue queue(line_, watcher_, nullptr);
  HostCall host_call;
  line_.run_freely();
  watch(queue);
  bad_copy(queue, 1);
  call(queue, host_call, 2);
  copy(queue, 3);
  watcher_.visit_posted();
  EXPECT_EQ(1, host_call.started);
  queue.abort();
  host_call.finish();
  copy(queue, 4);
  world().is_stopped = true;
  copy(queue, 5);
  EXPECT_EQ(ACL_RT_SUCCESS, queue.synchronize(FERRYX_FOREVER));
  ASSERT_EQ(1u, observer_.told().size());
  EXPECT_TRUE(observer_.told()[0].starts_with("4 "));
}

TEST_F(CudaSpans, WorkWhoseStartCudaDoesNotRecordIsExecutedButNotReported) {
  Queue queue(line_, watcher_, nullptr);
  watch(queue);
  line_.refuse_next(ACL_ERROR_RT_INTERNAL_ERROR);
  EXPECT_EQ(ACL_RT_SUCCESS, copy(queue, 1));
  EXPECT_EQ(Log{"copy 1"}, line_.log());
  EXPECT_EQ(ACL_RT_SUCCESS, queue.synchronize(FERRYX_FOREVER));
  EXPECT_EQ(Log{}, observer_.told());
}

TEST_F(CudaSpans, WorkThatCudaRefusesIsNotReported) {
  Queue queue(line_, watcher_, nullptr);
  watch(queue);
  line_.refuse_copies(ACL_ERROR_RT_MEMORY_ALLOCATION);
  EXPECT_EQ(ACL_ERROR_RT_MEMORY_ALLOCATION, copy(queue, 1));
  line_.refuse_copies(0);
  copy(queue, 2);
  EXPECT_EQ(ACL_RT_SUCCESS, queue.synchronize(FERRYX_FOREVER));
  EXPECT_EQ(Log{"2 2-4"}, observer_.told());
}

TEST_F(CudaSpans, ANewObserverMeetsOnlyLaterWork) {
  Queue queue(line_, watcher_, nullptr);
  HostCall host_call;
  line_.run_freely();
  call(queue, host_call, 1);
  watcher_.visit_posted();
  watch(queue);
  copy(queue, 2);
  host_call.finish();
  watcher_.visit_posted();
  ASSERT_EQ(1u, observer_.told().size());
  EXPECT_TRUE(observer_.told()[0].starts_with("2 "));
}

TEST_F(CudaSpans, TheEndOfObservationReportsWhatIsOverAndForgetsTheRest) {
  Queue queue(line_, watcher_, nullptr);
  watch(queue);
  copy(queue, 1);
  line_.finish_all();
  copy(queue, 2);
  queue.observe(nullptr, nullptr);
  line_.finish_all();
  EXPECT_TRUE(is_done(queue));
  EXPECT_EQ(Log{"1 1-3"}, observer_.told());
}

TEST_F(CudaSpans, ADestroyedQueueReportsTheRest) {
  {
    Queue queue(line_, watcher_, nullptr);
    watch(queue);
    copy(queue, 1);
  }
  EXPECT_EQ(Log{"1 1-3"}, observer_.told());
}

// An observer that does not return before the test says so.
struct SlowObserver {
  std::atomic<bool> is_inside{false};
  std::atomic<bool> may_leave{false};

  static void wait(void* argument, const ferryx_span* /*span*/) {
    auto* self = static_cast<SlowObserver*>(argument);
    self->is_inside = true;
    self->is_inside.notify_all();
    self->may_leave.wait(false);
  }
  void let_go() {
    may_leave = true;
    may_leave.notify_all();
  }
};

TEST_F(CudaSpans, NoReportIsUnderWayWhenObservationHasEnded) {
  Queue queue(line_, watcher_, nullptr);
  SlowObserver slow;
  queue.observe(SlowObserver::wait, &slow);
  line_.run_freely();
  copy(queue, 1);
  std::thread reporter([&] { queue.advance(); });
  slow.is_inside.wait(false);
  EXPECT_FALSE(is_done(queue)) << "its report is under way";
  std::atomic<bool> has_ended{false};
  std::thread ender([&] {
    queue.observe(nullptr, nullptr);
    EXPECT_TRUE(slow.may_leave);
    has_ended = true;
  });
  EXPECT_FALSE(has_ended);
  slow.let_go();
  ender.join();
  reporter.join();
  EXPECT_TRUE(is_done(queue));
}

TEST_F(CudaSpans, SynchronizeWaitsForAReportUnderWay) {
  Queue queue(line_, watcher_, nullptr);
  SlowObserver slow;
  queue.observe(SlowObserver::wait, &slow);
  line_.run_freely();
  copy(queue, 1);
  std::thread reporter([&] { queue.advance(); });
  slow.is_inside.wait(false);
  std::thread waiter([&] {
    EXPECT_EQ(ACL_RT_SUCCESS, queue.synchronize(FERRYX_FOREVER));
    EXPECT_TRUE(slow.may_leave);
  });
  slow.let_go();
  waiter.join();
  reporter.join();
}

TEST_F(CudaSpans, EachWorkIsReportedOnceWhileManyThreadsSubmitAndWait) {
  constexpr int kThreads = 4;
  constexpr uint32_t kRounds = 200;
  auto* progress = new Progress;  // its thread lives forever
  ASSERT_TRUE(progress->start());
  Queue queue(line_, *progress, nullptr);
  line_.run_freely();
  std::atomic<uint64_t> reports{0};
  std::atomic<uint64_t> sum{0};
  struct Counter {
    std::atomic<uint64_t>& reports;
    std::atomic<uint64_t>& sum;
  } counter{reports, sum};
  queue.observe(
      [](void* argument, const ferryx_span* span) {
        auto* told = static_cast<Counter*>(argument);
        ++told->reports;
        told->sum += span->correlation;
        EXPECT_LT(span->begin, span->end);
      },
      &counter);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (uint32_t round = 1; round <= kRounds; ++round) {
        EXPECT_EQ(ACL_RT_SUCCESS, copy(queue, round));
        call(
            queue,
            [](void*, ferryx_callout* callout) {
              if (callout != nullptr) callout->done(callout);
            },
            nullptr, round);
        if (round % 16 == 0) {
          EXPECT_EQ(ACL_RT_SUCCESS, queue.synchronize(FERRYX_FOREVER));
        }
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(ACL_RT_SUCCESS, queue.synchronize(FERRYX_FOREVER));
  EXPECT_EQ(2u * kThreads * kRounds, reports);
  EXPECT_EQ(uint64_t{kThreads} * kRounds * (kRounds + 1), sum);
}

}  // namespace
}  // namespace ferry::cuda::fake
