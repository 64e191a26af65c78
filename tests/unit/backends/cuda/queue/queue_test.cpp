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
  EXPECT_EQ(ACL_RT_SUCCESS, submit_columns(queue, some.columns));
  EXPECT_EQ((Log{"columns 2"}), line_.log());
}

TEST_F(CudaQueue, KeepsItemsOfColumnsThatAreHeld) {
  Queue queue(line_, watcher_, nullptr);
  HostCall host_call;
  call(queue, host_call);
  {
    SomeColumns some(cells_);
    EXPECT_EQ(ACL_RT_SUCCESS, submit_columns(queue, some.columns));
    some.sizes[0] = 0;  // the arrays are the caller's again
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
  EXPECT_EQ(ACL_RT_SUCCESS, submit_columns(queue, some.columns, 1));
  EXPECT_EQ((Log{"copy 2"}), line_.log());
  world().memory.clear();
  ++world().epoch;
  EXPECT_EQ(ACL_RT_SUCCESS, submit_columns(queue, some.columns, 2));
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
  submit(queue, FERRYX_MARK, marker.get());
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
  call(
      queue, [](void*, ferryx_callout* callout) { callout->done(callout); }, nullptr);
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
  submit(queue, FERRYX_MARK, marker.get());
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
    submit(queue, FERRYX_TAKE_FLAG, flag.get());
    call(queue, host_call);
    submit(queue, FERRYX_MARK, marker.get());
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
  submit_copy(queue, item, FERRYX_COPY_CAPTURE);
  source[0] = 'X';
  watcher_.visit_posted();
  host_call.finish();
  watcher_.visit_posted();
  EXPECT_EQ((std::vector<char>{'a', 'b', 'c', 'd'}), line_.captured());
}

TEST_F(CudaQueue, HandsRowsFillsAndIndirectCopiesOver) {
  Queue queue(line_, watcher_, nullptr);
  const ferryx_copy corner{
      .dst = cells_, .src = cells_ + 64, .size = 8, .dst_storage = nullptr, .src_storage = nullptr};
  const auto rows = work(FERRYX_ROWS, &ferryx_payload::rows,
                         {.corner = corner,
                          .dst_pitch = 16,
                          .src_pitch = 16,
                          .height = 4,
                          .direction = FERRYX_HOST_TO_DEVICE});
  const auto fill =
      work(FERRYX_FILL, &ferryx_payload::fill,
           {.dst = cells_, .dst_storage = nullptr, .size = 8, .value = 1, .width = 1});
  const auto indirect = work(FERRYX_INDIRECT, &ferryx_payload::indirect,
                             {.dst_pointer = cells_,
                              .src_pointer = cells_ + 8,
                              .dst_offset = 0,
                              .src_offset = 0,
                              .size = 8});
  for (const ferryx_work& each : {rows, fill, indirect})
    EXPECT_EQ(ACL_RT_SUCCESS, queue.submit(each));
  EXPECT_EQ((Log{"rows", "fill", "indirect"}), line_.log());
}

TEST_F(CudaQueue, RefusesWorkThatItCannotExecute) {
  Queue queue(line_, watcher_, nullptr);
  ferryx_work refused =
      work(FERRYX_FUNCTION, &ferryx_payload::function, {.run = nullptr, .argument = nullptr});
  EXPECT_EQ(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, queue.submit(refused));
  EXPECT_NE(std::string::npos, world().failed.find("use a CPU device (FERRY_DEVICES=cpu)"));
  refused.kind = 99;
  EXPECT_EQ(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, queue.submit(refused));
  EXPECT_NE(std::string::npos, world().failed.find("work of kind 99 "));
  EXPECT_EQ(Log{}, line_.log());
  EXPECT_TRUE(is_done(queue));
}

}  // namespace
}  // namespace ferry::cuda::fake
