// SPDX-License-Identifier: Apache-2.0
// aclrtUseStreamResInCurrentThread: a thread takes the limits of a stream.
#include "support/core_limits.h"
#include "support/stream_checks.h"

namespace conformance::aclrtUseStreamResInCurrentThread_test {
namespace {

using AclrtUseStreamResInCurrentThread = WithStream;

TEST_F(AclrtUseStreamResInCurrentThread, TheLastStreamCountsForThisThread) {
  const streams::Stream other;
  EXPECT_OK(aclrtSetStreamResLimit(stream_, kCube, 3));
  EXPECT_OK(aclrtSetStreamResLimit(other, kCube, 4));
  EXPECT_OK(aclrtSetStreamResLimit(nullptr, kCube, 5));
  EXPECT_OK(aclrtUseStreamResInCurrentThread(stream_));
  EXPECT_EQ(3u, thread_limit(kCube));
  EXPECT_OK(aclrtUseStreamResInCurrentThread(other));
  EXPECT_EQ(4u, thread_limit(kCube));
  streams::start_in(streams::current_context(), [] {
    EXPECT_EQ(cores_of_product(kCube), thread_limit(kCube));
  }).join();
  EXPECT_OK(aclrtUseStreamResInCurrentThread(nullptr));
  EXPECT_EQ(5u, thread_limit(kCube));
  EXPECT_OK(aclrtUnuseStreamResInCurrentThread(nullptr));
}

TEST_F(AclrtUseStreamResInCurrentThread, EndsWithTheStream) {
  {
    const streams::Stream short_lived;
    EXPECT_OK(aclrtSetStreamResLimit(short_lived, kCube, 3));
    EXPECT_OK(aclrtUseStreamResInCurrentThread(short_lived));
    EXPECT_EQ(3u, thread_limit(kCube));
  }
  EXPECT_EQ(cores_of_product(kCube), thread_limit(kCube));
}

TEST_F(AclrtUseStreamResInCurrentThread, RefusesWhatIsNoStreamOfTheContext) {
  expect_stream_is_checked("aclrtUseStreamResInCurrentThread", stream_,
                           aclrtUseStreamResInCurrentThread);
}

}  // namespace
}  // namespace conformance::aclrtUseStreamResInCurrentThread_test
