// SPDX-License-Identifier: Apache-2.0
// Queues of the CUDA backend that wait for each other: markers, flags and time limits.
#include "backends/cuda/queue/queue.h"
#include "fake_line.h"

#include <gtest/gtest.h>

namespace ferry::cuda::fake {
namespace {

constexpr int64_t kNanosecond = 1;
constexpr int64_t kHour = 3'600'000'000'000;

class CudaWaits : public CudaQueue {
 protected:
  FakeLine other_line_;
  Owned<Marker> marker_;
  Owned<Flag> flag_;

  // Waits, as the watcher would, until the deadline returned by a visit has passed.
  static void let_time_pass(const Queue::Visit& visit) {
    ASSERT_NE(Clock::time_point::max(), visit.deadline);
    while (Clock::now() < visit.deadline) {
    }
  }
};

TEST_F(CudaWaits, AMarkerOnALineIsAwaitedByCuda) {
  Queue queue(line_, watcher_, nullptr);
  Queue other(other_line_, watcher_, nullptr);
  submit(other, FERRYX_MARK, marker_.get());
  submit(queue, FERRYX_AWAIT, marker_.get());
  copy(queue);
  EXPECT_EQ((Log{"await", "copy 1"}), line_.log());
}

TEST_F(CudaWaits, AReachedMarkerIsNotAwaited) {
  Queue queue(line_, watcher_, nullptr);
  Queue other(other_line_, watcher_, nullptr);
  submit(other, FERRYX_MARK, marker_.get());
  other_line_.finish_all();
  submit(queue, FERRYX_AWAIT, marker_.get());
  submit(queue, FERRYX_AWAIT, marker_.get(), kHour);
  copy(queue);
  EXPECT_EQ(Log{"copy 1"}, line_.log());
}

TEST_F(CudaWaits, AMarkerThatIsNotQueuedYetHoldsTheQueue) {
  Queue queue(line_, watcher_, nullptr);
  Queue other(other_line_, watcher_, nullptr);
  submit(queue, FERRYX_AWAIT, marker_.get());
  copy(queue);
  watcher_.visit_posted();
  EXPECT_EQ(Log{}, line_.log());
  // Being on a line is enough: CUDA does the rest.
  submit(other, FERRYX_MARK, marker_.get());
  EXPECT_TRUE(watcher_.is_posted(queue));
  watcher_.visit_posted();
  EXPECT_EQ((Log{"await", "copy 1"}), line_.log());
}

TEST_F(CudaWaits, AMarkerThatIsHeldItselfHoldsTheQueue) {
  Queue queue(line_, watcher_, nullptr);
  Queue other(other_line_, watcher_, nullptr);
  HostCall host_call;
  call(other, host_call);
  submit(other, FERRYX_MARK, marker_.get());
  submit(queue, FERRYX_AWAIT, marker_.get());
  copy(queue);
  watcher_.visit_posted();
  EXPECT_EQ(Log{}, line_.log());
  host_call.finish();
  watcher_.visit_posted();
  EXPECT_EQ(Log{"record"}, other_line_.log());
  EXPECT_EQ((Log{"await", "copy 1"}), line_.log());
}

TEST_F(CudaWaits, ADroppedMarkerLetsTheQueueGoOn) {
  Queue queue(line_, watcher_, nullptr);
  Queue other(other_line_, watcher_, nullptr);
  HostCall host_call;
  call(other, host_call);
  submit(other, FERRYX_MARK, marker_.get());
  submit(queue, FERRYX_AWAIT, marker_.get());
  copy(queue);
  watcher_.visit_posted();
  other.abort();
  watcher_.visit_posted();
  EXPECT_EQ(Log{"copy 1"}, line_.log());
  EXPECT_TRUE(world().told().empty());
  host_call.finish();
}

TEST_F(CudaWaits, ATimeLimitStartsWhenTheStreamGetsThere) {
  Queue queue(line_, watcher_, nullptr);
  copy(queue);
  submit(queue, FERRYX_AWAIT, marker_.get(), kNanosecond, 5);
  copy(queue);
  const Queue::Visit before = queue.advance();
  EXPECT_TRUE(before.polls);
  EXPECT_EQ(Clock::time_point::max(), before.deadline);
  line_.finish_all();
  for (Queue::Visit visit = queue.advance(); visit.deadline != Clock::time_point::max();
       visit = queue.advance()) {
    let_time_pass(visit);
  }
  ASSERT_EQ(1u, world().told().size());
  EXPECT_EQ(ACL_ERROR_RT_WAIT_TIMEOUT, world().told()[0].code);
  EXPECT_EQ(5u, world().told()[0].task);
  EXPECT_EQ((Log{"copy 1", "copy 1"}), line_.log()) << "the stream continues";
}

TEST_F(CudaWaits, AMarkerReachedWithinTheLimitIsNoFault) {
  Queue queue(line_, watcher_, nullptr);
  Queue other(other_line_, watcher_, nullptr);
  submit(other, FERRYX_MARK, marker_.get());
  submit(queue, FERRYX_AWAIT, marker_.get(), kHour);
  copy(queue);
  EXPECT_TRUE(queue.advance().polls) << "CUDA has no timed waits";
  EXPECT_EQ(Log{}, line_.log());
  other_line_.finish_all();
  queue.advance();
  EXPECT_EQ(Log{"copy 1"}, line_.log());
  EXPECT_TRUE(world().told().empty());
}

TEST_F(CudaWaits, AFlagIsSetWhenTheStreamGetsThere) {
  Queue queue(line_, watcher_, nullptr);
  Queue other(other_line_, watcher_, nullptr);
  copy(other);
  submit(other, FERRYX_SET_FLAG, flag_.get());
  submit(queue, FERRYX_TAKE_FLAG, flag_.get());
  copy(queue);
  watcher_.visit_posted();
  other.advance();
  EXPECT_EQ(Log{}, line_.log());
  other_line_.finish_all();
  other.advance();
  EXPECT_TRUE(watcher_.is_posted(queue));
  watcher_.visit_posted();
  EXPECT_EQ(Log{"copy 1"}, line_.log());
}

TEST_F(CudaWaits, AFlagIsTakenByOneOnly) {
  Queue queue(line_, watcher_, nullptr);
  Queue other(other_line_, watcher_, nullptr);
  submit(queue, FERRYX_TAKE_FLAG, flag_.get());
  submit(other, FERRYX_TAKE_FLAG, flag_.get());
  watcher_.visit_posted();
  flag_->set();
  watcher_.visit_posted();
  EXPECT_NE(is_done(queue), is_done(other));
  flag_->set();
  watcher_.visit_posted();
  EXPECT_TRUE(is_done(queue) && is_done(other));
}

TEST_F(CudaWaits, AFlagSetBeforehandIsTakenAndAClearedOneIsNot) {
  Queue queue(line_, watcher_, nullptr);
  flag_->set();
  submit(queue, FERRYX_TAKE_FLAG, flag_.get());
  watcher_.visit_posted();
  EXPECT_TRUE(is_done(queue));
  flag_->set();
  flag_->clear();
  submit(queue, FERRYX_TAKE_FLAG, flag_.get());
  watcher_.visit_posted();
  EXPECT_FALSE(is_done(queue));
}

TEST_F(CudaWaits, AFlagThatDoesNotComeInTimeIsAFault) {
  Queue queue(line_, watcher_, nullptr);
  submit(queue, FERRYX_TAKE_FLAG, flag_.get(), kNanosecond);
  copy(queue);
  for (Queue::Visit visit = queue.advance(); visit.deadline != Clock::time_point::max();
       visit = queue.advance()) {
    let_time_pass(visit);
  }
  ASSERT_EQ(1u, world().told().size());
  EXPECT_EQ(ACL_ERROR_RT_WAIT_TIMEOUT, world().told()[0].code);
  EXPECT_EQ(Log{"copy 1"}, line_.log());
  watcher_.visit_posted();
  flag_->set();  // no queue is parked any more
  EXPECT_FALSE(watcher_.is_posted(queue));
}

TEST_F(CudaWaits, WaitingForAMarkerHasALimit) {
  Queue queue(line_, watcher_, nullptr);
  EXPECT_EQ(ACL_ERROR_RT_EVENT_SYNC_TIMEOUT, marker_->synchronize(1'000'000)) << "never queued";
  submit(queue, FERRYX_MARK, marker_.get());
  EXPECT_EQ(ACL_ERROR_RT_EVENT_SYNC_TIMEOUT, marker_->synchronize(1'000'000)) << "on the line";
  line_.finish_all();
  EXPECT_EQ(ACL_RT_SUCCESS, marker_->synchronize(kHour));
  uint64_t time = 0;
  EXPECT_EQ(ACL_RT_SUCCESS, marker_->nanoseconds(time));
  EXPECT_EQ(1u, time);
}

}  // namespace
}  // namespace ferry::cuda::fake
