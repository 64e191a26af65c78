// SPDX-License-Identifier: Apache-2.0
// aclrtGetStreamAvailableNum: how many more streams can be created. That this many really can be is
// tested with aclrtCreateStream.
#include "support/streams.h"

namespace conformance::aclrtGetStreamAvailableNum_test {
namespace {

using streams::kBadArgument;
using streams::kNoContext;
using streams::OtherContext;
using streams::Stream;

using AclrtGetStreamAvailableNum = WithDevice;

uint32_t available() {
  uint32_t count = UINT32_MAX;
  EXPECT_OK(aclrtGetStreamAvailableNum(&count));
  return count;
}

TEST_F(AclrtGetStreamAvailableNum, CountsStreamsDownAndUp) {
  const uint32_t before = available();
  EXPECT_LE(before, 1983u);
  {
    const Stream first;
    EXPECT_EQ(before - 1, available());
    const Stream second(ACL_STREAM_DEVICE_USE_ONLY);
    EXPECT_EQ(before - 2, available());
  }
  EXPECT_EQ(before, available());
}

TEST_F(AclrtGetStreamAvailableNum, CountsTheDefaultStreamsOfContexts) {
  const uint32_t before = available();
  {
    const OtherContext other;
    EXPECT_EQ(before - 1, available());
    const streams::Inside inside(other);
    EXPECT_EQ(before - 1, available()) << "the count is per device, not per context";
  }
  EXPECT_EQ(before, available());
}

TEST_F(AclrtGetStreamAvailableNum, RefusesNullFirst) {
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtGetStreamAvailableNum(nullptr));
  on_new_thread([] { EXPECT_FAILS(kBadArgument, "EH0008", aclrtGetStreamAvailableNum(nullptr)); });
}

TEST_F(AclrtGetStreamAvailableNum, NeedsAContext) {
  on_new_thread([context = streams::current_context()] {
    uint32_t count = 0;
    EXPECT_FAILS(kNoContext, "EE1018", aclrtGetStreamAvailableNum(&count));
    streams::expect_last_error_rules([] { return aclrtGetStreamAvailableNum(nullptr); },
                                     [&] { return aclrtGetStreamAvailableNum(&count); },
                                     [&] { return aclrtSetCurrentContext(context); });
  });
}

TEST_F(AclrtGetStreamAvailableNum, StaysRightWithManyThreads) {
  const uint32_t before = available();
  streams::on_threads(4, [&](int) {
    for (int i = 0; i < 50; ++i) {
      const Stream stream;
      ASSERT_LT(available(), before);
    }
  });
  EXPECT_EQ(before, available());
}

FERRY_PROCESS_TEST(AclrtGetStreamAvailableNumProcess, SaysTheNumberOfEachDevice,
                   "FERRY_DEVICES=cpu:2") {
  ASSERT_OK(aclrtSetDevice(0));
  EXPECT_EQ(1983u, available());
  const Stream stream;
  EXPECT_EQ(1982u, available());
  ASSERT_OK(aclrtSetDevice(1));
  EXPECT_EQ(1983u, available());
  EXPECT_OK(aclrtResetDevice(1));
  ASSERT_OK(aclrtSetDevice(0));
}

}  // namespace
}  // namespace conformance::aclrtGetStreamAvailableNum_test
