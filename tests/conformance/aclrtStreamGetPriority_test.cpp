// SPDX-License-Identifier: Apache-2.0
// aclrtStreamGetPriority: returns the priority a stream was created with.
#include "support/streams.h"

namespace conformance::aclrtStreamGetPriority_test {
namespace {

using streams::Inside;
using streams::kBadArgument;
using streams::kBadHandle;
using streams::kNoContext;
using streams::OtherContext;

using AclrtStreamGetPriority = WithStream;

TEST_F(AclrtStreamGetPriority, TellsThePriorityAStreamWasMadeWith) {
  for (uint32_t given = 0; given < 8; ++given) {
    aclrtStream stream = nullptr;
    ASSERT_OK(aclrtCreateStreamWithConfig(&stream, given, 0));
    uint32_t priority = 99;
    EXPECT_OK(aclrtStreamGetPriority(stream, &priority));
    EXPECT_EQ(given, priority);
    EXPECT_OK(aclrtDestroyStream(stream));
  }
}

TEST_F(AclrtStreamGetPriority, TellsTheSameWhileTheStreamIsBusy) {
  Gate gate(stream_);
  uint32_t priority = 99;
  EXPECT_OK(aclrtStreamGetPriority(stream_, &priority));
  EXPECT_EQ(0u, priority);
}

TEST_F(AclrtStreamGetPriority, TellsAPriorityOfTheRangeForTheDefaultStream) {
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCtxGetCurrentDefaultStream(&stream));
  uint32_t by_handle = 99;
  uint32_t by_null = 98;
  EXPECT_OK(aclrtStreamGetPriority(stream, &by_handle));
  EXPECT_OK(aclrtStreamGetPriority(nullptr, &by_null));
  EXPECT_EQ(by_handle, by_null);
  EXPECT_LE(by_null, 7u);
}

TEST_F(AclrtStreamGetPriority, NeedsAContextForTheDefaultStreamOnly) {
  on_new_thread([&] {
    uint32_t priority = 99;
    EXPECT_OK(aclrtStreamGetPriority(stream_, &priority));
    EXPECT_EQ(0u, priority);
    EXPECT_FAILS(kNoContext, "EE1018", aclrtStreamGetPriority(nullptr, &priority));
  });
  const OtherContext other;
  const Inside inside(other);
  uint32_t priority = 99;
  EXPECT_OK(aclrtStreamGetPriority(stream_, &priority));
  EXPECT_EQ(0u, priority);
}

TEST_F(AclrtStreamGetPriority, RefusesNullFirst) {
  streams::WrongHandles wrong;
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtStreamGetPriority(stream_, nullptr));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtStreamGetPriority(wrong.dead_stream(), nullptr));
  on_new_thread(
      [] { EXPECT_FAILS(kBadArgument, "EH0008", aclrtStreamGetPriority(nullptr, nullptr)); });
}

TEST_F(AclrtStreamGetPriority, RefusesHandlesThatAreNoStream) {
  streams::WrongHandles wrong;
  uint32_t priority = 99;
  for (void* handle : wrong.for_stream())
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtStreamGetPriority(handle, &priority));
  on_new_thread([&] {
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtStreamGetPriority(wrong.dead_stream(), &priority));
  });
}

TEST_F(AclrtStreamGetPriority, SetsTheLastErrorOnlyForCodesOfTheRuntime) {
  streams::WrongHandles wrong;
  uint32_t priority = 99;
  streams::expect_last_error_rules(
      [&] { return aclrtStreamGetPriority(stream_, nullptr); },
      [&] { return aclrtStreamGetPriority(wrong.dead_stream(), &priority); },
      [&] { return aclrtStreamGetPriority(stream_, &priority); });
}

}  // namespace
}  // namespace conformance::aclrtStreamGetPriority_test
