// SPDX-License-Identifier: Apache-2.0
// Every interleaving of two or three threads in the queue, up to a number of preemptions. In each:
// no deadlock, tasks in order, each executed or dropped once, and what a task wrote is seen by the
// tasks behind it and by the threads that waited for it.
#include "scenario.h"

#include "acl/error_codes/rt_error_codes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string>

namespace ferry::interleavings {
namespace {

// The steps of the run that failed, without the construction of its objects. Relacy also prints the
// steps of each thread.
std::string steps_of(const std::string& printed) {
  const size_t begin = std::min(printed.find("[BEFORE END]"), printed.size());
  return printed.substr(begin, printed.find("\nthread 0:") - begin);
}

// One more in the long tests: many more interleavings.
unsigned more_preemptions() {
  const char* const more = std::getenv("INTERLEAVINGS_MORE_PREEMPTIONS");
  return more == nullptr ? 0 : static_cast<unsigned>(std::stoul(more));
}

// Runs the scenario S once per interleaving in which a thread is interrupted at most `preemptions`
// times. Threads that block, and values of atomics, are chosen freely.
template <class S>
void explore(unsigned preemptions) {
  std::ostringstream printed;
  std::ostringstream progress;
  rl::test_params settings;
  settings.search_type = rl::sched_bound;
  settings.context_bound = preemptions + more_preemptions();
  settings.output_stream = &printed;
  settings.progress_stream = &progress;
  rl::simulate<S>(settings);
  std::printf("%llu interleavings with up to %u preemptions\n",
              static_cast<unsigned long long>(settings.stop_iteration), settings.context_bound);
  EXPECT_EQ(rl::test_result_success, settings.test_result)
      << rl::test_result_str(settings.test_result) << " in this interleaving:\n"
      << steps_of(printed.str());
}

void require_success(int result, Place at = Place::current()) {
  require(result == ACL_RT_SUCCESS, "a wait succeeds", at);
}

void require_success_or_abort(int result, Place at = Place::current()) {
  require(result == ACL_RT_SUCCESS || result == ACL_ERROR_RT_STREAM_ABORT,
          "a wait succeeds or is aborted", at);
}

// The first `count` tasks are over, and the calling thread sees what they wrote.
void require_executed(Stream& stream, uint32_t count, Place at = Place::current()) {
  for (uint32_t task = 1; task <= count; ++task) {
    require(stream.record().is_executed(task), "a wait ends when its tasks are over", at);
    stream.record().read(task, at);
  }
}

void require_executed_or_dropped(Stream& stream, uint32_t task, Place at = Place::current()) {
  require(stream.record().is_executed(task) || stream.record().is_dropped(task),
          "a task is executed or dropped", at);
}

// ---- submit || run ----

template <ferryx_schedule kSchedule>
class SubmitAndRun : public Scenario<SubmitAndRun<kSchedule>, 1, kSchedule> {
 public:
  void program(unsigned /*index*/) {
    stream_->copy();
    stream_->call();
    stream_->copy();
    require_success(stream_->synchronise());
    require_executed(*stream_, 3);
  }
  void close() { stream_.reset(); }

 private:
  std::optional<Stream> stream_{this->engine()};
};

TEST(QueueInterleavings, ThreeTasksAreSubmittedWhileACopyThreadRunsThem) {
  explore<SubmitAndRun<FERRYX_EAGER>>(2);
}

TEST(QueueInterleavings, ThreeTasksAreSubmittedWhileACopyThreadRunsThemLazily) {
  explore<SubmitAndRun<FERRYX_LAZY>>(3);
}

class RunPieces : public Scenario<RunPieces, 1, FERRYX_EAGER> {
 public:
  void program(unsigned /*index*/) {
    stream_->copy_much();
    stream_->copy();
    require_success(stream_->synchronise());
    require_executed(*stream_, 2);
  }
  void close() { stream_.reset(); }

