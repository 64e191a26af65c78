// SPDX-License-Identifier: Apache-2.0
// aclrtMemManagedPrefetchAsync: moves managed memory in stream order.
#include "support/managed.h"

namespace conformance::copies::aclrtMemManagedPrefetchAsync_test {
namespace {

using AclrtMemManagedPrefetchAsync = WithManagedMemory;

TEST_F(AclrtMemManagedPrefetchAsync, IsRecordedWhenTheStreamComesToIt) {
  ManagedBuffer managed(2 * kManagedPage);
  managed.write(pattern(2 * kManagedPage));
  Gate gate(stream_);
  EXPECT_OK(aclrtMemManagedPrefetchAsync(managed.get(), 2 * kManagedPage, kOnDevice0, 0, stream_));
  expect_place(kPrefetched, managed.get(), 2 * kManagedPage, ACL_MEM_LOCATIONTYPE_INVALID, -2);
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  expect_place(kPrefetched, managed.get(), 2 * kManagedPage, ACL_MEM_LOCATIONTYPE_DEVICE, 0);
  EXPECT_EQ(managed.read(), pattern(2 * kManagedPage));
}

TEST_F(AclrtMemManagedPrefetchAsync, TheLastPlaceCountsForEachPage) {
  const ManagedBuffer managed(2 * kManagedPage);
  const auto prefetch = [&](size_t offset, size_t size, aclrtMemManagedLocation location) {
    EXPECT_OK(aclrtMemManagedPrefetchAsync(managed.at(offset), size, location, 0, stream_));
  };
  prefetch(0, 2 * kManagedPage, kOnDevice0);
  prefetch(kManagedPage, 1, kOnHost);
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  expect_place(kPrefetched, managed.get(), kManagedPage, ACL_MEM_LOCATIONTYPE_DEVICE, 0);
  expect_place(kPrefetched, managed.at(kManagedPage), kManagedPage, ACL_MEM_LOCATIONTYPE_HOST, -1);
  expect_place(kPrefetched, managed.get(), 2 * kManagedPage, ACL_MEM_LOCATIONTYPE_INVALID, -2);
  prefetch(0, 2 * kManagedPage, {ACL_MEM_LOCATIONTYPE_HOST_NUMA, 0});
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  expect_place(kPrefetched, managed.get(), 2 * kManagedPage, ACL_MEM_LOCATIONTYPE_HOST_NUMA, 0);
  expect_place(kPreferred, managed.get(), 2 * kManagedPage, ACL_MEM_LOCATIONTYPE_INVALID, -2);
}

TEST_F(AclrtMemManagedPrefetchAsync, KeepsTheOrderOfTheStreamWithCopies) {
  const ManagedBuffer managed(kManagedPage);
  const DeviceBuffer device(64);
  EXPECT_OK(aclrtMemsetAsync(managed.get(), 64, 5, 64, stream_));
  EXPECT_OK(aclrtMemManagedPrefetchAsync(managed.get(), 64, kOnDevice0, 0, stream_));
  EXPECT_OK(aclrtMemcpyAsync(device.get(), 64, managed.get(), 64, ACL_MEMCPY_DEFAULT, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(device.read(), std::vector<uint8_t>(64, 5));
}

TEST_F(AclrtMemManagedPrefetchAsync, NullNamesTheDefaultStream) {
  const ManagedBuffer managed(kManagedPage);
  EXPECT_OK(aclrtMemManagedPrefetchAsync(managed.get(), kManagedPage, kOnHost, 0, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  expect_place(kPrefetched, managed.get(), kManagedPage, ACL_MEM_LOCATIONTYPE_HOST, -1);
}

TEST_F(AclrtMemManagedPrefetchAsync, RefusesInTheOrderOfTheContract) {
  const ManagedBuffer managed(kManagedPage);
  const BadStreams bad;
  const OtherContext other;
  void* const address = managed.get();
  const aclrtMemManagedLocation missing = on_missing_device();
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
               aclrtMemManagedPrefetchAsync(nullptr, 0, missing, 1, bad.destroyed()));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0007",
               aclrtMemManagedPrefetchAsync(address, 0, missing, 1, bad.destroyed()));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0007",
               aclrtMemManagedPrefetchAsync(address, 1, missing, 1, bad.destroyed()));
  EXPECT_EQ(ACL_SUCCESS, last_error());
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "EE1017",
               aclrtMemManagedPrefetchAsync(address, 1, missing, 0, bad.destroyed()));
  on_new_thread([&] {
    EXPECT_FAILS_WITH(ACL_ERROR_RT_INTERNAL_ERROR,
                      aclrtMemManagedPrefetchAsync(address, 1, missing, 0, nullptr));
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
                 aclrtMemManagedPrefetchAsync(address, 1, missing, 0, stream_));
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
                 aclrtMemManagedPrefetchAsync(address, 1, kOnHost, 0, stream_));
  });
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
               aclrtMemManagedPrefetchAsync(address, 1, missing, 0, other.stream()));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_CONTEXT, "EE1010",
               aclrtMemManagedPrefetchAsync(address, 1, kOnHost, 0, other.stream()));
}

TEST_F(AclrtMemManagedPrefetchAsync, OtherMemoryFailsOnTheStream) {
  const DeviceBuffer device(64);
  const ManagedBuffer managed(kManagedPage);
  EXPECT_OK(aclrtMemManagedPrefetchAsync(device.get(), 64, kOnHost, 0, stream_));
  EXPECT_TRUE(task_failed(stream_, "aclrtMemManagedPrefetchAsync"));
  EXPECT_OK(aclrtMemManagedPrefetchAsync(managed.get(), kManagedPage + 1, kOnHost, 0, stream_));
  EXPECT_TRUE(task_failed(stream_, "aclrtMemManagedPrefetchAsync"));
}

TEST_F(AclrtMemManagedPrefetchAsync, MemoryFreedBeforeItRunsFailsIt) {
  void* freed = nullptr;
  ASSERT_OK(aclrtMemAllocManaged(&freed, 1, ACL_RT_MEM_ATTACH_GLOBAL));
  Gate gate(stream_);
  EXPECT_OK(aclrtMemManagedPrefetchAsync(freed, 1, kOnDevice0, 0, stream_));
  EXPECT_OK(aclrtFree(freed));
  gate.open();
  EXPECT_TRUE(task_failed(stream_, "aclrtMemManagedPrefetchAsync"));
}

TEST_F(AclrtMemManagedPrefetchAsync, AnAbortedStreamDropsIt) {
  const ManagedBuffer managed(kManagedPage);
  {
    Gate gate(stream_);
    EXPECT_OK(aclrtMemManagedPrefetchAsync(managed.get(), 1, kOnDevice0, 0, stream_));
    gate.wait_until_reached();
    EXPECT_OK(aclrtStreamAbort(stream_));
  }
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  expect_place(kPrefetched, managed.get(), 1, ACL_MEM_LOCATIONTYPE_INVALID, -2);
}

TEST_F(AclrtMemManagedPrefetchAsync, AStoppedContextRefusesIt) {
  const ManagedBuffer managed(kManagedPage);
  const StoppedContext stopped;
  EXPECT_FAILS_WITH(ACL_ERROR_RT_TS_ERROR, aclrtMemManagedPrefetchAsync(
                                               managed.get(), 1, kOnDevice0, 0, stopped.stream()));
}

}  // namespace
}  // namespace conformance::copies::aclrtMemManagedPrefetchAsync_test
