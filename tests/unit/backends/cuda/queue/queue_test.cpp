// SPDX-License-Identifier: Apache-2.0
// Queues of the CUDA backend: which tasks are submitted to the line at once, which are held, and
// what happens to held tasks when the queue is synchronised, aborted or destroyed.
#include "backends/cuda/queue/queue.h"

#include "fake_line.h"

#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <thread>

namespace ferry::cuda::fake {
namespace {

TEST_F(CudaQueue, IsOpenAtFirstAndHandsTasksOverDuringTheCall) {
  Queue queue(line_, watcher_, nullptr);
  EXPECT_EQ(ACL_RT_SUCCESS, copy(queue));
  EXPECT_EQ(ACL_RT_SUCCESS, copy(queue));
  EXPECT_EQ((Log{"copy 1", "copy 1"}), line_.log());
  EXPECT_FALSE(watcher_.is_posted(queue));
  EXPECT_FALSE(is_done(queue));
  line_.finish_all();
  EXPECT_TRUE(is_done(queue));
}

// Columns inside the world's memory.
struct SomeColumns {
  explicit SomeColumns(char* cells)
      : dsts{cells, cells + 8}, srcs{cells + 64, cells + 96}, sizes{8, 8} {
    columns = {.dsts = dsts,
               .srcs = srcs,
               .sizes = sizes,
               .count = 2,
               .common_size = 8,
               .dst = world().memory[0],
               .src = world().memory[0],
               .direction = FERRYX_HOST_TO_DEVICE};
  }

