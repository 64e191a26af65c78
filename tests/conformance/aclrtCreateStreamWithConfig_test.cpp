// SPDX-License-Identifier: Apache-2.0
// aclrtCreateStreamWithConfig: priorities are clamped to the range, flags are kept or refused.
#include "support/streams.h"

namespace conformance::aclrtCreateStreamWithConfig_test {
namespace {

using streams::kBadArgument;
using streams::kBadValue;
using streams::kNoContext;
using streams::Mark;

constexpr uint32_t kAllKnown = 0x3F;

using AclrtCreateStreamWithConfig = WithDevice;

TEST_F(AclrtCreateStreamWithConfig, MakesAStreamThatRunsWorkWithEachHint) {
  for (const uint32_t flag : {0u, ACL_STREAM_FAST_LAUNCH, ACL_STREAM_FAST_SYNC, ACL_STREAM_HUGE,
                              ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC | ACL_STREAM_HUGE}) {
    aclrtStream stream = nullptr;
    ASSERT_OK(aclrtCreateStreamWithConfig(&stream, 3, flag));
    ASSERT_NE(nullptr, stream);
    Mark mark;
    EXPECT_OK(mark.queue(stream));
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_TRUE(mark.is_reached()) << "flag " << flag;
    EXPECT_OK(aclrtDestroyStream(stream));
  }
}

TEST_F(AclrtCreateStreamWithConfig, LimitsThePriorityToTheRange) {
  const struct {
    uint32_t given;
    uint32_t kept;
  } rows[] = {{0, 0}, {1, 1}, {6, 6}, {7, 7}, {8, 7}, {0x80000000u, 7}, {UINT32_MAX, 7}};
  for (const auto& row : rows) {
    aclrtStream stream = nullptr;
    ASSERT_OK(aclrtCreateStreamWithConfig(&stream, row.given, 0));
    uint32_t priority = 99;
    EXPECT_OK(aclrtStreamGetPriority(stream, &priority));
    EXPECT_EQ(row.kept, priority) << "given " << row.given;
    EXPECT_OK(aclrtDestroyStream(stream));
  }
}

TEST_F(AclrtCreateStreamWithConfig, KeepsKnownFlagsAndIgnoresOtherBits) {
  const struct {
    uint32_t given;
    uint32_t kept;
  } rows[] = {{0, 0},
              {ACL_STREAM_FAST_LAUNCH, 0x01},
              {ACL_STREAM_FAST_SYNC, 0x02},
              {ACL_STREAM_PERSISTENT, 0x04},
              {ACL_STREAM_HUGE, 0x08},
              {ACL_STREAM_CPU_SCHEDULE, 0x10},
              {ACL_STREAM_DEVICE_USE_ONLY, 0x20},
              {0x1F, 0x1F},
              {0x40, 0},
              {0x80000000u, 0},
              {~kAllKnown, 0},
              {~kAllKnown | ACL_STREAM_HUGE, 0x08},
              {~kAllKnown | ACL_STREAM_DEVICE_USE_ONLY, 0x20}};
  for (const auto& row : rows) {
    aclrtStream stream = nullptr;
    ASSERT_OK(aclrtCreateStreamWithConfig(&stream, 0, row.given)) << "flag " << row.given;
    uint32_t flags = 99;
    EXPECT_OK(aclrtStreamGetFlags(stream, &flags));
    EXPECT_EQ(row.kept, flags) << "given " << row.given;
    EXPECT_OK(aclrtDestroyStream(stream));
  }
}

TEST_F(AclrtCreateStreamWithConfig, RefusesDeviceUseOnlyTogetherWithAnyOtherFlag) {
  for (uint32_t others = 1; others < ACL_STREAM_DEVICE_USE_ONLY; ++others) {
    aclrtStream stream = nullptr;
    EXPECT_FAILS(kBadValue, "EE1006",
                 aclrtCreateStreamWithConfig(&stream, 0, ACL_STREAM_DEVICE_USE_ONLY | others));
  }
}

TEST_F(AclrtCreateStreamWithConfig, RefusesNullFirst) {
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtCreateStreamWithConfig(nullptr, 0, 0));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtCreateStreamWithConfig(nullptr, 0, 0x21));
  on_new_thread(
      [] { EXPECT_FAILS(kBadArgument, "EH0008", aclrtCreateStreamWithConfig(nullptr, 0, 0)); });
}

TEST_F(AclrtCreateStreamWithConfig, NeedsAContextAfterTheFlagsAreRight) {
  on_new_thread([] {
    aclrtStream stream = nullptr;
    EXPECT_FAILS(kBadValue, "EE1006", aclrtCreateStreamWithConfig(&stream, 0, 0x21));
    EXPECT_FAILS(kNoContext, "EE1018", aclrtCreateStreamWithConfig(&stream, 0, 0x20));
    EXPECT_FAILS(kNoContext, "EE1018", aclrtCreateStreamWithConfig(&stream, 99, 0));
  });
}

TEST_F(AclrtCreateStreamWithConfig, SetsTheLastErrorOnlyForCodesOfTheRuntime) {
  aclrtStream stream = nullptr;
  streams::expect_last_error_rules([] { return aclrtCreateStreamWithConfig(nullptr, 0, 0); },
                                   [&] { return aclrtCreateStreamWithConfig(&stream, 0, 0x21); },
                                   [&] { return aclrtCreateStreamWithConfig(&stream, 0, 0); });
  EXPECT_OK(aclrtDestroyStream(stream));
}

TEST_F(AclrtCreateStreamWithConfig, KeepsOrderWhateverThePriorities) {
  // A low-priority stream still runs, and a high-priority one still waits for its event.
  aclrtStream high = nullptr;
  aclrtStream low = nullptr;
  ASSERT_OK(aclrtCreateStreamWithConfig(&high, 0, 0));
  ASSERT_OK(aclrtCreateStreamWithConfig(&low, 7, 0));
  const streams::Event event = streams::Event::ex();
  Mark first;
  Mark second;
  {
    Gate gate(low);
    EXPECT_OK(first.queue(low));
    EXPECT_OK(aclrtRecordEvent(event, low));
    EXPECT_OK(aclrtStreamWaitEvent(high, event));
    EXPECT_OK(second.queue(high));
    EXPECT_FALSE(second.is_reached());
  }
  EXPECT_OK(aclrtSynchronizeStream(high));
  EXPECT_TRUE(first.is_reached());
  EXPECT_TRUE(second.is_reached());
  EXPECT_OK(aclrtDestroyStream(high));
  EXPECT_OK(aclrtDestroyStream(low));
}

TEST_F(AclrtCreateStreamWithConfig, WorksOnManyThreadsAtOnce) {
  streams::on_threads(4, [](int thread) {
    for (uint32_t i = 0; i < 50; ++i) {
      aclrtStream stream = nullptr;
      ASSERT_OK(aclrtCreateStreamWithConfig(&stream, i, static_cast<uint32_t>(thread)));
      uint32_t flags = 99;
      EXPECT_OK(aclrtStreamGetFlags(stream, &flags));
      EXPECT_EQ(static_cast<uint32_t>(thread), flags);
      EXPECT_OK(aclrtDestroyStream(stream));
    }
  });
}

}  // namespace
}  // namespace conformance::aclrtCreateStreamWithConfig_test
