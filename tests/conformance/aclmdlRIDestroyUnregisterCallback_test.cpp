// SPDX-License-Identifier: Apache-2.0
// aclmdlRIDestroyUnregisterCallback: the function is not called any more.
#include "support/models.h"

namespace conformance::aclmdlRIDestroyUnregisterCallback_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

using AclmdlRIDestroyUnregisterCallback = WithStream;

TEST_F(AclmdlRIDestroyUnregisterCallback, ChecksInOrder) {
  const Model model = capture(stream_, [] {});
  EXPECT_FAILS(kBadValue, "EE1004", aclmdlRIDestroyUnregisterCallback(nullptr, nullptr));
  EXPECT_FAILS_WITH(kBadHandle,
                    aclmdlRIDestroyUnregisterCallback(dead_model(stream_), Counter::count));
  EXPECT_FAILS_WITH(kBadValue, aclmdlRIDestroyUnregisterCallback(model, nullptr));
  EXPECT_FAILS_WITH(kBadValue, aclmdlRIDestroyUnregisterCallback(model, Counter::count));
}

TEST_F(AclmdlRIDestroyUnregisterCallback, TheFunctionIsNotCalled) {
  Counter counter;
  Model model = capture(stream_, [] {});
  EXPECT_OK(aclmdlRIDestroyRegisterCallback(model, Counter::count, &counter));
  EXPECT_OK(aclmdlRIDestroyUnregisterCallback(model, Counter::count));
  EXPECT_FAILS_WITH(kBadValue, aclmdlRIDestroyUnregisterCallback(model, Counter::count));
  EXPECT_OK(aclmdlRIDestroyRegisterCallback(model, Counter::count, &counter));
  EXPECT_OK(aclmdlRIDestroy(model.release()));
  EXPECT_EQ(1, counter.calls());
}

}  // namespace
}  // namespace conformance::aclmdlRIDestroyUnregisterCallback_test
