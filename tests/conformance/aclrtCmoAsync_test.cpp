// SPDX-License-Identifier: Apache-2.0
// aclrtCmoAsync: a cache operation is a task that changes nothing.
#include "support/copies.h"

namespace conformance::copies::aclrtCmoAsync_test {
namespace {

using AclrtCmoAsync = WithStream;

aclrtCmoType type_of(int number) {
  return static_cast<aclrtCmoType>(number);
}

TEST_F(AclrtCmoAsync, EveryTypeIsQueuedAndChangesNothing) {
  DeviceBuffer device(64);
  device.write(pattern(64));
  for (int type = ACL_RT_CMO_TYPE_PREFETCH; type <= ACL_RT_CMO_TYPE_FLUSH; ++type) {
    EXPECT_OK(aclrtCmoAsync(device.get(), 64, type_of(type), stream_));
    EXPECT_OK(aclrtCmoAsync(device.get(), 64, type_of(type), nullptr));
  }
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(device.read(), pattern(64));
}

TEST_F(AclrtCmoAsync, HasItsPlaceInTheStream) {
  const DeviceBuffer device(64);
  Gate gate(stream_);
  EXPECT_OK(aclrtCmoAsync(device.get(), 64, ACL_RT_CMO_TYPE_PREFETCH, stream_));
  aclrtStreamStatus status = ACL_STREAM_STATUS_COMPLETE;
  EXPECT_OK(aclrtStreamQuery(stream_, &status));
  EXPECT_EQ(status, ACL_STREAM_STATUS_NOT_READY);
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtCmoAsync, AnyAddressWillDo) {
  char pageable = 0;
  for (void* const address : {static_cast<void*>(&pageable), unmapped_address()}) {
    EXPECT_OK(aclrtCmoAsync(address, SIZE_MAX, ACL_RT_CMO_TYPE_PREFETCH, stream_));
  }
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtCmoAsync, RefusesInTheOrderOfTheContract) {
  const BadStreams bad;
  const OtherContext other;
  char memory = 0;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
               aclrtCmoAsync(nullptr, 0, type_of(4), bad.destroyed()));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0007",
               aclrtCmoAsync(&memory, 0, type_of(4), bad.destroyed()));
  for (const int type : {-1, 4, 0x7fffffff}) {
    EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "WE0001",
                 aclrtCmoAsync(&memory, 1, type_of(type), bad.destroyed()));
  }
  for (const BadStreams::Entry& entry : bad.all()) {
    SCOPED_TRACE(entry.what);
    EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "EE1017",
                 aclrtCmoAsync(&memory, 1, ACL_RT_CMO_TYPE_PREFETCH, entry.handle));
  }
  on_new_thread([&] {
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
                 aclrtCmoAsync(&memory, 1, ACL_RT_CMO_TYPE_PREFETCH, stream_));
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
                 aclrtCmoAsync(&memory, 1, ACL_RT_CMO_TYPE_PREFETCH, nullptr));
  });
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_CONTEXT, "EE1010",
               aclrtCmoAsync(&memory, 1, ACL_RT_CMO_TYPE_PREFETCH, other.stream()));
}

TEST_F(AclrtCmoAsync, AStoppedContextRefusesIt) {
  char memory = 0;
  const StoppedContext stopped;
  EXPECT_FAILS_WITH(ACL_ERROR_RT_TS_ERROR,
                    aclrtCmoAsync(&memory, 1, ACL_RT_CMO_TYPE_PREFETCH, stopped.stream()));
}

FERRY_PROCESS_TEST(AclrtCmoAsyncProcess, IsNotOnEarlierProducts, "FERRY_SOC=Ascend310P3") {
  ASSERT_OK(aclrtSetDevice(0));
  char memory = 0;
  size_t size = 0;
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "WE0001",
               aclrtCmoAsync(&memory, 1, ACL_RT_CMO_TYPE_PREFETCH, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "WE0001", aclrtCmoGetDescSize(&size));
}

}  // namespace
}  // namespace conformance::copies::aclrtCmoAsync_test