  void* dsts[2];
  void* srcs[2];
  size_t sizes[2];
  ferryx_columns columns{};
};

TEST_F(CudaQueue, HandsColumnsOverAsTheyAre) {
  Queue queue(line_, watcher_, nullptr);
  const SomeColumns some(cells_);
  EXPECT_EQ(ACL_RT_SUCCESS, queue.submit_columns(origin(), some.columns));
  EXPECT_EQ((Log{"columns 2"}), line_.log());
}

TEST_F(CudaQueue, KeepsItemsOfColumnsThatAreHeld) {
  Queue queue(line_, watcher_, nullptr);
  HostCall host_call;
  call(queue, host_call);
  {
    SomeColumns some(cells_);
    EXPECT_EQ(ACL_RT_SUCCESS, queue.submit_columns(origin(), some.columns));
    some.sizes[0] = 0;  // the arrays belong to the caller again
    some.dsts[1] = nullptr;
  }
  watcher_.visit_posted();
  EXPECT_EQ(Log{}, line_.log());
  host_call.finish();
  watcher_.visit_posted();
  EXPECT_EQ((Log{"copy 2"}), line_.log());
  EXPECT_TRUE(world().told().empty());
}

TEST_F(CudaQueue, JudgesColumnsAgainWhenMemoryHasChanged) {
  Queue queue(line_, watcher_, nullptr);
  const SomeColumns some(cells_);
  ++world().epoch;
  EXPECT_EQ(ACL_RT_SUCCESS, queue.submit_columns(origin(1), some.columns));
  EXPECT_EQ((Log{"copy 2"}), line_.log());
  world().memory.clear();
  ++world().epoch;
  EXPECT_EQ(ACL_RT_SUCCESS, queue.submit_columns(origin(2), some.columns));
  line_.finish_all();
  watcher_.visit_posted();
  ASSERT_EQ(1u, world().told().size());
  EXPECT_EQ(ACL_ERROR_RT_TS_ERROR, world().told()[0].code);
  EXPECT_EQ(2u, world().told()[0].task);
}

TEST_F(CudaQueue, StartsACalloutOnlyWhenTheLineHasRunDry) {
  Queue queue(line_, watcher_, nullptr);
  HostCall host_call;
  copy(queue);
  call(queue, host_call);
  EXPECT_TRUE(watcher_.is_posted(queue));
  EXPECT_TRUE(queue.advance().polls);
  EXPECT_EQ(0, host_call.started);
  line_.finish_all();
  EXPECT_FALSE(queue.advance().polls);
  EXPECT_EQ(1, host_call.started);
  host_call.finish();
}

TEST_F(CudaQueue, HoldsWhatFollowsACalloutUntilItIsDone) {
  Queue queue(line_, watcher_, nullptr);
  Owned<Marker> marker;
  HostCall host_call;
  call(queue, host_call);
  copy(queue);
  submit(queue, TaskKind::kMark, marker.get());
  watcher_.visit_posted();
  EXPECT_EQ(1, host_call.started);
  EXPECT_EQ(Log{}, line_.log());
  host_call.finish();
  EXPECT_EQ(Log{}, line_.log()) << "only the watcher submits held tasks";
  watcher_.visit_posted();
  EXPECT_EQ((Log{"copy 1", "record"}), line_.log());
  copy(queue);
  EXPECT_EQ((Log{"copy 1", "record", "copy 1"}), line_.log()) << "the queue is open again";
}

TEST_F(CudaQueue, RunsCalloutsOneAfterTheOther) {
  Queue queue(line_, watcher_, nullptr);
  HostCall first;
  HostCall second;
  call(queue, first);
  call(queue, second);
  watcher_.visit_posted();
  EXPECT_EQ(1, first.started);
  EXPECT_EQ(0, second.started);
  first.finish();
  watcher_.visit_posted();
  EXPECT_EQ(1, second.started);
  second.finish();
  watcher_.visit_posted();
  EXPECT_TRUE(is_done(queue));
}

// A callout that completes before its start function returns, as when the host thread has stopped.
TEST_F(CudaQueue, GoesOnWhenACalloutIsOverAtOnce) {
  Queue queue(line_, watcher_, nullptr);
  auto task = std::make_unique<Task>();
  task->kind = TaskKind::kCallout;
  task->start = [](void*, ferryx_callout* callout) {
    finish(std::unique_ptr<Callout>(reinterpret_cast<Callout*>(callout)));
  };
  queue.submit(std::move(task));
  copy(queue);
  watcher_.visit_posted();
  EXPECT_EQ(Log{"copy 1"}, line_.log());
}

TEST_F(CudaQueue, TellsWhenTheTimeToSynchronizeIsUp) {
  Queue queue(line_, watcher_, nullptr);
  HostCall host_call;
  copy(queue);
  EXPECT_EQ(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, queue.synchronize(1'000'000)) << "still on the line";
  call(queue, host_call);
  EXPECT_EQ(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, queue.synchronize(1'000'000)) << "held";
  EXPECT_EQ(0, host_call.started);
}

TEST_F(CudaQueue, SynchronizeWaitsForHeldTasksToo) {
  Queue queue(line_, watcher_, nullptr);
  HostCall host_call;
  call(queue, host_call);
  copy(queue);
  watcher_.visit_posted();
  std::atomic<int> result{-1};
  std::thread waiter([&] { result = queue.synchronize(FERRYX_FOREVER); });
  EXPECT_EQ(-1, result);
  host_call.finish();
  watcher_.visit_posted();
  waiter.join();
  EXPECT_EQ(ACL_RT_SUCCESS, result);
  EXPECT_EQ(Log{"copy 1"}, line_.log());
}

TEST_F(CudaQueue, AbortDropsWhatIsHeldAndTellsWhoWaits) {
  Queue queue(line_, watcher_, nullptr);
  Owned<Marker> marker;
  HostCall first;
  HostCall second;
  call(queue, first);
  copy(queue);
  call(queue, second);
  submit(queue, TaskKind::kMark, marker.get());
  watcher_.visit_posted();
  // A wait covers what was submitted before the abort; the long limit only ends a hang.
  std::optional<int> result;
  std::atomic<bool> is_waiting{false};
  std::thread waiter([&] {
    is_waiting = true;
    result = queue.synchronize(FERRYX_FOREVER);
  });
  while (!is_waiting)
    std::this_thread::yield();
  queue.abort();
  waiter.join();
  // It had begun to wait, or came when everything was complete.
  EXPECT_TRUE(result == ACL_ERROR_RT_STREAM_ABORT || result == ACL_RT_SUCCESS) << *result;
  EXPECT_EQ(1, first.started);
  EXPECT_EQ(0, first.dropped) << "it has already started";
  EXPECT_EQ(1, second.dropped);
  EXPECT_EQ(Log{}, line_.log());
  EXPECT_EQ(ACL_ERROR_RT_STREAM_ABORT, marker->synchronize(FERRYX_FOREVER));
  EXPECT_TRUE(is_done(queue));
  first.finish();
}

TEST_F(CudaQueue, ACalloutThatEndsAfterAnAbortDoesNotEndTheNextOne) {
  Queue queue(line_, watcher_, nullptr);
  HostCall before;
  HostCall after;
  call(queue, before);
  watcher_.visit_posted();
  queue.abort();
  call(queue, after);
  copy(queue);
  watcher_.visit_posted();
  before.finish();
  watcher_.visit_posted();
  EXPECT_EQ(1, after.started);
  EXPECT_EQ(Log{}, line_.log());
  after.finish();
  watcher_.visit_posted();
  EXPECT_EQ(Log{"copy 1"}, line_.log());
}

TEST_F(CudaQueue, DropTellsNobody) {
  Queue queue(line_, watcher_, nullptr);
  HostCall host_call;
  call(queue, host_call);
  queue.drop_tasks(Queue::Waiters::kUntold);
  EXPECT_EQ(1, host_call.dropped);
  EXPECT_EQ(ACL_RT_SUCCESS, queue.synchronize(FERRYX_FOREVER));
}

TEST_F(CudaQueue, ACalloutMayOutliveItsQueue) {
  HostCall host_call;
  {
    Queue queue(line_, watcher_, nullptr);
    call(queue, host_call);
    watcher_.visit_posted();
  }
  EXPECT_EQ(1, host_call.started);
  EXPECT_EQ(0, host_call.dropped);
  host_call.finish();
}

TEST_F(CudaQueue, ADestroyedQueueReleasesWhatItHeld) {
  Owned<Marker> marker;
  Owned<Flag> flag;
  HostCall host_call;
  {
    Queue queue(line_, watcher_, nullptr);
    submit(queue, TaskKind::kTakeFlag, flag.get());
    call(queue, host_call);
    submit(queue, TaskKind::kMark, marker.get());
    watcher_.visit_posted();
  }
  EXPECT_EQ(1, host_call.dropped);
  Marker::State state = Marker::State::kWaiting;
  EXPECT_TRUE(marker->ask(state).ok());
  EXPECT_EQ(Marker::State::kDropped, state);
  flag->set();  // wakes no queue
}

TEST_F(CudaQueue, TakesTheBytesOfACapturedCopyWhileItIsHeld) {
  Queue queue(line_, watcher_, nullptr);
  HostCall host_call;
  call(queue, host_call);
  char source[4] = {'a', 'b', 'c', 'd'};
  const ferryx_copy item{
      .dst = cells_, .src = source, .size = 4, .dst_storage = cells_, .src_storage = source};
  queue.submit_copies(origin(), {.items = &item,
                                 .count = 1,
                                 .direction = FERRYX_HOST_TO_DEVICE,
                                 .flags = FERRYX_COPY_CAPTURE});
  source[0] = 'X';
  watcher_.visit_posted();
  host_call.finish();
  watcher_.visit_posted();
  EXPECT_EQ((std::vector<char>{'a', 'b', 'c', 'd'}), line_.captured());
}

}  // namespace
}  // namespace ferry::cuda::fake
