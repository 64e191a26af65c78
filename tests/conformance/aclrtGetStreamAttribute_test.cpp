// SPDX-License-Identifier: Apache-2.0
// aclrtGetStreamAttribute: reads the attributes of a stream, set or not.
#include "support/streams.h"

namespace conformance::aclrtGetStreamAttribute_test {
namespace {

using streams::Inside;
using streams::kBadArgument;
using streams::kBadHandle;
using streams::kBadValue;
using streams::kNoContext;
using streams::kOtherContext;
using streams::OtherContext;

using AclrtGetStreamAttribute = WithStream;

TEST_F(AclrtGetStreamAttribute, ReadsZerosFromANewStream) {
  for (const int number : {1, 2, 3, 4, 5}) {
    aclrtStreamAttrValue value;
    value.failureMode = 0x1111111111111111;
    EXPECT_OK(aclrtGetStreamAttribute(stream_, static_cast<aclrtStreamAttr>(number), &value));
    EXPECT_EQ(0u, number == ACL_STREAM_ATTR_FAILURE_MODE ? value.failureMode : value.reserve[0])
        << "attribute " << number;
  }
}

TEST_F(AclrtGetStreamAttribute, ReadsThePriorityAStreamWasMadeWith) {
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCreateStreamWithConfig(&stream, 5, 0));
  aclrtStreamAttrValue value{};
  EXPECT_OK(aclrtGetStreamAttribute(stream, ACL_STREAM_ATTR_PRIORITY, &value));
  EXPECT_EQ(5u, value.streamPriority);
  EXPECT_OK(aclrtDestroyStream(stream));
}

TEST_F(AclrtGetStreamAttribute, ReadsWhatTheOtherCallsSet) {
  aclrtStreamAttrValue value{};
  EXPECT_OK(aclrtSetStreamOverflowSwitch(stream_, 1));
  EXPECT_OK(aclrtGetStreamAttribute(stream_, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK, &value));
  EXPECT_EQ(1u, value.overflowSwitch);
  EXPECT_OK(aclrtSetStreamFailureMode(stream_, ACL_STOP_ON_FAILURE));
  EXPECT_OK(aclrtGetStreamAttribute(stream_, ACL_STREAM_ATTR_FAILURE_MODE, &value));
  EXPECT_EQ(1u, value.failureMode);
}

TEST_F(AclrtGetStreamAttribute, TakesNullForTheDefaultStream) {
  aclrtStreamAttrValue value{};
  value.userCustomTag = 9;
  EXPECT_OK(aclrtSetStreamAttribute(nullptr, ACL_STREAM_ATTR_USER_CUSTOM_TAG, &value));
  value.userCustomTag = 0;
  EXPECT_OK(aclrtGetStreamAttribute(nullptr, ACL_STREAM_ATTR_USER_CUSTOM_TAG, &value));
  EXPECT_EQ(9u, value.userCustomTag);
}

TEST_F(AclrtGetStreamAttribute, RefusesNullFirst) {
  streams::WrongHandles wrong;
  const auto unknown = static_cast<aclrtStreamAttr>(0);
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtGetStreamAttribute(stream_, unknown, nullptr));
  EXPECT_FAILS(kBadArgument, "EH0008",
               aclrtGetStreamAttribute(wrong.dead_stream(), unknown, nullptr));
  on_new_thread([&] {
    EXPECT_FAILS(kBadArgument, "EH0008", aclrtGetStreamAttribute(stream_, unknown, nullptr));
  });
}

TEST_F(AclrtGetStreamAttribute, RefusesHandlesThatAreNoStreamNext) {
  streams::WrongHandles wrong;
  aclrtStreamAttrValue value{};
  for (void* handle : wrong.for_stream()) {
    EXPECT_FAILS(kBadHandle, "EE1017",
                 aclrtGetStreamAttribute(handle, ACL_STREAM_ATTR_PRIORITY, &value));
    EXPECT_FAILS(kBadHandle, "EE1017",
                 aclrtGetStreamAttribute(handle, static_cast<aclrtStreamAttr>(0), &value));
  }
}

TEST_F(AclrtGetStreamAttribute, RefusesUnknownAttributesBeforeItLooksForAContext) {
  aclrtStreamAttrValue value{};
  for (const int number : {0, 6, 7, 100, -1, INT32_MAX, INT32_MIN}) {
    const auto attr = static_cast<aclrtStreamAttr>(number);
    EXPECT_FAILS_WITH(kBadValue, aclrtGetStreamAttribute(stream_, attr, &value));
    on_new_thread(
        [&] { EXPECT_FAILS_WITH(kBadValue, aclrtGetStreamAttribute(stream_, attr, &value)); });
  }
}

TEST_F(AclrtGetStreamAttribute, NeedsTheContextOfTheStream) {
  aclrtStreamAttrValue value{};
  const auto attr = ACL_STREAM_ATTR_USER_CUSTOM_TAG;
  on_new_thread(
      [&] { EXPECT_FAILS(kNoContext, "EE1018", aclrtGetStreamAttribute(stream_, attr, &value)); });
  const OtherContext other;
  const Inside inside(other);
  EXPECT_FAILS(kOtherContext, "EE1010", aclrtGetStreamAttribute(stream_, attr, &value));
}

TEST_F(AclrtGetStreamAttribute, SetsTheLastErrorOnlyForCodesOfTheRuntime) {
  aclrtStreamAttrValue value{};
  const auto attr = ACL_STREAM_ATTR_USER_CUSTOM_TAG;
  const auto unknown = static_cast<aclrtStreamAttr>(0);
  streams::expect_last_error_rules(
      [&] { return aclrtGetStreamAttribute(stream_, attr, nullptr); },
      [&] { return aclrtGetStreamAttribute(stream_, unknown, &value); },
      [&] { return aclrtGetStreamAttribute(stream_, attr, &value); });
}

}  // namespace
}  // namespace conformance::aclrtGetStreamAttribute_test
