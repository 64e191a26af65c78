// SPDX-License-Identifier: Apache-2.0
// aclrtNotifyBatchReset: resets several notifies at once.
#include "support/streams.h"

namespace conformance::aclrtNotifyBatchReset_test {
namespace {

using streams::kBadArgument;
using streams::kBadHandle;
using streams::Notify;
using streams::Stream;

class AclrtNotifyBatchReset : public WithStream {
 protected:
  void signal(aclrtNotify notify) {
    EXPECT_OK(aclrtRecordNotify(notify, stream_));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
  }
  // Consumes the signal if there is one, and returns whether there was.
  bool has_signal(aclrtNotify notify) {
    const Stream waiting;
    EXPECT_OK(aclrtWaitAndResetNotify(notify, waiting, 0));
    const aclError code = aclrtSynchronizeStreamWithTimeout(waiting, 20);
    EXPECT_OK(aclrtStreamAbort(waiting));
    return code == ACL_SUCCESS;
  }
  void expect_signal(aclrtNotify notify) {
    EXPECT_OK(aclrtWaitAndResetNotify(notify, stream_, 0));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
  }
};

TEST_F(AclrtNotifyBatchReset, TakesSignalsBack) {
  for (const size_t count : {size_t{1}, size_t{2}, size_t{100}}) {
    std::vector<Notify> notifies(count);
    std::vector<aclrtNotify> handles(notifies.begin(), notifies.end());
    for (const aclrtNotify notify : handles)
      EXPECT_OK(aclrtRecordNotify(notify, stream_));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_OK(aclrtNotifyBatchReset(handles.data(), count));
    for (size_t i = 0; i < count; i += 33)
      EXPECT_FALSE(has_signal(handles[i]));
  }
}

TEST_F(AclrtNotifyBatchReset, LeavesNotifiesUsable) {
  Notify notify;
  aclrtNotify handle = notify;
  signal(handle);
  EXPECT_OK(aclrtNotifyBatchReset(&handle, 1));
  signal(handle);
  expect_signal(handle);
}

TEST_F(AclrtNotifyBatchReset, DoesNothingToNotifiesWithoutASignal) {
  std::vector<Notify> notifies(3);
  std::vector<aclrtNotify> handles(notifies.begin(), notifies.end());
  EXPECT_OK(aclrtNotifyBatchReset(handles.data(), handles.size()));
  EXPECT_OK(aclrtNotifyBatchReset(handles.data(), handles.size()));
  EXPECT_FALSE(has_signal(handles[0]));
}

TEST_F(AclrtNotifyBatchReset, TakesANotifyTwice) {
  Notify notify;
  aclrtNotify handles[] = {notify, notify};
  signal(notify);
  EXPECT_OK(aclrtNotifyBatchReset(handles, 2));
  EXPECT_FALSE(has_signal(notify));
}

TEST_F(AclrtNotifyBatchReset, ResetsOnlyAsManyAsSaid) {
  const Notify first;
  const Notify second;
  aclrtNotify handles[] = {first, second};
  signal(first);
  signal(second);
  EXPECT_OK(aclrtNotifyBatchReset(handles, 1));
  EXPECT_FALSE(has_signal(first));
  expect_signal(second);
}

TEST_F(AclrtNotifyBatchReset, NeedsNoContext) {
  const Notify notify;
  signal(notify);
  on_new_thread([&] {
    aclrtNotify handle = notify;
    EXPECT_OK(aclrtNotifyBatchReset(&handle, 1));
  });
  EXPECT_FALSE(has_signal(notify));
}

TEST_F(AclrtNotifyBatchReset, RefusesNullAndNone) {
  const Notify notify;
  aclrtNotify handle = notify;
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtNotifyBatchReset(nullptr, 1));
  EXPECT_FAILS_WITH(kBadArgument, aclrtNotifyBatchReset(&handle, 0));
  EXPECT_FAILS_WITH(kBadArgument, aclrtNotifyBatchReset(nullptr, 0));
}

TEST_F(AclrtNotifyBatchReset, NamesTheItemThatIsNull) {
  const Notify notify;
  signal(notify);
  aclrtNotify handles[] = {notify, nullptr};
  EXPECT_EQ(kBadArgument, aclrtNotifyBatchReset(handles, 2));
  EXPECT_NE(recent_text().find("notifies[1]"), std::string::npos);
  expect_signal(notify);
}

TEST_F(AclrtNotifyBatchReset, ResetsNoneWhenOneIsNoNotify) {
  streams::WrongHandles wrong;
  const Notify first;
  const Notify last;
  for (void* handle : wrong.for_notify()) {
    signal(first);
    signal(last);
    aclrtNotify handles[] = {first, handle, last};
    EXPECT_FAILS(kBadHandle, "EE1017", aclrtNotifyBatchReset(handles, 3));
    expect_signal(first);
    expect_signal(last);
  }
}

TEST_F(AclrtNotifyBatchReset, SetsTheLastErrorOnlyForCodesOfTheRuntime) {
  streams::WrongHandles wrong;
  aclrtNotify dead = wrong.dead_notify();
  const Notify notify;
  aclrtNotify handle = notify;
  streams::expect_last_error_rules([&] { return aclrtNotifyBatchReset(&handle, 0); },
                                   [&] { return aclrtNotifyBatchReset(&dead, 1); },
                                   [&] { return aclrtNotifyBatchReset(&handle, 1); });
}

TEST_F(AclrtNotifyBatchReset, WorksOnManyThreadsAtOnce) {
  streams::on_threads(4, [](int) {
    const Stream own;
    std::vector<Notify> notifies(10);
    std::vector<aclrtNotify> handles(notifies.begin(), notifies.end());
    for (int i = 0; i < 50; ++i) {
      for (const aclrtNotify notify : handles)
        ASSERT_OK(aclrtRecordNotify(notify, own));
      ASSERT_OK(aclrtSynchronizeStream(own));
      ASSERT_OK(aclrtNotifyBatchReset(handles.data(), handles.size()));
    }
  });
}

}  // namespace
}  // namespace conformance::aclrtNotifyBatchReset_test
