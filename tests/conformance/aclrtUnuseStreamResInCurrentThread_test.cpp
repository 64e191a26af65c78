// SPDX-License-Identifier: Apache-2.0
// aclrtUnuseStreamResInCurrentThread: a thread gives up the limits of a stream.
#include "support/core_limits.h"
#include "support/stream_checks.h"

namespace conformance::aclrtUnuseStreamResInCurrentThread_test {
namespace {

using AclrtUnuseStreamResInCurrentThread = WithStream;

TEST_F(AclrtUnuseStreamResInCurrentThread, GivesUpTheStreamInUseAndNoOther) {
  const streams::Stream other;
  EXPECT_OK(aclrtSetStreamResLimit(stream_, kCube, 3));
  EXPECT_OK(aclrtUnuseStreamResInCurrentThread(stream_));
  EXPECT_OK(aclrtUseStreamResInCurrentThread(stream_));
  EXPECT_OK(aclrtUnuseStreamResInCurrentThread(other));
  EXPECT_OK(aclrtUnuseStreamResInCurrentThread(nullptr));
  EXPECT_EQ(3u, thread_limit(kCube));
  EXPECT_OK(aclrtUnuseStreamResInCurrentThread(stream_));
  EXPECT_EQ(cores_of_product(kCube), thread_limit(kCube));
}

TEST_F(AclrtUnuseStreamResInCurrentThread, RefusesWhatIsNoStreamOfTheContext) {
  expect_stream_is_checked("aclrtUnuseStreamResInCurrentThread", stream_,
                           aclrtUnuseStreamResInCurrentThread);
}

}  // namespace
}  // namespace conformance::aclrtUnuseStreamResInCurrentThread_test
