// SPDX-License-Identifier: Apache-2.0
// aclrtSwitchStream: two numbers in device memory decide which stream goes on.
#include "support/built_models.h"

namespace conformance::aclrtSwitchStream_test {
namespace {

using namespace models;  // NOLINT(google-build-using-namespace): it is made for this

using AclrtSwitchStream = WithStream;

TEST_F(AclrtSwitchStream, ChecksInOrder) {
  BoundStream stream;
  BoundStream unbound;
  Building model;
  model.bind(stream);
  const DeviceNumber a;
  void* p = a.get();
  const auto bad_condition = static_cast<aclrtCondition>(6);
  const auto bad_type = static_cast<aclrtCompareDataType>(INT32_MAX);
  EXPECT_FAILS(
      kBadArgument, "EH0008",
      aclrtSwitchStream(nullptr, ACL_RT_EQUAL, p, ACL_RT_SWITCH_INT32, stream, nullptr, stream));
  EXPECT_FAILS(
      kBadArgument, "EH0008",
      aclrtSwitchStream(p, ACL_RT_EQUAL, nullptr, ACL_RT_SWITCH_INT32, stream, nullptr, stream));
  EXPECT_FAILS(
      kBadArgument, "EH0008",
      aclrtSwitchStream(p, ACL_RT_EQUAL, p, ACL_RT_SWITCH_INT32, nullptr, nullptr, stream));
  EXPECT_FAILS(
      kBadArgument, "EH0008",
      aclrtSwitchStream(p, ACL_RT_EQUAL, p, ACL_RT_SWITCH_INT32, stream, nullptr, nullptr));
  EXPECT_FAILS(kBadArgument, "EH0012",
               aclrtSwitchStream(p, bad_condition, p, ACL_RT_SWITCH_INT32, stream, stream, stream));
  EXPECT_FAILS_WITH(kBadValue,
                    aclrtSwitchStream(p, bad_condition, p, bad_type, unbound, nullptr, unbound));
  EXPECT_FAILS_WITH(kBadValue,
                    aclrtSwitchStream(p, ACL_RT_EQUAL, p, bad_type, unbound, nullptr, unbound));
  EXPECT_FAILS_WITH(
      kBound, aclrtSwitchStream(p, ACL_RT_EQUAL, p, ACL_RT_SWITCH_INT64, unbound, nullptr, stream));
  EXPECT_FAILS_WITH(
      kBound, aclrtSwitchStream(p, ACL_RT_EQUAL, p, ACL_RT_SWITCH_INT64, stream, nullptr, unbound));
  on_new_thread([&] {
    EXPECT_FAILS_WITH(kNoContext, aclrtSwitchStream(p, ACL_RT_EQUAL, p, ACL_RT_SWITCH_INT64, stream,
                                                    nullptr, stream));
  });
}

struct Case {
  aclrtCondition condition;
  int64_t left;
  int64_t right;
  bool holds;
};

TEST_F(AclrtSwitchStream, TakesTheOtherStreamIfTheComparisonHolds) {
  const Case cases[] = {
      {ACL_RT_EQUAL, 5, 5, true},
      {ACL_RT_EQUAL, 5, 6, false},
      {ACL_RT_NOT_EQUAL, 5, 6, true},
      {ACL_RT_NOT_EQUAL, 5, 5, false},
      {ACL_RT_GREATER, 6, 5, true},
      {ACL_RT_GREATER, 5, 5, false},
      {ACL_RT_GREATER_OR_EQUAL, 5, 5, true},
      {ACL_RT_GREATER_OR_EQUAL, -1, 5, false},
      {ACL_RT_LESS, -1, 5, true},
      {ACL_RT_LESS, 5, 5, false},
      {ACL_RT_LESS_OR_EQUAL, 5, 5, true},
      {ACL_RT_LESS_OR_EQUAL, 6, 5, false},
  };
  for (const auto type : {ACL_RT_SWITCH_INT32, ACL_RT_SWITCH_INT64}) {
    for (const Case& each : cases) {
      SCOPED_TRACE(each.condition);
      BoundStream head;
      BoundStream other;
      DeviceNumber left;
      DeviceNumber right;
      Mark rest;
      Mark taken;
      Building model;
      model.bind(head, kHead);
      model.bind(other, kActivated);
      EXPECT_OK(
          aclrtSwitchStream(left.get(), each.condition, right.get(), type, other, nullptr, head));
      EXPECT_OK(rest.queue(head));
      EXPECT_OK(aclmdlRIEndTask(model, head));
      EXPECT_OK(taken.queue(other));
      model.finish(other);
      for (int i = 0; i < 2; ++i) {
        left.set(static_cast<uint64_t>(each.left));
        right.set(static_cast<uint64_t>(each.right));
        model.run();
        EXPECT_EQ(each.holds, taken.is_reached());
        EXPECT_EQ(!each.holds, rest.is_reached());
      }
    }
  }
}

}  // namespace
}  // namespace conformance::aclrtSwitchStream_test