 private:
  std::optional<Stream> stream_{engine()};
};

TEST(QueueInterleavings, TwoThreadsRunThePiecesOfATask) {
  explore<RunPieces>(2);
}

// ---- submit || abort ----

class SubmitAndAbort : public Scenario<SubmitAndAbort, 2, FERRYX_EAGER> {
 public:
  void program(unsigned index) {
    if (index == 1) return stream_->queue().abort();
    stream_->call();
    stream_->copy();
    stream_->call();
    require_success_or_abort(stream_->synchronise());
  }
  void close() {
    require_executed_or_dropped(*stream_, 1);
    require_executed_or_dropped(*stream_, 3);
    stream_.reset();
  }

 private:
  std::optional<Stream> stream_{engine()};
};

TEST(QueueInterleavings, ThreeTasksAreSubmittedWhileTheQueueIsAborted) {
  explore<SubmitAndAbort>(2);
}

// The marker is reached only after the abort.
class ParkAndAbort : public Scenario<ParkAndAbort, 2, FERRYX_EAGER> {
 public:
  void program(unsigned index) {
    if (index == 0) {
      stream_->await(*marker_);
      stream_->copy();
      require_success_or_abort(stream_->synchronise());
    } else {
      stream_->queue().abort();
      marker_->reach();
    }
  }
  void close() {
    stream_.reset();
    marker_->release();
  }

 private:
  std::optional<Stream> stream_{engine()};
  ferryx_marker* const marker_ = new ferryx_marker(engine());
};

TEST(QueueInterleavings, AQueueIsAbortedWhileItParks) {
  explore<ParkAndAbort>(2);
}

// What was submitted before the abort neither starts behind what is submitted afterwards, nor later
// than the abort returns.
class AbortAndSubmit : public Scenario<AbortAndSubmit, 1, FERRYX_EAGER> {
 public:
  void program(unsigned /*index*/) {
    stream_->call();
    stream_->queue().abort();
    require_executed_or_dropped(*stream_, 1);
    const uint32_t copy = stream_->copy();
    require_success(stream_->synchronise());
    require(stream_->record().is_executed(copy), "a task behind an abort is executed");
  }
  void close() { stream_.reset(); }

 private:
  std::optional<Stream> stream_{engine()};
};

TEST(QueueInterleavings, ATaskIsSubmittedBehindAnAbort) {
  explore<AbortAndSubmit>(2);
}

// A copy that had begun is over when the abort returns: its bytes can be relied on.
class CopyAndAbort : public Scenario<CopyAndAbort, 1, FERRYX_EAGER> {
 public:
  void program(unsigned /*index*/) {
    const uint32_t small = stream_->copy();
    const uint32_t large = stream_->copy_much();
    stream_->queue().abort();
    stream_->record().read(small);
    stream_->record().read(large);
  }
  void close() { stream_.reset(); }

 private:
  std::optional<Stream> stream_{engine()};
};

TEST(QueueInterleavings, NothingRunsBehindAnAbort) {
  explore<CopyAndAbort>(2);
}

// A thread that learns of the abort by waiting can rely on them, too.
class WaitAndAbort : public Scenario<WaitAndAbort, 2, FERRYX_EAGER> {
 public:
  void program(unsigned index) {
    if (index == 1) return stream_->queue().abort();
    const uint32_t copy = stream_->copy();
    const int code = stream_->synchronise();
    require(code == ACL_RT_SUCCESS || code == ACL_ERROR_RT_STREAM_ABORT, "no other code is told");
    stream_->record().read(copy);
  }
  void close() { stream_.reset(); }

 private:
  std::optional<Stream> stream_{engine()};
};

TEST(QueueInterleavings, NothingRunsBehindAWaitThatAnAbortEnds) {
  explore<WaitAndAbort>(2);
}

class TakeAndAbort : public Scenario<TakeAndAbort, 1, FERRYX_EAGER> {
 public:
  void program(unsigned /*index*/) {
    stream_->take(*flag_);
    stream_->queue().abort();
    flag_->set();
    cpu::ParkedQueues entry{{.queue = &stream_->queue(), .token = 0}};
    require(!flag_->park(entry), "a flag that is set behind an abort stays set");
  }
  void close() {
    stream_.reset();
    flag_->release();
  }

