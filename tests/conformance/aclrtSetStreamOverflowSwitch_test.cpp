// SPDX-License-Identifier: Apache-2.0
// aclrtSetStreamOverflowSwitch: a per-stream switch that is stored.
#include "support/streams.h"

namespace conformance::aclrtSetStreamOverflowSwitch_test {
namespace {

using streams::Inside;
using streams::kBadHandle;
using streams::kBadValue;
using streams::kNoContext;
using streams::kOtherContext;
using streams::OtherContext;
using streams::Stream;

using AclrtSetStreamOverflowSwitch = WithStream;

uint32_t switch_of(aclrtStream stream) {
  uint32_t flag = 99;
  EXPECT_OK(aclrtGetStreamOverflowSwitch(stream, &flag));
  return flag;
}

TEST_F(AclrtSetStreamOverflowSwitch, KeepsTheSwitchOfEachStream) {
  const Stream other;
  EXPECT_OK(aclrtSetStreamOverflowSwitch(stream_, 1));
  EXPECT_EQ(1u, switch_of(stream_));
  EXPECT_EQ(0u, switch_of(other));
  EXPECT_EQ(0u, switch_of(nullptr));
  EXPECT_OK(aclrtSetStreamOverflowSwitch(stream_, 1));
  EXPECT_OK(aclrtSetStreamOverflowSwitch(stream_, 0));
  EXPECT_EQ(0u, switch_of(stream_));
}

TEST_F(AclrtSetStreamOverflowSwitch, TakesNullForTheDefaultStream) {
  EXPECT_OK(aclrtSetStreamOverflowSwitch(nullptr, 1));
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCtxGetCurrentDefaultStream(&stream));
  EXPECT_EQ(1u, switch_of(stream));
  EXPECT_EQ(0u, switch_of(stream_));
}

TEST_F(AclrtSetStreamOverflowSwitch, HasNoEffectOnCopies) {
  EXPECT_OK(aclrtSetStreamOverflowSwitch(stream_, 1));
  streams::Mark mark;
  EXPECT_OK(mark.queue(stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_TRUE(mark.is_reached());
}

TEST_F(AclrtSetStreamOverflowSwitch, RefusesHandlesThatAreNoStreamFirst) {
  streams::WrongHandles wrong;
  for (void* handle : wrong.for_stream()) {
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtSetStreamOverflowSwitch(handle, 1));
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtSetStreamOverflowSwitch(handle, 2));
  }
  on_new_thread([&] {
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtSetStreamOverflowSwitch(wrong.dead_stream(), 1));
  });
}

TEST_F(AclrtSetStreamOverflowSwitch, RefusesOtherValuesBeforeItLooksForAContext) {
  for (const uint32_t flag : {2u, 3u, 0x80000000u, UINT32_MAX}) {
    EXPECT_FAILS_WITH(kBadValue, aclrtSetStreamOverflowSwitch(stream_, flag));
    EXPECT_EQ(0u, switch_of(stream_));
    on_new_thread(
        [&] { EXPECT_FAILS_WITH(kBadValue, aclrtSetStreamOverflowSwitch(stream_, flag)); });
  }
}

TEST_F(AclrtSetStreamOverflowSwitch, NeedsTheContextOfTheStream) {
  on_new_thread([&] {
    EXPECT_FAILS(kNoContext, "EE1018", aclrtSetStreamOverflowSwitch(stream_, 1));
    EXPECT_FAILS(kNoContext, "EE1018", aclrtSetStreamOverflowSwitch(nullptr, 1));
  });
  const OtherContext other;
  {
    const Inside inside(other);
    EXPECT_FAILS(kOtherContext, "EE1010", aclrtSetStreamOverflowSwitch(stream_, 1));
  }
  EXPECT_EQ(0u, switch_of(stream_));
}

TEST_F(AclrtSetStreamOverflowSwitch, SetsTheLastErrorAndSuccessKeepsIt) {
  streams::expect_last_error_rules(
      nullptr, [&] { return aclrtSetStreamOverflowSwitch(stream_, 2); },
      [&] { return aclrtSetStreamOverflowSwitch(stream_, 1); });
}

TEST_F(AclrtSetStreamOverflowSwitch, WorksOnManyThreadsAtOnce) {
  streams::on_threads(4, [&](int thread) {
    const Stream own;
    for (int i = 0; i < 100; ++i) {
      const auto flag = static_cast<uint32_t>((thread + i) % 2);
      ASSERT_OK(aclrtSetStreamOverflowSwitch(own, flag));
      ASSERT_OK(aclrtSetStreamOverflowSwitch(stream_, flag));
      ASSERT_EQ(flag, switch_of(own));
    }
  });
}

}  // namespace
}  // namespace conformance::aclrtSetStreamOverflowSwitch_test
