// SPDX-License-Identifier: Apache-2.0
// aclFinalize: finalises the library. Each test runs in its own process.
#include "support/devices.h"

namespace conformance::aclFinalize_test {
namespace {

FERRY_PROCESS_TEST(AclFinalize, EndsWhatAclInitBegan) {
  ASSERT_OK(aclInit(nullptr));
  EXPECT_OK(aclFinalize());
  EXPECT_FAILS_WITH(ACL_ERROR_REPEAT_FINALIZE, aclFinalize());
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

FERRY_PROCESS_TEST(AclFinalize, SucceedsOnceWithoutAclInit) {
  EXPECT_OK(aclFinalize());
  EXPECT_FAILS_WITH(ACL_ERROR_REPEAT_FINALIZE, aclFinalize());
}

FERRY_PROCESS_TEST(AclFinalize, EndsItWhateverTheCount) {
  ASSERT_OK(aclInit(nullptr));
  EXPECT_EQ(ACL_ERROR_REPEAT_INITIALIZE, aclInit(nullptr));
  EXPECT_EQ(ACL_ERROR_REPEAT_INITIALIZE, aclInit(nullptr));
  EXPECT_OK(aclFinalize());
  EXPECT_FAILS_WITH(ACL_ERROR_REPEAT_FINALIZE, aclFinalize());
  uint64_t count = 99;
  EXPECT_FAILS_WITH(ACL_ERROR_REPEAT_FINALIZE, aclFinalizeReference(&count));
  EXPECT_OK(aclInit(nullptr));
}

FERRY_PROCESS_TEST(AclFinalize, CanAlternateWithAclInit) {
  for (int round = 0; round < 10; ++round) {
    EXPECT_OK(aclInit(nullptr));
    EXPECT_OK(aclFinalize());
  }
}

FERRY_PROCESS_TEST(AclFinalize, LeavesMemoryStreamsAndDevicesAsTheyAre) {
  ASSERT_OK(aclInit(nullptr));
  ASSERT_OK(aclrtSetDevice(0));
  const aclrtContext context = current_context();
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCreateStream(&stream));
  DeviceBuffer device(256);
  PinnedBuffer source(256), sink(256);
  source.fill(pattern(256));
  {
    Gate gate(stream);
    EXPECT_OK(
        aclrtMemcpyAsync(device.get(), 256, source.get(), 256, ACL_MEMCPY_HOST_TO_DEVICE, stream));
    EXPECT_OK(aclFinalize());  // must not wait either
  }
  EXPECT_EQ(context, current_context());
  EXPECT_OK(
      aclrtMemcpyAsync(sink.get(), 256, device.get(), 256, ACL_MEMCPY_DEVICE_TO_HOST, stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(pattern(256), sink.copy());
  EXPECT_OK(aclrtDestroyStream(stream));
  EXPECT_OK(aclrtResetDevice(0));
}

FERRY_PROCESS_TEST(AclFinalize, IsDoneOnceByManyThreads) {
  ASSERT_OK(aclInit(nullptr));
  std::atomic<int> first{0}, repeated{0};
  on_threads(8, [&] {
    const aclError code = aclFinalize();
    if (code == ACL_SUCCESS) ++first;
    if (code == ACL_ERROR_REPEAT_FINALIZE) ++repeated;
  });
  EXPECT_EQ(1, first);
  EXPECT_EQ(7, repeated);
}

}  // namespace
}  // namespace conformance::aclFinalize_test
