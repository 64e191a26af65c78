// SPDX-License-Identifier: Apache-2.0
// aclrtDeviceSetLimit: limits for kernels of a device; kept, without effect.
#include "support/streams.h"

namespace conformance::aclrtDeviceSetLimit_test {
namespace {

using AclrtDeviceSetLimit = WithDevice;

constexpr aclrtDeviceLimit kStack = ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE;
constexpr aclrtDeviceLimit kFifo = ACL_RT_DEV_LIMIT_SIMD_PRINTF_FIFO_SIZE_PER_CORE;

size_t limit_of(aclrtDeviceLimit limit) {
  size_t value = 0;
  EXPECT_OK(aclrtDeviceGetLimit(limit, &value));
  return value;
}

TEST_F(AclrtDeviceSetLimit, RoundsUp) {
  struct Case {
    aclrtDeviceLimit limit;
    size_t wanted;
    size_t kept;
  };
  constexpr Case kCases[] = {{kStack, 1, 16384},          {kStack, 16384, 16384},
                             {kStack, 16385, 32768},      {kStack, 196608, 196608},
                             {kStack, 32768, 32768},      {kFifo, 1024, 1024},
                             {kFifo, 1025, 1032},         {kFifo, 67108864, 67108864},
                             {kFifo, 67108857, 67108864}, {kFifo, 1048576, 1048576}};
  for (const auto& [limit, wanted, kept] : kCases) {
    EXPECT_OK(aclrtDeviceSetLimit(limit, wanted));
    EXPECT_EQ(kept, limit_of(limit)) << wanted;
  }
}

TEST_F(AclrtDeviceSetLimit, CountsForAllThreadsAndContextsOfTheDevice) {
  EXPECT_OK(aclrtDeviceSetLimit(kStack, 65536));
  const streams::OtherContext other;
  streams::start_in(other, [] { EXPECT_EQ(65536u, limit_of(kStack)); }).join();
  EXPECT_OK(aclrtDeviceSetLimit(kStack, 32768));
}

TEST_F(AclrtDeviceSetLimit, ChecksLimitThenSizeThenProductThenRangeThenContext) {
  for (const int limit : {-1, 5}) {
    EXPECT_FAILS(100000, "EH0007",
                 aclrtDeviceSetLimit(static_cast<aclrtDeviceLimit>(limit), SIZE_MAX));
  }
  for (int limit = 0; limit < 5; ++limit) {
    EXPECT_FAILS(100000, "EH0007",
                 aclrtDeviceSetLimit(static_cast<aclrtDeviceLimit>(limit), size_t{UINT32_MAX} + 1));
  }
  for (const int limit : {0, 1, 4})
    EXPECT_FAILS(207000, "WE0001", aclrtDeviceSetLimit(static_cast<aclrtDeviceLimit>(limit), 1024));
  for (const size_t size : {size_t{0}, size_t{196609}, size_t{UINT32_MAX}})
    EXPECT_FAILS(107000, "EE1003", aclrtDeviceSetLimit(kStack, size));
  for (const size_t size : {size_t{0}, size_t{1023}, size_t{67108865}})
    EXPECT_FAILS(107000, "EE1003", aclrtDeviceSetLimit(kFifo, size));
  on_new_thread([] {
    EXPECT_FAILS(107000, "EE1003", aclrtDeviceSetLimit(kFifo, 0));
    EXPECT_FAILS(107002, "EE1018", aclrtDeviceSetLimit(kFifo, 1024));
  });
  clear_errors();
}

FERRY_PROCESS_TEST(AclrtDeviceSetLimitProcess, AnAscend950HasLimitsOfSimtKernels,
                   "FERRY_SOC=Ascend950PR_9599") {
  EXPECT_OK(aclrtSetDevice(0));
  for (const int number : {0, 1, 4}) {
    const auto limit = static_cast<aclrtDeviceLimit>(number);
    EXPECT_OK(aclrtDeviceSetLimit(limit, 4097));
    EXPECT_EQ(4097u, limit_of(limit));
  }
  EXPECT_OK(aclrtResetDevice(0));
}

}  // namespace
}  // namespace conformance::aclrtDeviceSetLimit_test
