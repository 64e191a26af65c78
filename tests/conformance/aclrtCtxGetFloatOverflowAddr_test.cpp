// SPDX-License-Identifier: Apache-2.0
// aclrtCtxGetFloatOverflowAddr: where the overflow status of the context is.
#include "support/overflow.h"

namespace conformance::aclrtCtxGetFloatOverflowAddr_test {
namespace {

using AclrtCtxGetFloatOverflowAddr = WithStream;

TEST_F(AclrtCtxGetFloatOverflowAddr, IsMemoryOfTheContext) {
  expect_memory_of_the_context("aclrtCtxGetFloatOverflowAddr", aclrtCtxGetFloatOverflowAddr);
}

TEST_F(AclrtCtxGetFloatOverflowAddr, IsWhatTheStatusIsReadFrom) {
  set_overflow_status(3);
  DeviceBuffer out(kStatusSize);
  EXPECT_OK(aclrtGetOverflowStatus(out.get(), kStatusSize, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(std::vector<uint8_t>(kStatusSize, 3), out.read());
}

}  // namespace
}  // namespace conformance::aclrtCtxGetFloatOverflowAddr_test
