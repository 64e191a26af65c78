// SPDX-License-Identifier: Apache-2.0
// aclrtGetMemcpyDescSize: the size of a copy descriptor.
#include "support/copies.h"

namespace conformance::copies::aclrtGetMemcpyDescSize_test {
namespace {

using AclrtGetMemcpyDescSize = WithDevice;

constexpr size_t kUntouched = 12345;

TEST_F(AclrtGetMemcpyDescSize, Tells32BytesWithOrWithoutAContext) {
  size_t size = kUntouched;
  EXPECT_OK(aclrtGetMemcpyDescSize(ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, &size));
  EXPECT_EQ(32u, size);
  on_new_thread([] {
    size_t other = kUntouched;
    EXPECT_OK(aclrtGetMemcpyDescSize(ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, &other));
    EXPECT_EQ(32u, other);
  });
}

TEST_F(AclrtGetMemcpyDescSize, RefusesNullBeforeTheKind) {
  for (const int kind : {0, 6, 7, 8, -1}) {
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtGetMemcpyDescSize(kind_of(kind), nullptr));
  }
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

TEST_F(AclrtGetMemcpyDescSize, RefusesAKindOutOfRange) {
  size_t size = kUntouched;
  for (const int kind : {8, 9, -1, 0x7FFFFFFF}) {
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0007", aclrtGetMemcpyDescSize(kind_of(kind), &size));
  }
  EXPECT_EQ(kUntouched, size);
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

TEST_F(AclrtGetMemcpyDescSize, OtherKindsAreNotSupported) {
  size_t size = kUntouched;
  for (const int kind : {0, 1, 2, 3, 4, 5, 7}) {
    clear_errors();
    EXPECT_FAILS_WITH(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                      aclrtGetMemcpyDescSize(kind_of(kind), &size));
    EXPECT_EQ(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, last_error());
  }
  EXPECT_EQ(kUntouched, size);
}

TEST_F(AclrtGetMemcpyDescSize, ThreadsAskAtOnce) {
  std::vector<std::thread> threads;
  for (int index = 0; index < 4; ++index) {
    threads.emplace_back([] {
      for (int round = 0; round < 100; ++round) {
        size_t size = kUntouched;
        EXPECT_OK(aclrtGetMemcpyDescSize(ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, &size));
        EXPECT_EQ(32u, size);
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
}

FERRY_PROCESS_TEST(AclrtGetMemcpyDescSizeProducts, A3Needs32Bytes, "FERRY_SOC=Ascend910_9391") {
  size_t size = kUntouched;
  EXPECT_OK(aclrtGetMemcpyDescSize(ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, &size));
  EXPECT_EQ(32u, size);
}

FERRY_PROCESS_TEST(AclrtGetMemcpyDescSizeProducts, Ascend950Needs64Bytes,
                   "FERRY_SOC=Ascend950PR_9589") {
  size_t size = kUntouched;
  EXPECT_OK(aclrtGetMemcpyDescSize(ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, &size));
  EXPECT_EQ(64u, size);
}

FERRY_PROCESS_TEST(AclrtGetMemcpyDescSizeProducts, EarlierOnesHaveNoDescriptors,
                   "FERRY_SOC=Ascend310P3") {
  size_t size = kUntouched;
  EXPECT_FAILS_WITH(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                    aclrtGetMemcpyDescSize(ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, &size));
  EXPECT_EQ(kUntouched, size);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
               aclrtGetMemcpyDescSize(ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, nullptr));
}

}  // namespace
}  // namespace conformance::copies::aclrtGetMemcpyDescSize_test
