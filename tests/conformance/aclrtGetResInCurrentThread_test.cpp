// SPDX-License-Identifier: Apache-2.0
// aclrtGetResInCurrentThread: which limit counts for the calling thread.
#include "support/core_limits.h"
#include "support/stream_checks.h"

namespace conformance::aclrtGetResInCurrentThread_test {
namespace {

using AclrtGetResInCurrentThread = WithStream;

TEST_F(AclrtGetResInCurrentThread, IsThatOfTheStreamInUseIfItHasOneElseOfTheDevice) {
  EXPECT_OK(aclrtUseStreamResInCurrentThread(stream_));
  EXPECT_EQ(cores_of_product(kVector), thread_limit(kVector));
  EXPECT_OK(aclrtSetDeviceResLimit(0, kVector, 6));
  EXPECT_EQ(6u, thread_limit(kVector));
  EXPECT_OK(aclrtSetStreamResLimit(stream_, kVector, 8));
  EXPECT_EQ(8u, thread_limit(kVector));
  EXPECT_OK(aclrtUnuseStreamResInCurrentThread(stream_));
  EXPECT_EQ(6u, thread_limit(kVector));
  EXPECT_OK(aclrtResetDeviceResLimit(0));
}

TEST_F(AclrtGetResInCurrentThread, ChecksNullThenTypeThenContext) {
  on_new_thread([] {
    uint32_t value = 99;
    EXPECT_FAILS(100000, "EH0008", aclrtGetResInCurrentThread(kNoType, nullptr));
    EXPECT_FAILS(107000, "EE1003", aclrtGetResInCurrentThread(kNoType, &value));
    EXPECT_FAILS(107002, "EE1018", aclrtGetResInCurrentThread(kCube, &value));
    EXPECT_EQ(99u, value);
  });
}

}  // namespace
}  // namespace conformance::aclrtGetResInCurrentThread_test
