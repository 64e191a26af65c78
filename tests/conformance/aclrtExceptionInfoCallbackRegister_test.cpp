// SPDX-License-Identifier: Apache-2.0
// aclrtExceptionInfoCallbackRegister: adds a function that is called for tasks that fail.
#include "support/exception_counts.h"

namespace conformance::aclrtExceptionInfoCallbackRegister_test {
namespace {

using exception_counts::calls_of_failure;
using exception_counts::count;

class AclrtExceptionInfoCallbackRegister : public exception_counts::WithCounts {};

TEST_F(AclrtExceptionInfoCallbackRegister, CallsEachFunctionOncePerFailure) {
  EXPECT_OK(aclrtExceptionInfoCallbackRegister(count<0>));
  EXPECT_EQ((Calls{1, 0, 0}), calls_of_failure(stream_));
  EXPECT_OK(aclrtExceptionInfoCallbackRegister(count<1>));
  EXPECT_EQ((Calls{1, 1, 0}), calls_of_failure(stream_));
}

TEST_F(AclrtExceptionInfoCallbackRegister, CountsTheSameFunctionOnce) {
  EXPECT_OK(aclrtExceptionInfoCallbackRegister(count<0>));
  EXPECT_OK(aclrtExceptionInfoCallbackRegister(count<0>));
  EXPECT_EQ((Calls{1, 0, 0}), calls_of_failure(stream_));
}

TEST_F(AclrtExceptionInfoCallbackRegister, StandsBesideTheFunctionThatIsSet) {
  EXPECT_OK(aclrtSetExceptionInfoCallback(count<0>));
  EXPECT_OK(aclrtExceptionInfoCallbackRegister(count<1>));
  EXPECT_EQ((Calls{1, 1, 0}), calls_of_failure(stream_));
  EXPECT_OK(aclrtSetExceptionInfoCallback(nullptr));
  EXPECT_EQ((Calls{0, 1, 0}), calls_of_failure(stream_));
  // One function in both places is called twice.
  EXPECT_OK(aclrtSetExceptionInfoCallback(count<1>));
  EXPECT_EQ((Calls{0, 2, 0}), calls_of_failure(stream_));
}

TEST(AclrtExceptionInfoCallbackRegisterArguments, NeedsAFunction) {
  EXPECT_FAILS(107000, "EE1004", aclrtExceptionInfoCallbackRegister(nullptr));
}

}  // namespace
}  // namespace conformance::aclrtExceptionInfoCallbackRegister_test
