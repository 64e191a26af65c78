// SPDX-License-Identifier: Apache-2.0
// aclmdlRIDestroyRegisterCallback: functions that aclmdlRIDestroy calls.
#include "support/models.h"

namespace conformance::aclmdlRIDestroyRegisterCallback_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

using AclmdlRIDestroyRegisterCallback = WithStream;

TEST_F(AclmdlRIDestroyRegisterCallback, ChecksInOrder) {
  const Model model = capture(stream_, [] {});
  EXPECT_FAILS(kBadValue, "EE1004", aclmdlRIDestroyRegisterCallback(nullptr, nullptr, nullptr));
  EXPECT_FAILS_WITH(kBadHandle,
                    aclmdlRIDestroyRegisterCallback(dead_model(stream_), Counter::count, nullptr));
  EXPECT_FAILS(kBadValue, "EE1004", aclmdlRIDestroyRegisterCallback(model, nullptr, nullptr));
}

TEST_F(AclmdlRIDestroyRegisterCallback, CallsEachFunctionOnceOnTheDestroyingThread) {
  Counter counter;
  static thread_local int calls_here = 0;
  calls_here = 0;
  Model model = capture(stream_, [] {});
  EXPECT_OK(aclmdlRIDestroyRegisterCallback(model, Counter::count, &counter));
  EXPECT_OK(aclmdlRIDestroyRegisterCallback(
      model, [](void*) { ++calls_here; }, nullptr));
  EXPECT_FAILS_WITH(kBadValue, aclmdlRIDestroyRegisterCallback(model, Counter::count, nullptr));
  EXPECT_EQ(0, counter.calls());
  EXPECT_OK(aclmdlRIDestroy(model.release()));
  EXPECT_EQ(1, counter.calls());
  EXPECT_EQ(1, calls_here);
}

TEST_F(AclmdlRIDestroyRegisterCallback, TheEndOfAContextCallsNothing) {
  Counter counter;
  OtherContext other;
  {
    const streams::Inside inside(other);
    Stream stream;
    Model model = capture(stream, [] {});
    EXPECT_OK(aclmdlRIDestroyRegisterCallback(model, Counter::count, &counter));
    static_cast<void>(model.release());
    static_cast<void>(stream.release());
  }
  EXPECT_OK(aclrtDestroyContext(other.release()));
  EXPECT_EQ(0, counter.calls());
}

}  // namespace
}  // namespace conformance::aclmdlRIDestroyRegisterCallback_test