 private:
  std::optional<Stream> stream_{engine()};
  ferryx_flag* const flag_ = new ferryx_flag;
};

TEST(QueueInterleavings, AFlagIsNotTakenBehindAnAbort) {
  explore<TakeAndAbort>(3);
}

// ---- marker recorded || awaited from the other queue ----

template <ferryx_schedule kSchedule>
class MarkAndAwait : public Scenario<MarkAndAwait<kSchedule>, 2, kSchedule> {
 public:
  void program(unsigned index) {
    if (index == 0) {
      first_->copy();
      first_->mark(*marker_);
      // Also when the other thread has got there before.
      second_->await(*marker_);
      second_->copy();
      require_success(second_->synchronise());
      require_executed(*second_, 1);
      require_executed(*first_, 1);
    } else {
      require_success(first_->synchronise());
    }
  }
  void close() {
    first_.reset();
    second_.reset();
    marker_->release();
  }

 private:
  std::optional<Stream> first_{this->engine()};
  std::optional<Stream> second_{this->engine()};
  ferryx_marker* const marker_ = new ferryx_marker(this->engine());
};

TEST(QueueInterleavings, AMarkerIsReachedWhileAnotherQueueAwaitsIt) {
  explore<MarkAndAwait<FERRYX_EAGER>>(1);
}

TEST(QueueInterleavings, AMarkerIsReachedWhileAnotherQueueAwaitsItLazily) {
  explore<MarkAndAwait<FERRYX_LAZY>>(1);
}

// ---- marker failed from outside || awaited, or its queue destroyed ----

class FailAndAwait : public Scenario<FailAndAwait, 2, FERRYX_EAGER> {
 public:
  void program(unsigned index) {
    if (index == 1) return marker_->fail(1);
    stream_->await(*marker_);
    stream_->copy();
    require_success(stream_->synchronise());
    require_executed(*stream_, 1);
    require(stream_->failures() == 1, "a wait for a failed marker fails once");
  }
  void close() {
    stream_.reset();
    marker_->release();
  }

 private:
  std::optional<Stream> stream_{engine()};
  ferryx_marker* const marker_ = new ferryx_marker(engine());
};

TEST(QueueInterleavings, AMarkerFailsWhileAQueueAwaitsIt) {
  explore<FailAndAwait>(2);
}

class FailAndDestroy : public Scenario<FailAndDestroy, 2, FERRYX_EAGER> {
 public:
  void program(unsigned index) {
    if (index == 1) return marker_->fail(1);
    stream_->await(*marker_);
    stream_.reset();
  }
  void close() { marker_->release(); }

 private:
  std::optional<Stream> stream_{engine()};
  ferryx_marker* const marker_ = new ferryx_marker(engine());
};

TEST(QueueInterleavings, AMarkerFailsWhileItsQueueIsDestroyed) {
  explore<FailAndDestroy>(2);
}

// ---- drop || run ----

class DropAndRun : public Scenario<DropAndRun, 2, FERRYX_EAGER> {
 public:
  void program(unsigned index) {
    if (index == 0) {
      stream_->call();
      stream_->mark(*marker_);
      stream_->call();
      stream_->queue().drop_tasks(cpu::Queue::Waiters::kUntold);
      require_success(stream_->synchronise());
    } else {
      const int result = marker_->synchronize(FERRYX_FOREVER);
      require_success_or_abort(result);
      if (result == ACL_RT_SUCCESS) require_executed(*stream_, 1);
    }
  }
  void close() {
    require_executed_or_dropped(*stream_, 1);
    require_executed_or_dropped(*stream_, 2);
    stream_.reset();
    marker_->release();
  }

 private:
  std::optional<Stream> stream_{engine()};
  ferryx_marker* const marker_ = new ferryx_marker(engine());
};

TEST(QueueInterleavings, TasksAreDroppedWhileACopyThreadRunsThem) {
  explore<DropAndRun>(2);
}

class DestroyAndRun : public Scenario<DestroyAndRun, 1, FERRYX_EAGER> {
 public:
  void program(unsigned /*index*/) {
    stream_->copy();
    stream_->call();
    stream_->copy();
  }
  void close() { stream_.reset(); }

