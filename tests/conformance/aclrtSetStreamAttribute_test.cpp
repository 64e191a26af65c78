// SPDX-License-Identifier: Apache-2.0
// aclrtSetStreamAttribute: sets what aclrtGetStreamAttribute returns.
#include "support/streams.h"

namespace conformance::aclrtSetStreamAttribute_test {
namespace {

using streams::Inside;
using streams::kBadArgument;
using streams::kBadHandle;
using streams::kBadValue;
using streams::kNoContext;
using streams::kNotSupported;
using streams::kOtherContext;
using streams::OtherContext;
using streams::Stream;

using AclrtSetStreamAttribute = WithStream;

aclrtStreamAttrValue attribute(aclrtStream stream, aclrtStreamAttr attr) {
  aclrtStreamAttrValue value{};
  EXPECT_OK(aclrtGetStreamAttribute(stream, attr, &value));
  return value;
}

TEST_F(AclrtSetStreamAttribute, SetsATag) {
  for (const uint32_t tag : {1u, 0u, 0x12345678u, UINT32_MAX}) {
    aclrtStreamAttrValue value{};
    value.userCustomTag = tag;
    EXPECT_OK(aclrtSetStreamAttribute(stream_, ACL_STREAM_ATTR_USER_CUSTOM_TAG, &value));
    EXPECT_EQ(tag, attribute(stream_, ACL_STREAM_ATTR_USER_CUSTOM_TAG).userCustomTag);
  }
}

TEST_F(AclrtSetStreamAttribute, SetsTheOverflowSwitch) {
  aclrtStreamAttrValue value{};
  value.overflowSwitch = 1;
  EXPECT_OK(aclrtSetStreamAttribute(stream_, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK, &value));
  uint32_t flag = 99;
  EXPECT_OK(aclrtGetStreamOverflowSwitch(stream_, &flag));
  EXPECT_EQ(1u, flag);
}

TEST_F(AclrtSetStreamAttribute, SetsTheSwitchForOperatorDetails) {
  aclrtStreamAttrValue value{};
  value.cacheOpInfoSwitch = 1;
  EXPECT_OK(aclrtSetStreamAttribute(stream_, ACL_STREAM_ATTR_CACHE_OP_INFO, &value));
  EXPECT_EQ(1u, attribute(stream_, ACL_STREAM_ATTR_CACHE_OP_INFO).cacheOpInfoSwitch);
}

TEST_F(AclrtSetStreamAttribute, SetsThePriority) {
  for (uint32_t priority = 0; priority < 8; ++priority) {
    aclrtStreamAttrValue value{};
    value.streamPriority = priority;
    EXPECT_OK(aclrtSetStreamAttribute(stream_, ACL_STREAM_ATTR_PRIORITY, &value));
    EXPECT_EQ(priority, attribute(stream_, ACL_STREAM_ATTR_PRIORITY).streamPriority);
  }
}

TEST_F(AclrtSetStreamAttribute, SetsTheFailureModeForTheWholeContext) {
  const OtherContext other;
  const Inside inside(other);
  const Stream first;
  const Stream second;
  aclrtStreamAttrValue value{};
  value.failureMode = ACL_STOP_ON_FAILURE;
  EXPECT_OK(aclrtSetStreamAttribute(first, ACL_STREAM_ATTR_FAILURE_MODE, &value));
  EXPECT_EQ(1u, attribute(first, ACL_STREAM_ATTR_FAILURE_MODE).failureMode);
  value.failureMode = ACL_CONTINUE_ON_FAILURE;
  EXPECT_FAILS(kNotSupported, "EE1016",
               aclrtSetStreamAttribute(first, ACL_STREAM_ATTR_FAILURE_MODE, &value));
  streams::BadCopy bad;
  EXPECT_OK(bad.queue(first));
  EXPECT_FAILS_WITH(streams::kTaskFailed, aclrtSynchronizeStream(first));
  EXPECT_FAILS_WITH(streams::kTaskFailed, aclrtSynchronizeStream(second));
  clear_errors();
}

TEST_F(AclrtSetStreamAttribute, RefusesTheFailureModeOfAStreamForTheDevice) {
  const Stream device_only(ACL_STREAM_DEVICE_USE_ONLY);
  aclrtStreamAttrValue value{};
  EXPECT_FAILS_WITH(kNotSupported,
                    aclrtSetStreamAttribute(device_only, ACL_STREAM_ATTR_FAILURE_MODE, &value));
}

TEST_F(AclrtSetStreamAttribute, KeepsTheAttributesOfEachStreamApart) {
  const Stream other;
  aclrtStreamAttrValue value{};
  value.userCustomTag = 5;
  EXPECT_OK(aclrtSetStreamAttribute(stream_, ACL_STREAM_ATTR_USER_CUSTOM_TAG, &value));
  EXPECT_EQ(0u, attribute(other, ACL_STREAM_ATTR_USER_CUSTOM_TAG).userCustomTag);
  EXPECT_EQ(0u, attribute(nullptr, ACL_STREAM_ATTR_USER_CUSTOM_TAG).userCustomTag);
  EXPECT_EQ(0u, attribute(stream_, ACL_STREAM_ATTR_CACHE_OP_INFO).cacheOpInfoSwitch);
}

TEST_F(AclrtSetStreamAttribute, TakesNullForTheDefaultStream) {
  aclrtStreamAttrValue value{};
  value.userCustomTag = 6;
  EXPECT_OK(aclrtSetStreamAttribute(nullptr, ACL_STREAM_ATTR_USER_CUSTOM_TAG, &value));
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCtxGetCurrentDefaultStream(&stream));
  EXPECT_EQ(6u, attribute(stream, ACL_STREAM_ATTR_USER_CUSTOM_TAG).userCustomTag);
}

TEST_F(AclrtSetStreamAttribute, RefusesNullFirst) {
  streams::WrongHandles wrong;
  const auto unknown = static_cast<aclrtStreamAttr>(0);
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtSetStreamAttribute(stream_, unknown, nullptr));
  EXPECT_FAILS(kBadArgument, "EH0008",
               aclrtSetStreamAttribute(wrong.dead_stream(), unknown, nullptr));
  on_new_thread([&] {
    EXPECT_FAILS(kBadArgument, "EH0008", aclrtSetStreamAttribute(stream_, unknown, nullptr));
  });
}

