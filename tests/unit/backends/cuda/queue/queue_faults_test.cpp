// SPDX-License-Identifier: Apache-2.0
// Faults on queues of the CUDA backend: bad addresses, errors from CUDA, faults that kernels
// report, and streams that stop.
#include "backends/cuda/queue/queue.h"
#include "fake_line.h"

#include <gtest/gtest.h>

namespace ferry::cuda::fake {
namespace {

class CudaFaults : public CudaQueue {};

TEST_F(CudaFaults, ABadAddressIsReportedWhenTheStreamGetsThere) {
  Queue queue(line_, watcher_, nullptr);
  copy(queue);
  EXPECT_EQ(ACL_RT_SUCCESS, bad_copy(queue, 3));
  copy(queue);
  EXPECT_TRUE(queue.advance().polls);
  EXPECT_TRUE(world().told().empty()) << "the copy before it has not run yet";
  line_.finish_all();
  queue.advance();
  ASSERT_EQ(1u, world().told().size());
  EXPECT_EQ(ACL_ERROR_RT_TS_ERROR, world().told()[0].code);
  EXPECT_EQ(3u, world().told()[0].task);
  EXPECT_NE(std::string::npos, world().told()[0].text.find("leaves its allocation of 256 bytes"));
  EXPECT_EQ((Log{"copy 1", "copy 1"}), line_.log()) << "the stream continues";
}

TEST_F(CudaFaults, MemoryFreedWhileItsCopyIsHeldIsAFault) {
  Queue queue(line_, watcher_, nullptr);
  HostCall host_call;
  call(queue, host_call);
  copy(queue, 1);
  watcher_.visit_posted();
  world().memory.clear();
  ++world().epoch;
  host_call.finish();
  watcher_.visit_posted();
  ASSERT_EQ(1u, world().told().size());
  EXPECT_NE(std::string::npos, world().told()[0].text.find("is not in any live allocation"));
  EXPECT_EQ(Log{}, line_.log());
}

TEST_F(CudaFaults, AddressesAreLookedUpAgainWhenTheMemoryHasChanged) {
  Queue queue(line_, watcher_, nullptr);
  ++world().epoch;
  copy(queue);
  EXPECT_EQ(Log{"copy 1"}, line_.log());
  EXPECT_TRUE(world().told().empty());
}

TEST_F(CudaFaults, WhatCudaRefusesDuringTheCallIsItsResult) {
  Queue queue(line_, watcher_, nullptr);
  line_.refuse_next(ACL_ERROR_RT_MEMORY_ALLOCATION);
  EXPECT_EQ(ACL_ERROR_RT_MEMORY_ALLOCATION, copy(queue));
  EXPECT_EQ("refused", world().failed);
  EXPECT_TRUE(world().told().empty());
}

TEST_F(CudaFaults, WhatCudaRefusesLaterIsAFaultOfTheTask) {
  Queue queue(line_, watcher_, nullptr);
  HostCall host_call;
  call(queue, host_call);
  copy(queue, 8);
  copy(queue, 9);
  watcher_.visit_posted();
  line_.refuse_next(ACL_ERROR_RT_INTERNAL_ERROR);
  host_call.finish();
  watcher_.visit_posted();
  ASSERT_EQ(1u, world().told().size());
  EXPECT_EQ(8u, world().told()[0].task);
  EXPECT_EQ(Log{"copy 1"}, line_.log());
}

TEST_F(CudaFaults, AMarkerThatCudaRefusesKeepsNobodyWaiting) {
  Queue queue(line_, watcher_, nullptr);
  Owned<Marker> marker;
  line_.refuse_next(ACL_ERROR_RT_INTERNAL_ERROR);
  EXPECT_EQ(ACL_ERROR_RT_INTERNAL_ERROR, submit(queue, FERRYX_MARK, marker.get()));
  EXPECT_EQ(ACL_ERROR_RT_STREAM_ABORT, marker->synchronize(FERRYX_FOREVER));
}

TEST_F(CudaFaults, AFaultThatStopsDropsWhatFollows) {
  Queue queue(line_, watcher_, nullptr);
  HostCall host_call;
  world().stops_after_fault = true;
  bad_copy(queue, 1);
  call(queue, host_call);
  copy(queue);
  watcher_.visit_posted();
  EXPECT_EQ(1u, world().told().size());
  EXPECT_EQ(1, host_call.dropped);
  EXPECT_EQ(Log{}, line_.log());
  EXPECT_EQ(ACL_RT_SUCCESS, queue.synchronize(FERRYX_FOREVER));
}

TEST_F(CudaFaults, AStoppedStreamTakesNothingAndLosesWhatItHolds) {
  Queue queue(line_, watcher_, nullptr);
  Owned<Marker> marker;
  HostCall held;
  HostCall late;
  submit(queue, FERRYX_AWAIT, marker.get());
  call(queue, held);
  watcher_.visit_posted();
  world().is_stopped = true;
  queue.advance();
  EXPECT_EQ(1, held.dropped);
  call(queue, late);
  copy(queue);
  EXPECT_EQ(1, late.dropped);
  EXPECT_EQ(Log{}, line_.log());
}

TEST_F(CudaFaults, AFaultOfAKernelIsKnownWhenSynchronizeReturns) {
  Queue queue(line_, watcher_, nullptr);
  describe_copy(queue, cells_, 4);
  *line_.latest_slot() = {.code = 2, .is_inside = 0, .address = 0x1000, .size = 64};
  EXPECT_EQ(ACL_RT_SUCCESS, queue.synchronize(FERRYX_FOREVER));
  ASSERT_EQ(1u, world().told().size());
  EXPECT_EQ(ACL_ERROR_RT_TS_ERROR, world().told()[0].code);
  EXPECT_EQ(4u, world().told()[0].task);
  EXPECT_EQ(0u, line_.slots_out());
}

TEST_F(CudaFaults, AFaultOfAKernelIsFoundWithoutASynchronize) {
  Queue queue(line_, watcher_, nullptr);
  describe_copy(queue, cells_);
  EXPECT_TRUE(watcher_.is_posted(queue));
  EXPECT_TRUE(queue.advance().polls);
  EXPECT_EQ(1u, line_.slots_out()) << "the kernel may still write it";
  line_.latest_slot()->code = 3;
  EXPECT_TRUE(queue.advance().polls);
  EXPECT_EQ(1u, world().told().size());
  line_.finish_all();
  EXPECT_FALSE(queue.advance().polls);
  EXPECT_EQ(1u, world().told().size()) << "reported only once";
  EXPECT_EQ(0u, line_.slots_out());
}

TEST_F(CudaFaults, AFaultOfAKernelComesBeforeTheCalloutBehindIt) {
  Queue queue(line_, watcher_, nullptr);
  HostCall host_call;
  describe_copy(queue, cells_);
  call(queue, host_call);
  line_.latest_slot()->code = 3;
  line_.finish_all();
  world().stops_after_fault = true;
  while (queue.advance().polls) {
  }
  EXPECT_EQ(1u, world().told().size());
  EXPECT_EQ(0, host_call.started);
  EXPECT_EQ(1, host_call.dropped);
}

TEST_F(CudaFaults, ADescriptorInNoMemoryIsAFault) {
  Queue queue(line_, watcher_, nullptr);
  int elsewhere = 0;
  describe_copy(queue, &elsewhere);
  watcher_.visit_posted();
  ASSERT_EQ(1u, world().told().size());
  EXPECT_NE(std::string::npos, world().told()[0].text.find("desc is "));
  EXPECT_EQ(Log{}, line_.log());
}

TEST_F(CudaFaults, OnlySoManyKernelsMayBeUncheckedAtATime) {
  Queue queue(line_, watcher_, nullptr);
  for (int i = 0; i < 1100; ++i)
    describe_copy(queue, cells_);
  EXPECT_EQ(1024u, line_.log().size());
  line_.finish_all();
  queue.advance();
  EXPECT_EQ(1100u, line_.log().size());
}

}  // namespace
}  // namespace ferry::cuda::fake
