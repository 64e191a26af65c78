// SPDX-License-Identifier: Apache-2.0
// aclrtCreateNotify: the accepted flags, and the limit of notifies.
#include "support/streams.h"

#include <set>

namespace conformance::aclrtCreateNotify_test {
namespace {

using streams::kBadArgument;
using streams::kBadHandle;
using streams::kBadValue;
using streams::kNoContext;
using streams::Notify;

constexpr aclError kNoNotifies = 207009;

using AclrtCreateNotify = WithStream;

aclError make_all(std::vector<aclrtNotify>& made) {
  for (;;) {
    aclrtNotify notify = nullptr;
    const aclError code = aclrtCreateNotify(&notify, ACL_NOTIFY_DEFAULT);
    if (code != ACL_SUCCESS) return code;
    made.push_back(notify);
  }
}

void destroy_all(std::vector<aclrtNotify>& made) {
  for (const aclrtNotify notify : made)
    ASSERT_EQ(ACL_SUCCESS, aclrtDestroyNotify(notify));
  made.clear();
}

TEST_F(AclrtCreateNotify, MakesANotifyThatCarriesASignal) {
  aclrtNotify notify = nullptr;
  ASSERT_OK(aclrtCreateNotify(&notify, ACL_NOTIFY_DEFAULT));
  ASSERT_NE(nullptr, notify);
  const streams::Stream other;
  EXPECT_OK(aclrtRecordNotify(notify, other));
  EXPECT_OK(aclrtWaitAndResetNotify(notify, stream_, 0));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_OK(aclrtDestroyNotify(notify));
}

TEST_F(AclrtCreateNotify, MakesANotifyForTheDevice) {
  aclrtNotify notify = nullptr;
  ASSERT_OK(aclrtCreateNotify(&notify, ACL_NOTIFY_DEVICE_USE_ONLY));
  ASSERT_NE(nullptr, notify);
  uint32_t id = 0;
  EXPECT_OK(aclrtGetNotifyId(notify, &id));
  EXPECT_OK(aclrtDestroyNotify(notify));
}

TEST_F(AclrtCreateNotify, StartsWithoutASignal) {
  const Notify notify;
  EXPECT_OK(aclrtWaitAndResetNotify(notify, stream_, 0));
  EXPECT_EQ(507046, aclrtSynchronizeStreamWithTimeout(stream_, 1));
  EXPECT_OK(aclrtRecordNotify(notify, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtCreateNotify, MakesANewOneEachTimeAndNeverAHandleTwice) {
  std::set<aclrtNotify> seen;
  std::vector<Notify> notifies(100);
  for (const Notify& notify : notifies)
    EXPECT_TRUE(seen.insert(notify).second);
  Notify notify;
  const aclrtNotify dead = notify.release();
  EXPECT_OK(aclrtDestroyNotify(dead));
  for (int i = 0; i < 3000; ++i) {
    const Notify next;
    ASSERT_NE(dead, static_cast<aclrtNotify>(next));
    ASSERT_EQ(kBadHandle, aclrtRecordNotify(dead, stream_));
  }
}

TEST_F(AclrtCreateNotify, RefusesNullFirst) {
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtCreateNotify(nullptr, 0));
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtCreateNotify(nullptr, 2));
  on_new_thread([] { EXPECT_FAILS(kBadArgument, "EH0008", aclrtCreateNotify(nullptr, 2)); });
}

TEST_F(AclrtCreateNotify, RefusesOtherFlagsBeforeItLooksForAContext) {
  for (const uint64_t flag :
       {uint64_t{2}, uint64_t{3}, uint64_t{1} << 32, (uint64_t{1} << 32) + 1, UINT64_MAX}) {
    aclrtNotify notify = nullptr;
    EXPECT_FAILS(kBadValue, "EE1003", aclrtCreateNotify(&notify, flag));
    on_new_thread([&] { EXPECT_FAILS(kBadValue, "EE1003", aclrtCreateNotify(&notify, flag)); });
  }
}

TEST_F(AclrtCreateNotify, NeedsAContext) {
  on_new_thread([] {
    aclrtNotify notify = nullptr;
    EXPECT_FAILS(kNoContext, "EE1018", aclrtCreateNotify(&notify, 0));
    EXPECT_FAILS(kNoContext, "EE1018", aclrtCreateNotify(&notify, 1));
  });
}

TEST_F(AclrtCreateNotify, SetsTheLastErrorOnlyForCodesOfTheRuntime) {
  aclrtNotify notify = nullptr;
  streams::expect_last_error_rules([] { return aclrtCreateNotify(nullptr, 0); },
                                   [&] { return aclrtCreateNotify(&notify, 2); },
                                   [&] { return aclrtCreateNotify(&notify, 0); });
  EXPECT_OK(aclrtDestroyNotify(notify));
}

TEST_F(AclrtCreateNotify, FailsWhenAllNotifiesAreInUseAndRecovers) {
  std::vector<aclrtNotify> made;
  EXPECT_EQ(kNoNotifies, make_all(made));
  EXPECT_EQ(8192u, made.size());
  aclrtNotify notify = nullptr;
  EXPECT_FAILS_WITH(kNoNotifies, aclrtCreateNotify(&notify, 0));
  EXPECT_EQ(kNoNotifies, aclrtGetLastError(ACL_RT_THREAD_LEVEL));
  {
    const streams::OtherContext other;
    const streams::Inside inside(other);
    EXPECT_FAILS_WITH(kNoNotifies, aclrtCreateNotify(&notify, 1));
  }
  EXPECT_OK(aclrtDestroyNotify(made.back()));
  made.pop_back();
  ASSERT_OK(aclrtCreateNotify(&notify, 0));
  made.push_back(notify);
  EXPECT_OK(aclrtRecordNotify(notify, stream_));
  EXPECT_OK(aclrtWaitAndResetNotify(notify, stream_, 0));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  destroy_all(made);
  EXPECT_EQ(kNoNotifies, make_all(made));
  EXPECT_EQ(8192u, made.size());
  destroy_all(made);
}

TEST_F(AclrtCreateNotify, WorksOnManyThreadsAtOnce) {
  streams::on_threads(4, [](int) {
    for (int i = 0; i < 200; ++i)
      const Notify notify;
  });
}

FERRY_PROCESS_TEST(AclrtCreateNotifyProcess, HasTheDocumentedNumberOnEachDevice,
                   "FERRY_DEVICES=cpu:2") {
  for (const int32_t device : {0, 1}) {
    ASSERT_OK(aclrtSetDevice(device));
    std::vector<aclrtNotify> made;
    EXPECT_EQ(kNoNotifies, make_all(made));
    EXPECT_EQ(8192u, made.size());
  }
}

}  // namespace
}  // namespace conformance::aclrtCreateNotify_test
