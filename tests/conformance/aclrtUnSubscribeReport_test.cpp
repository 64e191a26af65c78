// SPDX-License-Identifier: Apache-2.0
// aclrtUnSubscribeReport: undoes aclrtSubscribeReport.
#include "support/report_server.h"

namespace conformance::aclrtUnSubscribeReport_test {
namespace {

using AclrtUnSubscribeReport = WithStream;

TEST_F(AclrtUnSubscribeReport, LetsTheStreamBeSubscribedAgain) {
  for (int round = 0; round < 3; ++round) {
    EXPECT_OK(aclrtSubscribeReport(this_thread_number(), stream_));
    EXPECT_OK(aclrtUnSubscribeReport(this_thread_number(), stream_));
  }
  EXPECT_OK(aclrtSubscribeReport(this_thread_number() + 1, stream_));
  EXPECT_OK(aclrtUnSubscribeReport(this_thread_number() + 1, stream_));
}

TEST_F(AclrtUnSubscribeReport, TakesNullForTheDefaultStream) {
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCtxGetCurrentDefaultStream(&stream));
  EXPECT_OK(aclrtSubscribeReport(this_thread_number(), stream));
  EXPECT_OK(aclrtUnSubscribeReport(this_thread_number(), nullptr));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_STREAM_SUBSCRIBE,
                    aclrtUnSubscribeReport(this_thread_number(), stream));
}

TEST_F(AclrtUnSubscribeReport, MayBeCalledByAnyThread) {
  EXPECT_OK(aclrtSubscribeReport(this_thread_number(), stream_));
  const uint64_t number = this_thread_number();
  on_new_thread([&] { EXPECT_OK(aclrtUnSubscribeReport(number, stream_)); });
}

TEST_F(AclrtUnSubscribeReport, DropsCallbacksAndLeavesAFailureOnTheStream) {
  DeviceBuffer device(64);
  Note note;
  EXPECT_OK(aclrtSubscribeReport(this_thread_number(), stream_));
  EXPECT_OK(aclrtLaunchCallback(Note::write, &note, ACL_CALLBACK_BLOCK, stream_));
  EXPECT_OK(aclrtMemsetAsync(device.get(), 64, 2, 64, stream_));
  EXPECT_OK(aclrtUnSubscribeReport(this_thread_number(), stream_));
  // The stream continues without the callback.
  EXPECT_EQ(ACL_ERROR_RT_STREAM_NO_CB_REG, aclrtSynchronizeStream(stream_));
  EXPECT_EQ(std::vector<uint8_t>(64, 2), device.read());
  EXPECT_EQ(0, note.calls);
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtUnSubscribeReport, RefusesAStreamThatNobodyServes) {
  EXPECT_FAILS_WITH(ACL_ERROR_RT_STREAM_SUBSCRIBE,
                    aclrtUnSubscribeReport(this_thread_number(), stream_));
  EXPECT_EQ(ACL_ERROR_RT_STREAM_SUBSCRIBE, last_error());
}

TEST_F(AclrtUnSubscribeReport, RefusesAThreadThatDoesNotServeTheStream) {
  EXPECT_OK(aclrtSubscribeReport(this_thread_number(), stream_));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_THREAD_SUBSCRIBE,
                    aclrtUnSubscribeReport(this_thread_number() + 1, stream_));
  EXPECT_EQ(ACL_ERROR_RT_THREAD_SUBSCRIBE, last_error());
  EXPECT_OK(aclrtUnSubscribeReport(this_thread_number(), stream_));
}

TEST_F(AclrtUnSubscribeReport, RefusesAStreamThatIsNone) {
  aclrtStream destroyed = nullptr;
  ASSERT_OK(aclrtCreateStream(&destroyed));
  ASSERT_OK(aclrtDestroyStream(destroyed));
  int variable = 0;
  for (void* stream : {destroyed, static_cast<void*>(&variable)}) {
    clear_errors();
    EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "EE1017",
                 aclrtUnSubscribeReport(this_thread_number(), stream));
    EXPECT_EQ(ACL_ERROR_RT_INVALID_HANDLE, last_error());
  }
}

TEST_F(AclrtUnSubscribeReport, NeedsAContextForTheDefaultStream) {
  on_new_thread([] {
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
                 aclrtUnSubscribeReport(this_thread_number(), nullptr));
    EXPECT_EQ(ACL_ERROR_RT_CONTEXT_NULL, last_error());
  });
}

TEST_F(AclrtUnSubscribeReport, MayRunWhileTheThreadServes) {
  ReportServer server;
  for (int round = 0; round < 50; ++round) {
    Note note;
    EXPECT_OK(aclrtSubscribeReport(server.number(), stream_));
    EXPECT_OK(aclrtLaunchCallback(Note::write, &note, ACL_CALLBACK_BLOCK, stream_));
    EXPECT_OK(aclrtUnSubscribeReport(server.number(), stream_));
    // The callback ran or was dropped; both are allowed, but it must not run later.
    const aclError code = aclrtSynchronizeStream(stream_);
    EXPECT_EQ(note.calls == 1 ? ACL_SUCCESS : ACL_ERROR_RT_STREAM_NO_CB_REG, code);
  }
}

}  // namespace
}  // namespace conformance::aclrtUnSubscribeReport_test
