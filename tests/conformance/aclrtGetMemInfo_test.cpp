// SPDX-License-Identifier: Apache-2.0
// aclrtGetMemInfo: how much memory the current device has, and how much is left.
#include "support/at_once.h"
#include "support/device_allocator.h"
#include "support/needs.h"

namespace conformance::memory::aclrtGetMemInfo_test {
namespace {

using AclrtGetMemInfo = WithDevice;

constexpr size_t kMebibyte = size_t{1} << 20;

size_t free_bytes() {
  size_t free = 0;
  size_t total = 0;
  EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total));
  EXPECT_GT(total, 0u);
  EXPECT_LE(free, total);
  return free;
}

TEST_F(AclrtGetMemInfo, FollowsAllocations) {
  NEEDS_CPU_DEVICE("others allocate in larger granules and use some memory themselves");
  const size_t before = free_bytes();
  {
    const DeviceBuffer device(3 * kMebibyte);
    EXPECT_LE(free_bytes(), before - 3 * kMebibyte);
  }
  EXPECT_EQ(free_bytes(), before);
}

TEST_F(AclrtGetMemInfo, DoesNotCountHostMemory) {
  NEEDS_CPU_DEVICE("others allocate in larger granules and use some memory themselves");
  const size_t before = free_bytes();
  const PinnedBuffer pinned(3 * kMebibyte);
  EXPECT_EQ(free_bytes(), before);
}

TEST_F(AclrtGetMemInfo, GivesTheSameAnswerForAllKindsOfMemory) {
  size_t first_free = 0;
  size_t first_total = 0;
  ASSERT_OK(aclrtGetMemInfo(ACL_DDR_MEM, &first_free, &first_total));
  for (int kind = 0; kind <= 17; ++kind) {
    size_t free = 0;
    size_t total = 0;
    EXPECT_OK(aclrtGetMemInfo(static_cast<aclrtMemAttr>(kind), &free, &total));
    EXPECT_EQ(free, first_free) << "kind " << kind;
    EXPECT_EQ(total, first_total) << "kind " << kind;
  }
}

TEST_F(AclrtGetMemInfo, RefusesOtherKinds) {
  for (const int kind : {-1, 18, 0x7fffffff}) {
    size_t free = 11;
    size_t total = 12;
    clear_errors();
    EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID,
                      aclrtGetMemInfo(static_cast<aclrtMemAttr>(kind), &free, &total));
    EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_PARAM_INVALID);
    EXPECT_EQ(free, 11u);
    EXPECT_EQ(total, 12u);
  }
}

TEST_F(AclrtGetMemInfo, RefusesNullBeforeAnythingElse) {
  size_t value = 11;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtGetMemInfo(ACL_HBM_MEM, nullptr, &value));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtGetMemInfo(ACL_HBM_MEM, &value, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
               aclrtGetMemInfo(static_cast<aclrtMemAttr>(18), nullptr, nullptr));
  on_new_thread([&] {
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtGetMemInfo(ACL_HBM_MEM, nullptr, &value));
  });
  EXPECT_EQ(value, 11u);
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
}

TEST_F(AclrtGetMemInfo, NeedsAContextBeforeItLooksAtTheKind) {
  on_new_thread([] {
    size_t free = 11;
    size_t total = 12;
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018", aclrtGetMemInfo(ACL_HBM_MEM, &free, &total));
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
                 aclrtGetMemInfo(static_cast<aclrtMemAttr>(18), &free, &total));
    EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_CONTEXT_NULL);
    EXPECT_EQ(free, 11u);
    EXPECT_EQ(total, 12u);
  });
}

TEST_F(AclrtGetMemInfo, IsExactAfterManyThreadsAllocatedAndFreed) {
  NEEDS_CPU_DEVICE("others allocate in larger granules and use some memory themselves");
  const size_t before = free_bytes();
  at_once(4, [&](size_t) {
    EXPECT_OK(aclrtSetDevice(0));
    for (int round = 0; round < 50; ++round) {
      const DeviceBuffer device(kMebibyte);
      EXPECT_LE(free_bytes(), before - kMebibyte);
    }
    EXPECT_OK(aclrtResetDevice(0));
  });
  EXPECT_EQ(free_bytes(), before);
}

FERRY_PROCESS_TEST(AclrtGetMemInfoProcess, ShowsTheCapacityThatWasSet, "FERRY_MEMORY=64M") {
  NEEDS_CPU_DEVICE("FERRY_MEMORY applies to CPU devices only");
  ASSERT_OK(aclrtSetDevice(0));
  size_t free = 0;
  size_t total = 0;
  EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total));
  EXPECT_EQ(total, 64 * kMebibyte);
  EXPECT_EQ(free, 64 * kMebibyte);
}

FERRY_PROCESS_TEST(AclrtGetMemInfoProcess, SpeaksOfTheCurrentDevice, "FERRY_DEVICES=cpu:2",
                   "FERRY_MEMORY=32M") {
  ASSERT_OK(aclrtSetDevice(0));
  const DeviceBuffer device(5 * kMebibyte);
  EXPECT_LE(free_bytes(), 27 * kMebibyte);
  ASSERT_OK(aclrtSetDevice(1));
  EXPECT_EQ(free_bytes(), 32 * kMebibyte);
}

}  // namespace
}  // namespace conformance::memory::aclrtGetMemInfo_test
