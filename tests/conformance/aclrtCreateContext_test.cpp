// SPDX-License-Identifier: Apache-2.0
// aclrtCreateContext: creates an explicit context.
#include "support/devices.h"

namespace conformance::aclrtCreateContext_test {
namespace {

TEST(AclrtCreateContext, MakesTheNewContextCurrent) {
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtCreateContext(&context, 0));
  EXPECT_NE(nullptr, context);
  EXPECT_EQ(context, current_context());
  int32_t device = -1;
  EXPECT_OK(aclrtGetDevice(&device));
  EXPECT_EQ(0, device);
  EXPECT_OK(aclrtDestroyContext(context));
}

TEST(AclrtCreateContext, MakesContextsThatDiffer) {
  aclrtContext first = nullptr, second = nullptr;
  ASSERT_OK(aclrtCreateContext(&first, 0));
  ASSERT_OK(aclrtCreateContext(&second, 0));
  EXPECT_NE(first, second);
  EXPECT_EQ(second, current_context());
  ASSERT_OK(aclrtSetDevice(0));
  EXPECT_NE(first, current_context());
  EXPECT_NE(second, current_context());
  EXPECT_OK(aclrtResetDevice(0));
  EXPECT_OK(aclrtDestroyContext(first));
  EXPECT_OK(aclrtDestroyContext(second));
}

TEST(AclrtCreateContext, GivesEachContextADefaultStream) {
  aclrtContext first = nullptr, second = nullptr;
  aclrtStream first_stream = nullptr, second_stream = nullptr;
  ASSERT_OK(aclrtCreateContext(&first, 0));
  EXPECT_OK(aclrtCtxGetCurrentDefaultStream(&first_stream));
  ASSERT_OK(aclrtCreateContext(&second, 0));
  EXPECT_OK(aclrtCtxGetCurrentDefaultStream(&second_stream));
  EXPECT_NE(nullptr, first_stream);
  EXPECT_NE(first_stream, second_stream);
  EXPECT_OK(aclrtDestroyContext(first));
  EXPECT_OK(aclrtDestroyContext(second));
}

TEST(AclrtCreateContext, CanBeUsedWithoutAclrtSetDevice) {
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtCreateContext(&context, 0));
  {
    DeviceBuffer device(256);
    PinnedBuffer source(256);
    source.fill(pattern(256));
    EXPECT_OK(
        aclrtMemcpyAsync(device.get(), 256, source.get(), 256, ACL_MEMCPY_HOST_TO_DEVICE, nullptr));
    EXPECT_OK(aclrtSynchronizeStream(nullptr));
    EXPECT_EQ(pattern(256), device.read());
  }
  EXPECT_OK(aclrtDestroyContext(context));
}

TEST(AclrtCreateContext, RefusesNullBeforeTheDevice) {
  clear_errors();
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtCreateContext(nullptr, 0));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtCreateContext(nullptr, -1));
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

TEST(AclrtCreateContext, RefusesNumbersWithoutADevice) {
  int marker = 0;
  for (const int32_t device : missing_devices()) {
    clear_errors();
    aclrtContext context = &marker;
    EXPECT_FAILS_WITH(ACL_ERROR_RT_INVALID_DEVICEID, aclrtCreateContext(&context, device));
    EXPECT_EQ(ACL_ERROR_RT_INVALID_DEVICEID, last_error());
    EXPECT_EQ(&marker, context);
    EXPECT_EQ(nullptr, current_context());
  }
  clear_errors();
}

TEST(AclrtCreateContext, WorksOnManyThreadsAtOnce) {
  on_threads(8, [] {
    for (int round = 0; round < 10; ++round) {
      aclrtContext context = nullptr;
      ASSERT_OK(aclrtCreateContext(&context, 0));
      EXPECT_EQ(context, current_context());
      EXPECT_OK(aclrtSynchronizeDevice());
      EXPECT_OK(aclrtDestroyContext(context));
    }
  });
}

FERRY_PROCESS_TEST(AclrtCreateContextProcess, BelongsToTheDeviceThatWasNamed,
                   "FERRY_DEVICES=cpu:2") {
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtCreateContext(&context, 1));
  DeviceBuffer buffer(64);
  aclrtPtrAttributes attributes = {};
  EXPECT_OK(aclrtPointerGetAttributes(buffer.get(), &attributes));
  EXPECT_EQ(ACL_MEM_LOCATION_TYPE_DEVICE, attributes.location.type);
  EXPECT_EQ(1u, attributes.location.id);
}

}  // namespace
}  // namespace conformance::aclrtCreateContext_test