TEST_F(AclrtSetStreamAttribute, RefusesHandlesThatAreNoStreamNext) {
  streams::WrongHandles wrong;
  aclrtStreamAttrValue value{};
  for (void* handle : wrong.for_stream()) {
    EXPECT_FAILS(kBadHandle, "EE1017",
                 aclrtSetStreamAttribute(handle, ACL_STREAM_ATTR_PRIORITY, &value));
    EXPECT_FAILS(kBadHandle, "EE1017",
                 aclrtSetStreamAttribute(handle, static_cast<aclrtStreamAttr>(0), &value));
  }
}

TEST_F(AclrtSetStreamAttribute, RefusesUnknownAttributesBeforeItLooksForAContext) {
  aclrtStreamAttrValue value{};
  for (const int number : {0, 6, 7, 100, -1, INT32_MAX, INT32_MIN}) {
    const auto attr = static_cast<aclrtStreamAttr>(number);
    EXPECT_FAILS_WITH(kBadValue, aclrtSetStreamAttribute(stream_, attr, &value));
    on_new_thread(
        [&] { EXPECT_FAILS_WITH(kBadValue, aclrtSetStreamAttribute(stream_, attr, &value)); });
  }
}

TEST_F(AclrtSetStreamAttribute, NeedsTheContextOfTheStream) {
  aclrtStreamAttrValue value{};
  value.userCustomTag = 7;
  const auto attr = ACL_STREAM_ATTR_USER_CUSTOM_TAG;
  on_new_thread(
      [&] { EXPECT_FAILS(kNoContext, "EE1018", aclrtSetStreamAttribute(stream_, attr, &value)); });
  const OtherContext other;
  {
    const Inside inside(other);
    EXPECT_FAILS(kOtherContext, "EE1010", aclrtSetStreamAttribute(stream_, attr, &value));
  }
  EXPECT_EQ(0u, attribute(stream_, attr).userCustomTag);
}

TEST_F(AclrtSetStreamAttribute, SetsTheLastErrorOnlyForCodesOfTheRuntime) {
  aclrtStreamAttrValue value{};
  const auto attr = ACL_STREAM_ATTR_USER_CUSTOM_TAG;
  const auto unknown = static_cast<aclrtStreamAttr>(0);
  streams::expect_last_error_rules(
      [&] { return aclrtSetStreamAttribute(stream_, attr, nullptr); },
      [&] { return aclrtSetStreamAttribute(stream_, unknown, &value); },
      [&] { return aclrtSetStreamAttribute(stream_, attr, &value); });
}

TEST_F(AclrtSetStreamAttribute, WorksOnManyThreadsAtOnce) {
  streams::on_threads(4, [&](int thread) {
    const Stream own;
    for (uint32_t i = 0; i < 100; ++i) {
      aclrtStreamAttrValue value{};
      value.userCustomTag = static_cast<uint32_t>(thread) * 1000 + i;
      ASSERT_OK(aclrtSetStreamAttribute(own, ACL_STREAM_ATTR_USER_CUSTOM_TAG, &value));
      ASSERT_OK(aclrtSetStreamAttribute(stream_, ACL_STREAM_ATTR_USER_CUSTOM_TAG, &value));
      ASSERT_EQ(value.userCustomTag, attribute(own, ACL_STREAM_ATTR_USER_CUSTOM_TAG).userCustomTag);
    }
  });
}

}  // namespace
}  // namespace conformance::aclrtSetStreamAttribute_test
