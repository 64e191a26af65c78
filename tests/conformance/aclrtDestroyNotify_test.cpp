// SPDX-License-Identifier: Apache-2.0
// aclrtDestroyNotify: destroys a notify whose work is complete.
#include "support/streams.h"

namespace conformance::aclrtDestroyNotify_test {
namespace {

using streams::kBadArgument;
using streams::kBadHandle;
using streams::Notify;

using AclrtDestroyNotify = WithStream;

TEST_F(AclrtDestroyNotify, DestroysANotify) {
  for (const uint64_t flag : {ACL_NOTIFY_DEFAULT, ACL_NOTIFY_DEVICE_USE_ONLY}) {
    aclrtNotify notify = nullptr;
    ASSERT_OK(aclrtCreateNotify(&notify, flag));
    EXPECT_OK(aclrtDestroyNotify(notify));
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtDestroyNotify(notify));
  }
}

TEST_F(AclrtDestroyNotify, DestroysANotifyWithASignalThatNobodyTook) {
  Notify notify;
  EXPECT_OK(aclrtRecordNotify(notify, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_OK(aclrtDestroyNotify(notify.release()));
}

TEST_F(AclrtDestroyNotify, RefusesNull) {
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtDestroyNotify(nullptr));
}

TEST_F(AclrtDestroyNotify, RefusesHandlesThatAreNoNotify) {
  streams::WrongHandles wrong;
  for (void* handle : wrong.for_notify())
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtDestroyNotify(handle));
}

TEST_F(AclrtDestroyNotify, NeedsNoContext) {
  Notify notify;
  on_new_thread([handle = notify.release()] { EXPECT_OK(aclrtDestroyNotify(handle)); });
}

TEST_F(AclrtDestroyNotify, SetsTheLastErrorOnlyForCodesOfTheRuntime) {
  streams::WrongHandles wrong;
  Notify notify;
  streams::expect_last_error_rules([] { return aclrtDestroyNotify(nullptr); },
                                   [&] { return aclrtDestroyNotify(wrong.dead_notify()); },
                                   [&] { return aclrtDestroyNotify(notify.release()); });
}

TEST_F(AclrtDestroyNotify, MakesEveryUseOfTheHandleAnError) {
  streams::WrongHandles wrong;
  aclrtNotify dead = wrong.dead_notify();
  uint32_t id = 0;
  EXPECT_FAILS(kBadHandle, "EE1017", aclrtRecordNotify(dead, stream_));
  EXPECT_FAILS(kBadHandle, "EE1017", aclrtWaitAndResetNotify(dead, stream_, 0));
  EXPECT_FAILS(kBadHandle, "EE1017", aclrtGetNotifyId(dead, &id));
  EXPECT_FAILS(kBadHandle, "EE1017", aclrtNotifyBatchReset(&dead, 1));
}

TEST_F(AclrtDestroyNotify, WorksOnManyThreadsAtOnce) {
  streams::on_threads(4, [](int) {
    const streams::Stream own;
    for (int i = 0; i < 100; ++i) {
      Notify notify;
      ASSERT_OK(aclrtRecordNotify(notify, own));
      ASSERT_OK(aclrtWaitAndResetNotify(notify, own, 0));
      ASSERT_OK(aclrtSynchronizeStream(own));
      ASSERT_OK(aclrtDestroyNotify(notify.release()));
    }
  });
}

}  // namespace
}  // namespace conformance::aclrtDestroyNotify_test
