// SPDX-License-Identifier: Apache-2.0
// aclrtGetStreamResLimit: how many cores the kernels of a stream may use.
#include "support/core_limits.h"
#include "support/stream_checks.h"

namespace conformance::aclrtGetStreamResLimit_test {
namespace {

using AclrtGetStreamResLimit = WithStream;

TEST_F(AclrtGetStreamResLimit, TakesTheStreamBeforeTheDeviceBeforeTheProduct) {
  EXPECT_EQ(cores_of_product(kVector), stream_limit(stream_, kVector));
  EXPECT_OK(aclrtSetDeviceResLimit(0, kVector, 10));
  EXPECT_EQ(10u, stream_limit(stream_, kVector));
  EXPECT_EQ(10u, stream_limit(nullptr, kVector));
  EXPECT_OK(aclrtSetStreamResLimit(stream_, kVector, 12));
  EXPECT_EQ(12u, stream_limit(stream_, kVector));
  EXPECT_EQ(10u, stream_limit(nullptr, kVector));
  EXPECT_EQ(cores_of_product(kCube), stream_limit(stream_, kCube));
  EXPECT_OK(aclrtResetDeviceResLimit(0));
  EXPECT_EQ(12u, stream_limit(stream_, kVector));
}

TEST_F(AclrtGetStreamResLimit, ChecksNullThenTypeThenStream) {
  const streams::WrongHandles wrong;
  uint32_t value = 99;
  EXPECT_FAILS(100000, "EH0008", aclrtGetStreamResLimit(wrong.dead_stream(), kNoType, nullptr));
  EXPECT_FAILS(107000, "EE1003", aclrtGetStreamResLimit(wrong.dead_stream(), kNoType, &value));
  expect_stream_is_checked("aclrtGetStreamResLimit", stream_, [&](aclrtStream any) {
    return aclrtGetStreamResLimit(any, kCube, &value);
  });
  EXPECT_EQ(99u, value);
}

}  // namespace
}  // namespace conformance::aclrtGetStreamResLimit_test
