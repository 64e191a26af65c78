// SPDX-License-Identifier: Apache-2.0
// aclrtStreamGetId: a number unique among the streams of a device.
#include "support/streams.h"

#include <set>

namespace conformance::aclrtStreamGetId_test {
namespace {

using streams::Inside;
using streams::kBadArgument;
using streams::kBadHandle;
using streams::kNoContext;
using streams::OtherContext;
using streams::Stream;

using AclrtStreamGetId = WithStream;

int32_t id_of(aclrtStream stream) {
  int32_t id = -1;
  EXPECT_OK(aclrtStreamGetId(stream, &id));
  EXPECT_GE(id, 0);
  return id;
}

TEST_F(AclrtStreamGetId, TellsDifferentNumbersForStreamsOfOneDevice) {
  std::vector<Stream> many(200);
  const OtherContext other;
  std::set<int32_t> seen = {id_of(stream_), id_of(nullptr)};
  for (const Stream& stream : many)
    seen.insert(id_of(stream));
  const Inside inside(other);
  const Stream far;
  seen.insert(id_of(far));
  seen.insert(id_of(nullptr));
  EXPECT_EQ(204u, seen.size());
}

TEST_F(AclrtStreamGetId, TellsTheSameNumberEachTime) {
  const int32_t id = id_of(stream_);
  {
    const Stream another;
    EXPECT_EQ(id, id_of(stream_));
  }
  Gate gate(stream_);
  EXPECT_EQ(id, id_of(stream_));
}

TEST_F(AclrtStreamGetId, TakesNullForTheDefaultStream) {
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCtxGetCurrentDefaultStream(&stream));
  EXPECT_EQ(id_of(stream), id_of(nullptr));
}

TEST_F(AclrtStreamGetId, NeedsAContextForTheDefaultStreamOnly) {
  const int32_t id = id_of(stream_);
  on_new_thread([&] {
    EXPECT_EQ(id, id_of(stream_));
    int32_t other = -1;
    EXPECT_FAILS(kNoContext, "EE1018", aclrtStreamGetId(nullptr, &other));
  });
  const OtherContext other;
  const Inside inside(other);
  EXPECT_EQ(id, id_of(stream_));
}

TEST_F(AclrtStreamGetId, RefusesNullFirst) {
  streams::WrongHandles wrong;
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtStreamGetId(stream_, nullptr));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtStreamGetId(wrong.dead_stream(), nullptr));
  on_new_thread([] { EXPECT_FAILS(kBadArgument, "EH0008", aclrtStreamGetId(nullptr, nullptr)); });
}

TEST_F(AclrtStreamGetId, RefusesHandlesThatAreNoStream) {
  streams::WrongHandles wrong;
  int32_t id = -1;
  for (void* handle : wrong.for_stream())
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtStreamGetId(handle, &id));
  on_new_thread(
      [&] { EXPECT_FAILS(kBadHandle, "EE1017", aclrtStreamGetId(wrong.dead_stream(), &id)); });
}

TEST_F(AclrtStreamGetId, SetsTheLastErrorOnlyForCodesOfTheRuntime) {
  streams::WrongHandles wrong;
  int32_t id = -1;
  streams::expect_last_error_rules([&] { return aclrtStreamGetId(stream_, nullptr); },
                                   [&] { return aclrtStreamGetId(wrong.dead_stream(), &id); },
                                   [&] { return aclrtStreamGetId(stream_, &id); });
}

TEST_F(AclrtStreamGetId, WorksOnManyThreadsAtOnce) {
  const int32_t id = id_of(stream_);
  streams::on_threads(4, [&](int) {
    for (int i = 0; i < 50; ++i) {
      const Stream stream;
      ASSERT_NE(id, id_of(stream));
      ASSERT_EQ(id, id_of(stream_));
    }
  });
}

}  // namespace
}  // namespace conformance::aclrtStreamGetId_test
