// SPDX-License-Identifier: Apache-2.0
// aclrtDeviceGetStreamPriorityRange: 0 is the highest priority, 7 the lowest.
#include "support/streams.h"

namespace conformance::aclrtDeviceGetStreamPriorityRange_test {
namespace {

using streams::kNoContext;

using AclrtDeviceGetStreamPriorityRange = WithDevice;

TEST_F(AclrtDeviceGetStreamPriorityRange, TellsBothEnds) {
  int32_t least = -1;
  int32_t greatest = -1;
  EXPECT_OK(aclrtDeviceGetStreamPriorityRange(&least, &greatest));
  EXPECT_EQ(7, least);
  EXPECT_EQ(0, greatest);
}

TEST_F(AclrtDeviceGetStreamPriorityRange, TakesNullForEither) {
  int32_t least = -1;
  int32_t greatest = -1;
  EXPECT_OK(aclrtDeviceGetStreamPriorityRange(&least, nullptr));
  EXPECT_OK(aclrtDeviceGetStreamPriorityRange(nullptr, &greatest));
  EXPECT_OK(aclrtDeviceGetStreamPriorityRange(nullptr, nullptr));
  EXPECT_EQ(7, least);
  EXPECT_EQ(0, greatest);
}

TEST_F(AclrtDeviceGetStreamPriorityRange, TellsTheRangeInAnotherContext) {
  const streams::OtherContext other;
  const streams::Inside inside(other);
  int32_t least = -1;
  EXPECT_OK(aclrtDeviceGetStreamPriorityRange(&least, nullptr));
  EXPECT_EQ(7, least);
}

TEST_F(AclrtDeviceGetStreamPriorityRange, NeedsAContext) {
  on_new_thread([context = streams::current_context()] {
    int32_t least = -1;
    int32_t greatest = -1;
    EXPECT_FAILS(kNoContext, "EE1018", aclrtDeviceGetStreamPriorityRange(&least, &greatest));
    EXPECT_FAILS(kNoContext, "EE1018", aclrtDeviceGetStreamPriorityRange(nullptr, nullptr));
    streams::expect_last_error_rules(
        nullptr, [&] { return aclrtDeviceGetStreamPriorityRange(&least, &greatest); },
        [&] { return aclrtSetCurrentContext(context); });
  });
}

TEST_F(AclrtDeviceGetStreamPriorityRange, WorksOnManyThreadsAtOnce) {
  streams::on_threads(4, [](int) {
    int32_t least = -1;
    EXPECT_OK(aclrtDeviceGetStreamPriorityRange(&least, nullptr));
    EXPECT_EQ(7, least);
  });
}

}  // namespace
}  // namespace conformance::aclrtDeviceGetStreamPriorityRange_test
