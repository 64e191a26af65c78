// SPDX-License-Identifier: Apache-2.0
// aclrtStreamGetFlags: returns the flags a stream was created with.
#include "support/streams.h"

namespace conformance::aclrtStreamGetFlags_test {
namespace {

using streams::Inside;
using streams::kBadArgument;
using streams::kBadHandle;
using streams::kNoContext;
using streams::OtherContext;

using AclrtStreamGetFlags = WithStream;

TEST_F(AclrtStreamGetFlags, TellsTheFlagsAStreamWasMadeWith) {
  for (const uint32_t given : {0x0u, 0x1u, 0x2u, 0x4u, 0x8u, 0x10u, 0x20u, 0xBu, 0x1Fu}) {
    aclrtStream stream = nullptr;
    ASSERT_OK(aclrtCreateStreamWithConfig(&stream, 0, given));
    uint32_t flags = 99;
    EXPECT_OK(aclrtStreamGetFlags(stream, &flags));
    EXPECT_EQ(given, flags);
    EXPECT_OK(aclrtDestroyStream(stream));
  }
}

TEST_F(AclrtStreamGetFlags, TellsTheSameWhileTheStreamIsBusy) {
  Gate gate(stream_);
  uint32_t flags = 99;
  EXPECT_OK(aclrtStreamGetFlags(stream_, &flags));
  EXPECT_EQ(0u, flags);
}

TEST_F(AclrtStreamGetFlags, TakesNullForTheDefaultStream) {
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCtxGetCurrentDefaultStream(&stream));
  uint32_t by_handle = 99;
  uint32_t by_null = 98;
  EXPECT_OK(aclrtStreamGetFlags(stream, &by_handle));
  EXPECT_OK(aclrtStreamGetFlags(nullptr, &by_null));
  EXPECT_EQ(by_handle, by_null);
}

TEST_F(AclrtStreamGetFlags, NeedsAContextForTheDefaultStreamOnly) {
  on_new_thread([&] {
    uint32_t flags = 99;
    EXPECT_OK(aclrtStreamGetFlags(stream_, &flags));
    EXPECT_EQ(0u, flags);
    EXPECT_FAILS(kNoContext, "EE1018", aclrtStreamGetFlags(nullptr, &flags));
  });
  const OtherContext other;
  const Inside inside(other);
  uint32_t flags = 99;
  EXPECT_OK(aclrtStreamGetFlags(stream_, &flags));
  EXPECT_EQ(0u, flags);
}

TEST_F(AclrtStreamGetFlags, RefusesNullFirst) {
  streams::WrongHandles wrong;
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtStreamGetFlags(stream_, nullptr));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtStreamGetFlags(wrong.dead_stream(), nullptr));
  on_new_thread(
      [] { EXPECT_FAILS(kBadArgument, "EH0008", aclrtStreamGetFlags(nullptr, nullptr)); });
}

TEST_F(AclrtStreamGetFlags, RefusesHandlesThatAreNoStream) {
  streams::WrongHandles wrong;
  uint32_t flags = 99;
  for (void* handle : wrong.for_stream())
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtStreamGetFlags(handle, &flags));
  on_new_thread([&] {
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtStreamGetFlags(wrong.dead_stream(), &flags));
  });
}

TEST_F(AclrtStreamGetFlags, SetsTheLastErrorOnlyForCodesOfTheRuntime) {
  streams::WrongHandles wrong;
  uint32_t flags = 99;
  streams::expect_last_error_rules([&] { return aclrtStreamGetFlags(stream_, nullptr); },
                                   [&] { return aclrtStreamGetFlags(wrong.dead_stream(), &flags); },
                                   [&] { return aclrtStreamGetFlags(stream_, &flags); });
}

}  // namespace
}  // namespace conformance::aclrtStreamGetFlags_test