 private:
  std::optional<Stream> stream_{engine()};
};

TEST(QueueInterleavings, AQueueIsDestroyedWhileACopyThreadRunsIt) {
  explore<DestroyAndRun>(3);
}

// ---- synchronise || complete ----

template <ferryx_schedule kSchedule>
class SynchroniseAndComplete : public Scenario<SynchroniseAndComplete<kSchedule>, 2, kSchedule> {
 public:
  void program(unsigned index) {
    if (index == 1) return host_.serve();
    stream_->call(&host_);
    stream_->copy();
    require_success(stream_->synchronise());
    require_executed(*stream_, 2);
  }
  void close() { stream_.reset(); }

 private:
  HostThread host_;
  std::optional<Stream> stream_{this->engine()};
};

TEST(QueueInterleavings, AHostFunctionReturnsWhileAThreadFallsAsleep) {
  explore<SynchroniseAndComplete<FERRYX_EAGER>>(2);
}

TEST(QueueInterleavings, AHostFunctionReturnsWhileAThreadFallsAsleepLazily) {
  explore<SynchroniseAndComplete<FERRYX_LAZY>>(2);
}

// ---- flag set || taken ----

template <ferryx_schedule kSchedule>
class SetAndTake : public Scenario<SetAndTake<kSchedule>, 2, kSchedule> {
 public:
  void program(unsigned index) {
    if (index == 0) {
      first_->copy();
      first_->set(*flag_);
      require_success(first_->synchronise());
    } else {
      second_->take(*flag_);
      second_->copy();
      require_success(second_->synchronise());
      require_executed(*second_, 1);
      require_executed(*first_, 1);
    }
  }
  void close() {
    first_.reset();
    second_.reset();
    flag_->release();
  }

 private:
  std::optional<Stream> first_{this->engine()};
  std::optional<Stream> second_{this->engine()};
  ferryx_flag* const flag_ = new ferryx_flag;
};

TEST(QueueInterleavings, AFlagIsSetWhileAnotherQueueTakesIt) {
  explore<SetAndTake<FERRYX_EAGER>>(1);
}

TEST(QueueInterleavings, AFlagIsSetWhileAnotherQueueTakesItLazily) {
  explore<SetAndTake<FERRYX_LAZY>>(1);
}

// ---- value stored || awaited from the other queue ----

template <ferryx_schedule kSchedule>
class StoreAndAwait : public Scenario<StoreAndAwait<kSchedule>, 2, kSchedule> {
 public:
  void program(unsigned index) {
    if (index == 0) {
      first_->copy();
      first_->store(value_);
      require_success(first_->synchronise());
    } else {
      second_->await(value_);
      second_->copy();
      require_success(second_->synchronise());
      require_executed(*second_, 1);
      require_executed(*first_, 1);
    }
  }
  void close() {
    first_.reset();
    second_.reset();
  }

 private:
  std::optional<Stream> first_{this->engine()};
  std::optional<Stream> second_{this->engine()};
  uint64_t value_ = 0;
};

TEST(QueueInterleavings, AValueIsStoredWhileAnotherQueueWaitsForIt) {
  explore<StoreAndAwait<FERRYX_EAGER>>(1);
}

TEST(QueueInterleavings, AValueIsStoredWhileAnotherQueueWaitsForItLazily) {
  explore<StoreAndAwait<FERRYX_LAZY>>(1);
}

// ---- value awaited || abort ----

class AwaitValueAndAbort : public Scenario<AwaitValueAndAbort, 1, FERRYX_EAGER> {
 public:
  void program(unsigned /*index*/) {
    stream_->await(value_);
    const uint32_t behind = stream_->copy();
    stream_->queue().abort();
    require(stream_->record().is_untouched(behind), "nothing runs behind a wait that is aborted");
    stream_->store(value_);
    require_success(stream_->synchronise());
  }
  void close() { stream_.reset(); }

 private:
  std::optional<Stream> stream_{engine()};
  uint64_t value_ = 0;
};

TEST(QueueInterleavings, AWaitForAValueEndsByAnAbort) {
  explore<AwaitValueAndAbort>(2);
}

}  // namespace
}  // namespace ferry::interleavings
