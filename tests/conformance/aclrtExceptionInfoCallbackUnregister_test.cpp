// SPDX-License-Identifier: Apache-2.0
// aclrtExceptionInfoCallbackUnregister: removes a function of aclrtExceptionInfoCallbackRegister.
#include "support/exception_counts.h"

namespace conformance::aclrtExceptionInfoCallbackUnregister_test {
namespace {

using exception_counts::calls_of_failure;
using exception_counts::count;

class AclrtExceptionInfoCallbackUnregister : public exception_counts::WithCounts {};

TEST_F(AclrtExceptionInfoCallbackUnregister, RemovesOneFunction) {
  EXPECT_OK(aclrtExceptionInfoCallbackRegister(count<0>));
  EXPECT_OK(aclrtExceptionInfoCallbackRegister(count<1>));
  EXPECT_OK(aclrtExceptionInfoCallbackRegister(count<2>));
  EXPECT_OK(aclrtExceptionInfoCallbackUnregister(count<1>));
  EXPECT_EQ((Calls{1, 0, 1}), calls_of_failure(stream_));
}

TEST_F(AclrtExceptionInfoCallbackUnregister, LeavesTheFunctionThatIsSet) {
  EXPECT_OK(aclrtSetExceptionInfoCallback(count<0>));
  EXPECT_OK(aclrtExceptionInfoCallbackUnregister(count<0>));
  EXPECT_EQ((Calls{1, 0, 0}), calls_of_failure(stream_));
}

TEST(AclrtExceptionInfoCallbackUnregisterArguments, AcceptsAnUnknownFunction) {
  EXPECT_OK(aclrtExceptionInfoCallbackUnregister(count<0>));
}

TEST(AclrtExceptionInfoCallbackUnregisterArguments, NeedsAFunction) {
  EXPECT_FAILS(107000, "EE1004", aclrtExceptionInfoCallbackUnregister(nullptr));
}

}  // namespace
}  // namespace conformance::aclrtExceptionInfoCallbackUnregister_test
