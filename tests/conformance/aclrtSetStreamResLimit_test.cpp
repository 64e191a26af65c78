// SPDX-License-Identifier: Apache-2.0
// aclrtSetStreamResLimit: limits how many cores the kernels of a stream may use.
#include "support/core_limits.h"
#include "support/stream_checks.h"

namespace conformance::aclrtSetStreamResLimit_test {
namespace {

using AclrtSetStreamResLimit = WithStream;

TEST_F(AclrtSetStreamResLimit, TheLastOneCounts) {
  for (const aclrtStream any : {stream_, aclrtStream{nullptr}}) {
    for (const uint32_t limit : {cores_of_product(kCube), 3u, 0u, 7u}) {
      EXPECT_OK(aclrtSetStreamResLimit(any, kCube, limit));
      EXPECT_EQ(limit, stream_limit(any, kCube));
    }
  }
  EXPECT_EQ(cores_of_product(kCube), device_limit(kCube));
}

TEST_F(AclrtSetStreamResLimit, MayExceedTheLimitOfTheDevice) {
  EXPECT_OK(aclrtSetDeviceResLimit(0, kVector, 2));
  EXPECT_OK(aclrtSetStreamResLimit(stream_, kVector, 4));
  EXPECT_EQ(4u, stream_limit(stream_, kVector));
  EXPECT_OK(aclrtResetDeviceResLimit(0));
}

TEST_F(AclrtSetStreamResLimit, ChecksTypeThenStreamThenValue) {
  const streams::WrongHandles wrong;
  EXPECT_FAILS(107000, "EE1003", aclrtSetStreamResLimit(wrong.dead_stream(), kNoType, UINT32_MAX));
  EXPECT_FAILS(107017, "EE1017", aclrtSetStreamResLimit(wrong.dead_stream(), kCube, UINT32_MAX));
  EXPECT_FAILS(107000, "EE1003",
               aclrtSetStreamResLimit(stream_, kCube, cores_of_product(kCube) + 1));
  EXPECT_EQ(cores_of_product(kCube), stream_limit(stream_, kCube));
  expect_stream_is_checked("aclrtSetStreamResLimit", stream_,
                           [&](aclrtStream any) { return aclrtSetStreamResLimit(any, kCube, 1); });
}

}  // namespace
}  // namespace conformance::aclrtSetStreamResLimit_test
