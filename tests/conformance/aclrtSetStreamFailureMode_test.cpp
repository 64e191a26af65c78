// SPDX-License-Identifier: Apache-2.0
// aclrtSetStreamFailureMode: which modes can be set where. What a context does after a failure in
// stop mode is tested in aclrtSetStreamFailureMode_stop_test.cpp.
#include "support/streams.h"

namespace conformance::aclrtSetStreamFailureMode_test {
namespace {

using streams::Inside;
using streams::kBadHandle;
using streams::kBadValue;
using streams::kNoContext;
using streams::kNotSupported;
using streams::kOtherContext;
using streams::OtherContext;
using streams::Stream;

using AclrtSetStreamFailureMode = WithStream;

uint64_t mode_of(aclrtStream stream) {
  aclrtStreamAttrValue value{};
  value.failureMode = 99;
  EXPECT_OK(aclrtGetStreamAttribute(stream, ACL_STREAM_ATTR_FAILURE_MODE, &value));
  return value.failureMode;
}

TEST_F(AclrtSetStreamFailureMode, SetsModesAndSetsThemAgain) {
  EXPECT_EQ(0u, mode_of(stream_));
  EXPECT_OK(aclrtSetStreamFailureMode(stream_, ACL_CONTINUE_ON_FAILURE));
  EXPECT_OK(aclrtSetStreamFailureMode(stream_, ACL_CONTINUE_ON_FAILURE));
  EXPECT_EQ(0u, mode_of(stream_));
  EXPECT_OK(aclrtSetStreamFailureMode(stream_, ACL_STOP_ON_FAILURE));
  EXPECT_OK(aclrtSetStreamFailureMode(stream_, ACL_STOP_ON_FAILURE));
  EXPECT_EQ(1u, mode_of(stream_));
}

TEST_F(AclrtSetStreamFailureMode, LooksAtBit0Only) {
  for (const uint64_t mode : {uint64_t{2}, uint64_t{4}, uint64_t{1} << 63, UINT64_MAX - 1}) {
    EXPECT_OK(aclrtSetStreamFailureMode(stream_, mode));
    EXPECT_EQ(0u, mode_of(stream_)) << mode;
  }
  for (const uint64_t mode : {uint64_t{3}, uint64_t{5}, (uint64_t{1} << 63) + 1, UINT64_MAX}) {
    const OtherContext other;
    const Inside inside(other);
    const Stream stream;
    EXPECT_OK(aclrtSetStreamFailureMode(stream, mode));
    EXPECT_EQ(1u, mode_of(stream)) << mode;
  }
}

TEST_F(AclrtSetStreamFailureMode, DoesNotGoBackFromStopToContinue) {
  EXPECT_OK(aclrtSetStreamFailureMode(stream_, ACL_STOP_ON_FAILURE));
  for (const uint64_t mode : {uint64_t{0}, uint64_t{2}, UINT64_MAX - 1}) {
    EXPECT_FAILS(kNotSupported, "EE1016", aclrtSetStreamFailureMode(stream_, mode));
    EXPECT_EQ(1u, mode_of(stream_));
  }
}

TEST_F(AclrtSetStreamFailureMode, TakesNullForTheDefaultStream) {
  EXPECT_OK(aclrtSetStreamFailureMode(nullptr, ACL_CONTINUE_ON_FAILURE));
  EXPECT_OK(aclrtSetStreamFailureMode(nullptr, ACL_STOP_ON_FAILURE));
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCtxGetCurrentDefaultStream(&stream));
  EXPECT_EQ(1u, mode_of(stream));
  EXPECT_FAILS(kNotSupported, "EE1016", aclrtSetStreamFailureMode(stream, 0));
}

TEST_F(AclrtSetStreamFailureMode, RefusesHandlesThatAreNoStreamBeforeItLooksForAContext) {
  streams::WrongHandles wrong;
  for (void* handle : wrong.for_stream())
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtSetStreamFailureMode(handle, 0));
  on_new_thread([&] {
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtSetStreamFailureMode(wrong.dead_stream(), 0));
  });
}

TEST_F(AclrtSetStreamFailureMode, NeedsAContextAndTellsTheDefaultStreamApart) {
  on_new_thread([&] {
    EXPECT_FAILS_WITH(kBadValue, aclrtSetStreamFailureMode(nullptr, 0));
    EXPECT_FAILS(kNoContext, "EE1018", aclrtSetStreamFailureMode(stream_, 0));
  });
}

TEST_F(AclrtSetStreamFailureMode, RefusesAStreamOfAnotherContextBeforeItLooksAtTheStream) {
  const Stream device_only(ACL_STREAM_DEVICE_USE_ONLY);
  const OtherContext other;
  {
    const Inside inside(other);
    EXPECT_FAILS(kOtherContext, "EE1010", aclrtSetStreamFailureMode(stream_, 1));
    EXPECT_FAILS(kOtherContext, "EE1010", aclrtSetStreamFailureMode(device_only, 1));
  }
  EXPECT_EQ(0u, mode_of(stream_));
}

TEST_F(AclrtSetStreamFailureMode, RefusesStreamsForTheDevice) {
  const Stream device_only(ACL_STREAM_DEVICE_USE_ONLY);
  EXPECT_FAILS_WITH(kNotSupported, aclrtSetStreamFailureMode(device_only, 0));
  EXPECT_FAILS_WITH(kNotSupported, aclrtSetStreamFailureMode(device_only, 1));
}

TEST_F(AclrtSetStreamFailureMode, SetsTheLastErrorAndSuccessKeepsIt) {
  const Stream device_only(ACL_STREAM_DEVICE_USE_ONLY);
  streams::expect_last_error_rules(
      nullptr, [&] { return aclrtSetStreamFailureMode(device_only, 1); },
      [&] { return aclrtSetStreamFailureMode(stream_, 0); });
}

TEST_F(AclrtSetStreamFailureMode, CanBeSetWhileTheStreamIsBusyAndByManyThreads) {
  Gate gate(stream_);
  streams::on_threads(
      4, [&](int) { EXPECT_OK(aclrtSetStreamFailureMode(stream_, ACL_STOP_ON_FAILURE)); });
  EXPECT_EQ(1u, mode_of(stream_));
}

}  // namespace
}  // namespace conformance::aclrtSetStreamFailureMode_test
