// SPDX-License-Identifier: Apache-2.0
// aclrtSubscribeReport: sets the thread that serves the callbacks of a stream.
#include "support/report_server.h"

namespace conformance::aclrtSubscribeReport_test {
namespace {

using AclrtSubscribeReport = WithStream;

TEST_F(AclrtSubscribeReport, LetsTheThreadServeTheStream) {
  Note note;
  EXPECT_OK(aclrtSubscribeReport(this_thread_number(), stream_));
  EXPECT_OK(aclrtLaunchCallback(Note::write, &note, ACL_CALLBACK_BLOCK, stream_));
  EXPECT_OK(aclrtProcessReport(-1));
  EXPECT_EQ(1, note.calls);
  EXPECT_OK(aclrtUnSubscribeReport(this_thread_number(), stream_));
}

TEST_F(AclrtSubscribeReport, TakesNullForTheDefaultStream) {
  Note note;
  EXPECT_OK(aclrtSubscribeReport(this_thread_number(), nullptr));
  EXPECT_OK(aclrtLaunchCallback(Note::write, &note, ACL_CALLBACK_BLOCK, nullptr));
  EXPECT_OK(aclrtProcessReport(-1));
  EXPECT_EQ(1, note.calls);
  EXPECT_OK(aclrtUnSubscribeReport(this_thread_number(), nullptr));
}

TEST_F(AclrtSubscribeReport, LetsOneThreadServeManyStreams) {
  ReportServer server;
  Note note;
  std::vector<aclrtStream> streams(5);
  for (aclrtStream& stream : streams) {
    ASSERT_OK(aclrtCreateStream(&stream));
    EXPECT_OK(aclrtSubscribeReport(server.number(), stream));
    EXPECT_OK(aclrtLaunchCallback(Note::write, &note, ACL_CALLBACK_BLOCK, stream));
  }
  for (const aclrtStream stream : streams) {
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_OK(aclrtUnSubscribeReport(server.number(), stream));
    EXPECT_OK(aclrtDestroyStream(stream));
  }
  EXPECT_EQ(5, note.calls);
  EXPECT_EQ(server.id(), note.thread.load());
}

TEST_F(AclrtSubscribeReport, RefusesAStreamThatIsServedAlready) {
  EXPECT_OK(aclrtSubscribeReport(this_thread_number(), stream_));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_STREAM_SUBSCRIBE,
                    aclrtSubscribeReport(this_thread_number(), stream_));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_STREAM_SUBSCRIBE,
                    aclrtSubscribeReport(this_thread_number() + 1, stream_));
  EXPECT_EQ(ACL_ERROR_RT_STREAM_SUBSCRIBE, last_error());
  EXPECT_OK(aclrtUnSubscribeReport(this_thread_number(), stream_));
}

TEST_F(AclrtSubscribeReport, RefusesAStreamUsedByHostFunctions) {
  EXPECT_OK(aclrtLaunchHostFunc(
      stream_, [](void*) {}, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_STREAM_SUBSCRIBE,
                    aclrtSubscribeReport(this_thread_number(), stream_));
}

TEST_F(AclrtSubscribeReport, RefusesAStreamThatIsNone) {
  aclrtEvent event = nullptr;
  ASSERT_OK(aclrtCreateEvent(&event));
  aclrtStream destroyed = nullptr;
  ASSERT_OK(aclrtCreateStream(&destroyed));
  ASSERT_OK(aclrtDestroyStream(destroyed));
  int variable = 0;
  for (void* stream : {event, destroyed, static_cast<void*>(&variable)}) {
    clear_errors();
    EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "EE1017",
                 aclrtSubscribeReport(this_thread_number(), stream));
    EXPECT_EQ(ACL_ERROR_RT_INVALID_HANDLE, last_error());
  }
  EXPECT_OK(aclrtDestroyEvent(event));
}

TEST_F(AclrtSubscribeReport, NeedsAContextForTheDefaultStreamOnly) {
  on_new_thread([&] {
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
                 aclrtSubscribeReport(this_thread_number(), nullptr));
    EXPECT_EQ(ACL_ERROR_RT_CONTEXT_NULL, last_error());
    EXPECT_OK(aclrtSubscribeReport(this_thread_number(), stream_));
    EXPECT_OK(aclrtUnSubscribeReport(this_thread_number(), stream_));
  });
}

TEST_F(AclrtSubscribeReport, EndsWithTheStream) {
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCreateStream(&stream));
  on_new_thread([&] {
    EXPECT_OK(aclrtSubscribeReport(this_thread_number(), stream));
    on_new_thread([&] {
      ASSERT_OK(aclrtSetDevice(0));
      EXPECT_OK(aclrtDestroyStream(stream));
      EXPECT_OK(aclrtResetDevice(0));
    });
    EXPECT_FAILS_WITH(ACL_ERROR_RT_THREAD_SUBSCRIBE, aclrtProcessReport(1));
  });
}

FERRY_PROCESS_TEST(AclrtSubscribeReportProcess, LetsAThreadServeOneDeviceOnly,
                   "FERRY_DEVICES=cpu:2") {
  aclrtStream first = nullptr, second = nullptr;
  ASSERT_OK(aclrtSetDevice(0));
  ASSERT_OK(aclrtCreateStream(&first));
  ASSERT_OK(aclrtSetDevice(1));
  ASSERT_OK(aclrtCreateStream(&second));
  EXPECT_OK(aclrtSubscribeReport(this_thread_number(), second));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_THREAD_SUBSCRIBE,
                    aclrtSubscribeReport(this_thread_number(), first));
  EXPECT_EQ(ACL_ERROR_RT_THREAD_SUBSCRIBE, last_error());
  EXPECT_OK(aclrtUnSubscribeReport(this_thread_number(), second));
  EXPECT_OK(aclrtSubscribeReport(this_thread_number(), first));
}

}  // namespace
}  // namespace conformance::aclrtSubscribeReport_test
