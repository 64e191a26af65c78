// SPDX-License-Identifier: Apache-2.0
// aclrtProcessReport: runs callbacks on the calling thread.
#include "support/report_server.h"

namespace conformance::aclrtProcessReport_test {
namespace {

using AclrtProcessReport = WithStream;

TEST_F(AclrtProcessReport, RunsOneCallbackOnTheCallingThread) {
  Note first, second;
  EXPECT_OK(aclrtSubscribeReport(this_thread_number(), stream_));
  EXPECT_OK(aclrtLaunchCallback(Note::write, &first, ACL_CALLBACK_BLOCK, stream_));
  EXPECT_OK(aclrtLaunchCallback(Note::write, &second, ACL_CALLBACK_BLOCK, stream_));
  EXPECT_OK(aclrtProcessReport(-1));
  EXPECT_EQ(1, first.calls);
  EXPECT_EQ(0, second.calls);
  EXPECT_EQ(std::this_thread::get_id(), first.thread.load());
  EXPECT_OK(aclrtProcessReport(INT32_MAX));
  EXPECT_EQ(1, second.calls);
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_OK(aclrtUnSubscribeReport(this_thread_number(), stream_));
}

TEST_F(AclrtProcessReport, NeedsNoContext) {
  const aclrtContext mine = current_context();
  Note note;
  on_new_thread([&] {
    const uint64_t number = this_thread_number();
    EXPECT_OK(aclrtSubscribeReport(number, stream_));
    on_new_thread([&] {
      ASSERT_OK(aclrtSetCurrentContext(mine));
      EXPECT_OK(aclrtLaunchCallback(Note::write, &note, ACL_CALLBACK_BLOCK, stream_));
    });
    EXPECT_EQ(nullptr, current_context());
    EXPECT_OK(aclrtProcessReport(-1));
    EXPECT_OK(aclrtUnSubscribeReport(number, stream_));
  });
  EXPECT_EQ(1, note.calls);
}

TEST_F(AclrtProcessReport, WaitsForACallback) {
  Note note;
  std::atomic<uint64_t> number{0};
  aclError code = -1;
  std::thread server([&] {
    number = this_thread_number();
    code = aclrtProcessReport(-1);  // also waits for the subscription
  });
  while (number == 0)
    std::this_thread::yield();
  EXPECT_OK(aclrtSubscribeReport(number, stream_));
  EXPECT_OK(aclrtLaunchCallback(Note::write, &note, ACL_CALLBACK_BLOCK, stream_));
  server.join();
  EXPECT_EQ(ACL_SUCCESS, code);
  EXPECT_EQ(1, note.calls);
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_OK(aclrtUnSubscribeReport(number, stream_));
}

TEST_F(AclrtProcessReport, RefusesTimesThatAreNone) {
  for (const int32_t timeout : {0, -2, INT32_MIN}) {
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0009", aclrtProcessReport(timeout));
  }
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

TEST_F(AclrtProcessReport, FailsWhenTheThreadServesNothing) {
  on_new_thread([] {
    EXPECT_FAILS_WITH(ACL_ERROR_RT_THREAD_SUBSCRIBE, aclrtProcessReport(1));
    EXPECT_EQ(ACL_ERROR_RT_THREAD_SUBSCRIBE, last_error());
  });
}

TEST_F(AclrtProcessReport, TellsThatNothingArrivedInTime) {
  EXPECT_OK(aclrtSubscribeReport(this_thread_number(), stream_));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_REPORT_TIMEOUT, aclrtProcessReport(1));
  EXPECT_EQ(ACL_ERROR_RT_REPORT_TIMEOUT, last_error());
  EXPECT_OK(aclrtUnSubscribeReport(this_thread_number(), stream_));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_THREAD_SUBSCRIBE, aclrtProcessReport(1));
}

TEST_F(AclrtProcessReport, DoesNotRunCallbacksOfOtherThreads) {
  Note note;
  EXPECT_OK(aclrtSubscribeReport(this_thread_number(), stream_));
  EXPECT_OK(aclrtLaunchCallback(Note::write, &note, ACL_CALLBACK_BLOCK, stream_));
  on_new_thread([] { EXPECT_FAILS_WITH(ACL_ERROR_RT_THREAD_SUBSCRIBE, aclrtProcessReport(1)); });
  EXPECT_EQ(0, note.calls);
  EXPECT_OK(aclrtProcessReport(-1));
  EXPECT_EQ(1, note.calls);
  EXPECT_OK(aclrtUnSubscribeReport(this_thread_number(), stream_));
}

TEST_F(AclrtProcessReport, ServesStreamsOfSeveralContexts) {
  const aclrtContext mine = current_context();
  Note note;
  EXPECT_OK(aclrtSubscribeReport(this_thread_number(), stream_));
  EXPECT_OK(aclrtLaunchCallback(Note::write, &note, ACL_CALLBACK_BLOCK, stream_));
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtCreateContext(&context, 0));
  EXPECT_OK(aclrtSubscribeReport(this_thread_number(), nullptr));
  EXPECT_OK(aclrtLaunchCallback(Note::write, &note, ACL_CALLBACK_BLOCK, nullptr));
  EXPECT_OK(aclrtProcessReport(-1));
  EXPECT_OK(aclrtProcessReport(-1));
  EXPECT_EQ(2, note.calls);
  EXPECT_OK(aclrtUnSubscribeReport(this_thread_number(), nullptr));
  EXPECT_OK(aclrtDestroyContext(context));
  EXPECT_OK(aclrtSetCurrentContext(mine));
  EXPECT_OK(aclrtUnSubscribeReport(this_thread_number(), stream_));
}

}  // namespace
}  // namespace conformance::aclrtProcessReport_test
