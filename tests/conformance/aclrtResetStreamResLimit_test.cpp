// SPDX-License-Identifier: Apache-2.0
// aclrtResetStreamResLimit: removes the limits of a stream.
#include "support/core_limits.h"
#include "support/stream_checks.h"

namespace conformance::aclrtResetStreamResLimit_test {
namespace {

using AclrtResetStreamResLimit = WithStream;

TEST_F(AclrtResetStreamResLimit, RemovesBothLimits) {
  for (const aclrtStream any : {stream_, aclrtStream{nullptr}}) {
    EXPECT_OK(aclrtSetStreamResLimit(any, kCube, 1));
    EXPECT_OK(aclrtSetStreamResLimit(any, kVector, 2));
    EXPECT_OK(aclrtResetStreamResLimit(any));
    EXPECT_EQ(cores_of_product(kCube), stream_limit(any, kCube));
    EXPECT_EQ(cores_of_product(kVector), stream_limit(any, kVector));
  }
}

TEST_F(AclrtResetStreamResLimit, RefusesWhatIsNoStreamOfTheContext) {
  expect_stream_is_checked("aclrtResetStreamResLimit", stream_, aclrtResetStreamResLimit);
}

}  // namespace
}  // namespace conformance::aclrtResetStreamResLimit_test
