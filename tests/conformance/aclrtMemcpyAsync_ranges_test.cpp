// SPDX-License-Identifier: Apache-2.0
// aclrtMemcpyAsync and its twin: ranges that are bad when the copy runs, memory that is freed by
// then, ranges that are checked by the call, and contexts that stop on failure.
#include "support/copies.h"

namespace conformance::copies::aclrtMemcpyAsync_ranges_test {
namespace {

class AclrtMemcpyAsyncRanges : public WithAsyncCopy {
 protected:
  static constexpr size_t kTooMany = padded(64) + 1;
};

TEST_P(AclrtMemcpyAsyncRanges, AQueuedCopyOutsideItsAllocationFailsOnTheStream) {
  PinnedBuffer pinned(1000);
  const DeviceBuffer large(1000);
  const DeviceBuffer small(64);
  EXPECT_OK(copy(small.get(), pinned.get(), kTooMany, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  EXPECT_TRUE(task_failed(stream_, name()));
  EXPECT_OK(copy(pinned.get(), small.get(), kTooMany, ACL_MEMCPY_DEVICE_TO_HOST, stream_));
  EXPECT_TRUE(task_failed(stream_, name()));
  EXPECT_OK(copy(large.get(), small.get(), kTooMany, ACL_MEMCPY_DEVICE_TO_DEVICE, stream_));
  EXPECT_TRUE(task_failed(stream_, name()));
  EXPECT_OK(copy(small.get(), large.get(), kTooMany, ACL_MEMCPY_DEVICE_TO_DEVICE, stream_));
  EXPECT_TRUE(task_failed(stream_, name()));
  EXPECT_OK(copy(small.get(), pinned.get(), kTooMany, ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE, stream_));
  EXPECT_TRUE(task_failed(stream_, name()));
}

TEST_P(AclrtMemcpyAsyncRanges, AQueuedCopyOutsidePinnedMemoryFailsOnTheStream) {
  PinnedBuffer pinned(64);
  const DeviceBuffer device(1000);
  EXPECT_OK(copy(device.get(), pinned.get(), 65, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  EXPECT_TRUE(task_failed(stream_, name()));
  EXPECT_OK(copy(pinned.get(), device.get(), 65, ACL_MEMCPY_DEVICE_TO_HOST, stream_));
  EXPECT_TRUE(task_failed(stream_, name()));
}

TEST_P(AclrtMemcpyAsyncRanges, AQueuedCopyMayUseThePadding) {
  PinnedBuffer pinned(1000);
  pinned.fill(pattern(1000));
  const DeviceBuffer device(64);
  EXPECT_OK(copy(device.get(), pinned.get(), padded(64), ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(pattern(padded(64)), device.read(0, padded(64)));
}

TEST_P(AclrtMemcpyAsyncRanges, AFailedCopyMovesNoByteAndLaterOnesRun) {
  PinnedBuffer pinned(1000);
  pinned.fill(pattern(1000, 1));
  DeviceBuffer first(64);
  DeviceBuffer second(64);
  first.write(pattern(64, 2));
  second.write(pattern(64, 3));
  EXPECT_OK(copy(first.get(), pinned.get(), kTooMany, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  EXPECT_OK(copy(second.get(), pinned.get(), 64, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  EXPECT_TRUE(task_failed(stream_, name()));
  EXPECT_EQ(pattern(64, 2), first.read());
  EXPECT_EQ(pattern(64, 1), second.read());
}

TEST_P(AclrtMemcpyAsyncRanges, AHugeCountFailsLikeAnyOther) {
  PinnedBuffer pinned(64);
  const DeviceBuffer device(64);
  EXPECT_OK(copy(device.get(), pinned.get(), SIZE_MAX, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  EXPECT_TRUE(task_failed(stream_, name()));
}

TEST_P(AclrtMemcpyAsyncRanges, DeviceMemoryFreedBeforeTheCopyRunsFailsIt) {
  PinnedBuffer pinned(64);
  DeviceBuffer live(64);
  live.write(pattern(64));
  void* freed = nullptr;
  for (const bool is_destination : {true, false}) {
    ASSERT_OK(aclrtMalloc(&freed, 64, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_OK(aclrtMemset(freed, 64, 0, 64));
    Gate gate(stream_);
    EXPECT_OK(copy(is_destination ? freed : live.get(), is_destination ? live.get() : freed, 64,
                   ACL_MEMCPY_DEVICE_TO_DEVICE, stream_));
    EXPECT_OK(aclrtFree(freed));
    gate.open();
    EXPECT_TRUE(task_failed(stream_, name()));
  }
}

TEST_P(AclrtMemcpyAsyncRanges, PinnedMemoryFreedBeforeTheCopyRunsFailsIt) {
  DeviceBuffer device(64);
  device.write(pattern(64));
  for (const bool is_destination : {true, false}) {
    void* freed = nullptr;
    ASSERT_OK(aclrtMallocHost(&freed, 64));
    Gate gate(stream_);
    EXPECT_OK(copy(is_destination ? freed : device.get(), is_destination ? device.get() : freed, 64,
                   ACL_MEMCPY_DEFAULT, stream_));
    EXPECT_OK(aclrtFreeHost(freed));
    gate.open();
    EXPECT_TRUE(task_failed(stream_, name()));
  }
}

TEST_P(AclrtMemcpyAsyncRanges, FreedDeviceMemoryFailsNowOrLater) {
  PinnedBuffer pinned(64);
  void* freed = nullptr;
  ASSERT_OK(aclrtMalloc(&freed, 1 << 20, ACL_MEM_MALLOC_HUGE_FIRST));
  ASSERT_OK(aclrtFree(freed));
  // Whether such an address counts as the host's or as a device's: the copy fails, now or later.
  aclError result = copy(freed, pinned.get(), 64, ACL_MEMCPY_HOST_TO_DEVICE, stream_);
  if (result == ACL_SUCCESS) result = aclrtSynchronizeStream(stream_);
  EXPECT_NE(ACL_SUCCESS, result);
}

TEST_P(AclrtMemcpyAsyncRanges, WithPageableMemoryBothRangesAreJudgedAtTheCall) {
  const DeviceBuffer device(64);
  std::vector<uint8_t> host(1000);
  EXPECT_TRUE(
      failed(ACL_ERROR_RT_PARAM_INVALID, "",
             copy(device.get(), host.data(), kTooMany, ACL_MEMCPY_HOST_TO_DEVICE, stream_)));
  EXPECT_TRUE(
      failed(ACL_ERROR_RT_PARAM_INVALID, "",
             copy(host.data(), device.get(), kTooMany, ACL_MEMCPY_DEVICE_TO_HOST, stream_)));
  EXPECT_TRUE(failed(ACL_ERROR_RT_PARAM_INVALID, "",
                     copy(device.get(), unmapped_address(), 64, ACL_MEMCPY_DEFAULT, stream_)));
  EXPECT_TRUE(failed(ACL_ERROR_RT_PARAM_INVALID, "",
                     copy(unmapped_address(), device.get(), 64, ACL_MEMCPY_DEFAULT, stream_)));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_P(AclrtMemcpyAsyncRanges, RefusesPagesWithoutAccess) {
  HostPages pages(2);
  pages.forbid(1);
  const DeviceBuffer device(64);
  EXPECT_TRUE(failed(ACL_ERROR_RT_PARAM_INVALID, "",
                     copy(device.get(), pages.at(HostPages::page() - 32), 64,
                          ACL_MEMCPY_HOST_TO_DEVICE, stream_)));
  EXPECT_TRUE(failed(ACL_ERROR_RT_PARAM_INVALID, "",
                     copy(pages.at(HostPages::page() - 32), device.get(), 64,
                          ACL_MEMCPY_DEVICE_TO_HOST, stream_)));
}

TEST_P(AclrtMemcpyAsyncRanges, AnEarlierFailureComesBeforeABadPageableRange) {
  const DeviceBuffer device(64);
  EXPECT_OK(aclrtMemsetAsync(device.get(), 1000, 0, 1000, stream_));
  EXPECT_EQ(ACL_ERROR_RT_TS_ERROR,
            copy(device.get(), unmapped_address(), 64, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
}

TEST_P(AclrtMemcpyAsyncRanges, ThroughABufferTheSourceIsJudgedAtTheCall) {
  PinnedBuffer pinned(64);
  const DeviceBuffer device(1000);
  EXPECT_TRUE(
      failed(ACL_ERROR_RT_PARAM_INVALID, "",
             copy(device.get(), pinned.get(), 65, ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE, stream_)));
  EXPECT_TRUE(failed(
      ACL_ERROR_RT_PARAM_INVALID, "",
      copy(device.get(), unmapped_address(), 64, ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE, stream_)));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_P(AclrtMemcpyAsyncRanges, AStoppedContextRefusesCopies) {
  PinnedBuffer pinned(64);
  DeviceBuffer device(64);
  std::vector<uint8_t> host = pattern(64, 1);
  device.write(pattern(64, 2));
  pinned.fill(pattern(64, 1));
  {
    const StoppedContext stopped;
    EXPECT_TRUE(
        failed(ACL_ERROR_RT_TS_ERROR, "",
               copy(device.get(), pinned.get(), 64, ACL_MEMCPY_HOST_TO_DEVICE, stopped.stream())));
    EXPECT_EQ(ACL_ERROR_RT_TS_ERROR, last_error());
    EXPECT_TRUE(
        failed(ACL_ERROR_RT_TS_ERROR, "",
               copy(device.get(), host.data(), 64, ACL_MEMCPY_HOST_TO_DEVICE, stopped.stream())));
    EXPECT_TRUE(failed(ACL_ERROR_RT_TS_ERROR, "",
                       copy(device.get(), pinned.get(), 64, ACL_MEMCPY_HOST_TO_DEVICE, nullptr)));
    // The earlier checks still come first.
    EXPECT_TRUE(failed(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "",
                       copy(host.data(), pinned.get(), 64, ACL_MEMCPY_DEFAULT, stopped.stream())));
    EXPECT_EQ(ACL_ERROR_RT_TS_ERROR, aclrtSynchronizeStream(stopped.stream()));
    // Calls that queue nothing and wait for nothing still work.
    EXPECT_OK(aclrtMemset(device.at(1), 63, 3, 1));
    EXPECT_OK(aclrtMemcpy(device.get(), 64, pattern(64, 2).data(), 64, ACL_MEMCPY_HOST_TO_DEVICE));
  }
  EXPECT_EQ(pattern(64, 2), device.read());
  // Other contexts of the device still work.
  EXPECT_OK(copy(device.get(), pinned.get(), 64, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_P(AclrtMemcpyAsyncRanges, AStoppedContextDoesNotRunWhatWasQueuedBehindTheFailure) {
  PinnedBuffer pinned(1000);
  DeviceBuffer device(64);
  device.write(pattern(64, 2));
  {
    const OtherContext other;
    other.enter();
    EXPECT_OK(aclrtSetStreamFailureMode(other.stream(), ACL_STOP_ON_FAILURE));
    Gate gate(other.stream());
    EXPECT_OK(
        copy(device.get(), pinned.get(), kTooMany, ACL_MEMCPY_HOST_TO_DEVICE, other.stream()));
    EXPECT_OK(copy(device.get(), pinned.get(), 64, ACL_MEMCPY_HOST_TO_DEVICE, other.stream()));
    gate.open();
    EXPECT_EQ(ACL_ERROR_RT_TS_ERROR, aclrtSynchronizeStream(other.stream()));
    EXPECT_TRUE(text_has(name()));
    EXPECT_EQ(ACL_ERROR_RT_TS_ERROR, aclrtSynchronizeStream(other.stream()));
    other.leave();
  }
  EXPECT_EQ(pattern(64, 2), device.read());
}

INSTANTIATE_TEST_SUITE_P(, AclrtMemcpyAsyncRanges, ::testing::ValuesIn(kAsyncCopyForms),
                         FormName());

}  // namespace
}  // namespace conformance::copies::aclrtMemcpyAsync_ranges_test
