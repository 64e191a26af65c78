// SPDX-License-Identifier: Apache-2.0
// aclrtGetNotifyId: a number unique among the notifies of a device.
#include "support/streams.h"

#include <set>

namespace conformance::aclrtGetNotifyId_test {
namespace {

using streams::kBadArgument;
using streams::kBadHandle;
using streams::Notify;

using AclrtGetNotifyId = WithStream;

uint32_t id_of(aclrtNotify notify) {
  uint32_t id = UINT32_MAX;
  EXPECT_OK(aclrtGetNotifyId(notify, &id));
  EXPECT_NE(UINT32_MAX, id);
  return id;
}

TEST_F(AclrtGetNotifyId, TellsDifferentNumbersForNotifiesOfOneDevice) {
  std::vector<Notify> notifies(200);
  std::set<uint32_t> seen;
  for (const Notify& notify : notifies)
    seen.insert(id_of(notify));
  const streams::OtherContext other;
  const streams::Inside inside(other);
  const Notify far;
  seen.insert(id_of(far));
  EXPECT_EQ(201u, seen.size());
}

TEST_F(AclrtGetNotifyId, TellsTheSameNumberWhileTheNotifyIsUsed) {
  const Notify notify;
  const uint32_t id = id_of(notify);
  EXPECT_OK(aclrtRecordNotify(notify, stream_));
  EXPECT_EQ(id, id_of(notify));
  EXPECT_OK(aclrtWaitAndResetNotify(notify, stream_, 0));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(id, id_of(notify));
}

TEST_F(AclrtGetNotifyId, NeedsNoContext) {
  const Notify notify;
  const uint32_t id = id_of(notify);
  on_new_thread([&] { EXPECT_EQ(id, id_of(notify)); });
}

TEST_F(AclrtGetNotifyId, RefusesNullFirst) {
  streams::WrongHandles wrong;
  const Notify notify;
  uint32_t id = 0;
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtGetNotifyId(nullptr, &id));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtGetNotifyId(notify, nullptr));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtGetNotifyId(nullptr, nullptr));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtGetNotifyId(wrong.dead_notify(), nullptr));
}

TEST_F(AclrtGetNotifyId, RefusesHandlesThatAreNoNotify) {
  streams::WrongHandles wrong;
  uint32_t id = 0;
  for (void* handle : wrong.for_notify())
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtGetNotifyId(handle, &id));
}

TEST_F(AclrtGetNotifyId, SetsTheLastErrorOnlyForCodesOfTheRuntime) {
  streams::WrongHandles wrong;
  const Notify notify;
  uint32_t id = 0;
  streams::expect_last_error_rules([&] { return aclrtGetNotifyId(notify, nullptr); },
                                   [&] { return aclrtGetNotifyId(wrong.dead_notify(), &id); },
                                   [&] { return aclrtGetNotifyId(notify, &id); });
}

TEST_F(AclrtGetNotifyId, WorksOnManyThreadsAtOnce) {
  const Notify notify;
  const uint32_t id = id_of(notify);
  streams::on_threads(4, [&](int) {
    for (int i = 0; i < 100; ++i) {
      const Notify own;
      ASSERT_NE(id, id_of(own));
      ASSERT_EQ(id, id_of(notify));
    }
  });
}

}  // namespace
}  // namespace conformance::aclrtGetNotifyId_test
