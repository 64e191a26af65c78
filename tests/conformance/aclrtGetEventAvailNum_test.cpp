// SPDX-License-Identifier: Apache-2.0
// aclrtGetEventAvailNum: how many more events can be created. That this many really can be is
// tested with aclrtCreateEvent.
#include "support/streams.h"

namespace conformance::aclrtGetEventAvailNum_test {
namespace {

using streams::Event;
using streams::kBadArgument;
using streams::kNoContext;

using AclrtGetEventAvailNum = WithStream;

uint32_t available() {
  uint32_t count = UINT32_MAX;
  EXPECT_OK(aclrtGetEventAvailNum(&count));
  return count;
}

TEST_F(AclrtGetEventAvailNum, CountsEventsOfEveryKindDownAndUp) {
  const uint32_t before = available();
  EXPECT_LE(before, 65536u);
  {
    const Event plain = Event::plain();
    EXPECT_EQ(before - 1, available());
    const Event flag = Event::with_flag();
    EXPECT_EQ(before - 2, available());
    const Event ex = Event::ex();
    EXPECT_EQ(before - 3, available());
  }
  EXPECT_EQ(before, available());
}

TEST_F(AclrtGetEventAvailNum, CountsForTheDeviceAndNotForTheContext) {
  const Event event = Event::plain();
  const uint32_t before = available();
  const streams::OtherContext other;
  const streams::Inside inside(other);
  EXPECT_EQ(before, available());
  const Event another = Event::plain();
  EXPECT_EQ(before - 1, available());
}

TEST_F(AclrtGetEventAvailNum, IsNotChangedByRecords) {
  const Event event = Event::plain();
  const uint32_t before = available();
  for (int i = 0; i < 10; ++i)
    EXPECT_OK(aclrtRecordEvent(event, stream_));
  EXPECT_EQ(before, available());
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(before, available());
}

TEST_F(AclrtGetEventAvailNum, RefusesNullFirst) {
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtGetEventAvailNum(nullptr));
  on_new_thread([] { EXPECT_FAILS(kBadArgument, "EH0008", aclrtGetEventAvailNum(nullptr)); });
}

TEST_F(AclrtGetEventAvailNum, NeedsAContext) {
  on_new_thread([context = streams::current_context()] {
    uint32_t count = 0;
    EXPECT_FAILS(kNoContext, "EE1018", aclrtGetEventAvailNum(&count));
    streams::expect_last_error_rules([] { return aclrtGetEventAvailNum(nullptr); },
                                     [&] { return aclrtGetEventAvailNum(&count); },
                                     [&] { return aclrtSetCurrentContext(context); });
  });
}

TEST_F(AclrtGetEventAvailNum, StaysRightWithManyThreads) {
  const uint32_t before = available();
  streams::on_threads(4, [&](int) {
    for (int i = 0; i < 100; ++i) {
      const Event event = Event::plain();
      ASSERT_LT(available(), before);
    }
  });
  EXPECT_EQ(before, available());
}

FERRY_PROCESS_TEST(AclrtGetEventAvailNumProcess, SaysTheNumberOfEachDevice, "FERRY_DEVICES=cpu:2") {
  ASSERT_OK(aclrtSetDevice(0));
  EXPECT_EQ(65536u, available());
  const Event event = Event::plain();
  EXPECT_EQ(65535u, available());
  ASSERT_OK(aclrtSetDevice(1));
  EXPECT_EQ(65536u, available());
  EXPECT_OK(aclrtResetDevice(1));
  ASSERT_OK(aclrtSetDevice(0));
}

}  // namespace
}  // namespace conformance::aclrtGetEventAvailNum_test
