// SPDX-License-Identifier: Apache-2.0
// aclrtGetStreamOverflowSwitch: returns the switch of aclrtSetStreamOverflowSwitch.
#include "support/streams.h"

namespace conformance::aclrtGetStreamOverflowSwitch_test {
namespace {

using streams::Inside;
using streams::kBadArgument;
using streams::kBadHandle;
using streams::kNoContext;
using streams::kOtherContext;
using streams::OtherContext;

using AclrtGetStreamOverflowSwitch = WithStream;

TEST_F(AclrtGetStreamOverflowSwitch, SaysOffAtFirstAndThenWhatWasSet) {
  uint32_t flag = 99;
  EXPECT_OK(aclrtGetStreamOverflowSwitch(stream_, &flag));
  EXPECT_EQ(0u, flag);
  EXPECT_OK(aclrtSetStreamOverflowSwitch(stream_, 1));
  EXPECT_OK(aclrtGetStreamOverflowSwitch(stream_, &flag));
  EXPECT_EQ(1u, flag);
}

TEST_F(AclrtGetStreamOverflowSwitch, TakesNullForTheDefaultStream) {
  uint32_t flag = 99;
  EXPECT_OK(aclrtGetStreamOverflowSwitch(nullptr, &flag));
  EXPECT_EQ(0u, flag);
  EXPECT_OK(aclrtSetStreamOverflowSwitch(nullptr, 1));
  EXPECT_OK(aclrtGetStreamOverflowSwitch(nullptr, &flag));
  EXPECT_EQ(1u, flag);
}

TEST_F(AclrtGetStreamOverflowSwitch, AgreesWithTheAttribute) {
  EXPECT_OK(aclrtSetStreamOverflowSwitch(stream_, 1));
  aclrtStreamAttrValue value{};
  EXPECT_OK(aclrtGetStreamAttribute(stream_, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK, &value));
  EXPECT_EQ(1u, value.overflowSwitch);
}

TEST_F(AclrtGetStreamOverflowSwitch, RefusesNullFirst) {
  streams::WrongHandles wrong;
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtGetStreamOverflowSwitch(stream_, nullptr));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtGetStreamOverflowSwitch(wrong.dead_stream(), nullptr));
  on_new_thread(
      [] { EXPECT_FAILS(kBadArgument, "EH0008", aclrtGetStreamOverflowSwitch(nullptr, nullptr)); });
}

TEST_F(AclrtGetStreamOverflowSwitch, RefusesHandlesThatAreNoStreamBeforeItLooksForAContext) {
  streams::WrongHandles wrong;
  uint32_t flag = 99;
  for (void* handle : wrong.for_stream())
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtGetStreamOverflowSwitch(handle, &flag));
  on_new_thread([&] {
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtGetStreamOverflowSwitch(wrong.dead_stream(), &flag));
  });
}

TEST_F(AclrtGetStreamOverflowSwitch, NeedsTheContextOfTheStream) {
  uint32_t flag = 99;
  on_new_thread([&] {
    EXPECT_FAILS(kNoContext, "EE1018", aclrtGetStreamOverflowSwitch(stream_, &flag));
    EXPECT_FAILS(kNoContext, "EE1018", aclrtGetStreamOverflowSwitch(nullptr, &flag));
  });
  const OtherContext other;
  const Inside inside(other);
  EXPECT_FAILS(kOtherContext, "EE1010", aclrtGetStreamOverflowSwitch(stream_, &flag));
}

TEST_F(AclrtGetStreamOverflowSwitch, SetsTheLastErrorOnlyForCodesOfTheRuntime) {
  streams::WrongHandles wrong;
  uint32_t flag = 99;
  streams::expect_last_error_rules(
      [&] { return aclrtGetStreamOverflowSwitch(stream_, nullptr); },
      [&] { return aclrtGetStreamOverflowSwitch(wrong.dead_stream(), &flag); },
      [&] { return aclrtGetStreamOverflowSwitch(stream_, &flag); });
}

}  // namespace
}  // namespace conformance::aclrtGetStreamOverflowSwitch_test
