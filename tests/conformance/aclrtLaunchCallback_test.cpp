// SPDX-License-Identifier: Apache-2.0
// aclrtLaunchCallback: queues a call on the thread that serves a stream.
#include "support/report_server.h"

namespace conformance::aclrtLaunchCallback_test {
namespace {

using AclrtLaunchCallback = WithStream;

TEST_F(AclrtLaunchCallback, RunsOnTheThreadThatServesTheStream) {
  ReportServer server;
  EXPECT_OK(aclrtSubscribeReport(server.number(), stream_));
  for (const aclrtCallbackBlockType type : {ACL_CALLBACK_BLOCK, ACL_CALLBACK_NO_BLOCK}) {
    Note note;
    EXPECT_OK(aclrtLaunchCallback(Note::write, &note, type, stream_));
    while (note.calls == 0)
      std::this_thread::yield();
    EXPECT_EQ(server.id(), note.thread.load());
  }
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_OK(aclrtUnSubscribeReport(server.number(), stream_));
}

TEST_F(AclrtLaunchCallback, NeverRunsOnAThreadThatSynchronises) {
  ReportServer server;
  EXPECT_OK(aclrtSubscribeReport(server.number(), stream_));
  for (int round = 0; round < 20; ++round) {
    Note note;
    EXPECT_OK(aclrtLaunchCallback(Note::write, &note, ACL_CALLBACK_BLOCK, stream_));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_EQ(1, note.calls);
    EXPECT_EQ(server.id(), note.thread.load());
  }
  EXPECT_OK(aclrtUnSubscribeReport(server.number(), stream_));
}

TEST_F(AclrtLaunchCallback, HoldsUpLaterWorkWhenItBlocks) {
  DeviceBuffer device(64);
  EXPECT_OK(aclrtMemset(device.get(), 64, 1, 64));
  Note note;
  EXPECT_OK(aclrtSubscribeReport(this_thread_number(), stream_));
  EXPECT_OK(aclrtLaunchCallback(Note::write, &note, ACL_CALLBACK_BLOCK, stream_));
  EXPECT_OK(aclrtMemsetAsync(device.get(), 64, 2, 64, stream_));
  // Only this thread can run the callback, so the fill cannot have run.
  EXPECT_FAILS_WITH(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT,
                    aclrtSynchronizeStreamWithTimeout(stream_, 1));
  EXPECT_EQ(std::vector<uint8_t>(64, 1), device.read());
  EXPECT_EQ(0, note.calls);
  EXPECT_OK(aclrtProcessReport(-1));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(std::vector<uint8_t>(64, 2), device.read());
  EXPECT_OK(aclrtUnSubscribeReport(this_thread_number(), stream_));
}

TEST_F(AclrtLaunchCallback, LetsLaterWorkRunWhenItDoesNotBlock) {
  DeviceBuffer device(64);
  Note note;
  aclrtEvent event = nullptr;
  ASSERT_OK(aclrtCreateEvent(&event));
  EXPECT_OK(aclrtSubscribeReport(this_thread_number(), stream_));
  EXPECT_OK(aclrtLaunchCallback(Note::write, &note, ACL_CALLBACK_NO_BLOCK, stream_));
  EXPECT_OK(aclrtMemsetAsync(device.get(), 64, 2, 64, stream_));
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  EXPECT_OK(aclrtSynchronizeEvent(event));  // would hang if the callback blocked it
  EXPECT_EQ(std::vector<uint8_t>(64, 2), device.read());
  EXPECT_EQ(0, note.calls);
  EXPECT_OK(aclrtProcessReport(-1));
  EXPECT_EQ(1, note.calls);
  EXPECT_OK(aclrtUnSubscribeReport(this_thread_number(), stream_));
  EXPECT_OK(aclrtDestroyEvent(event));
}

TEST_F(AclrtLaunchCallback, RunsAfterEarlierWorkOfTheStream) {
  ReportServer server;
  Note note;
  EXPECT_OK(aclrtSubscribeReport(server.number(), stream_));
  aclrtEvent event = nullptr;
  ASSERT_OK(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC));
  EXPECT_OK(aclrtStreamWaitEvent(stream_, event));
  EXPECT_OK(aclrtLaunchCallback(Note::write, &note, ACL_CALLBACK_NO_BLOCK, stream_));
  EXPECT_EQ(0, note.calls);  // the event was not recorded yet
  EXPECT_OK(aclrtRecordEvent(event, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  while (note.calls == 0)
    std::this_thread::yield();
  EXPECT_OK(aclrtUnSubscribeReport(server.number(), stream_));
  EXPECT_OK(aclrtDestroyEvent(event));
}

struct Step {
  std::vector<int>* order = nullptr;
  int number = 0;
  static void run(void* argument) {
    const auto* step = static_cast<Step*>(argument);
    step->order->push_back(step->number);
  }
};

TEST_F(AclrtLaunchCallback, KeepsTheOrderOfTheStream) {
  for (const aclrtCallbackBlockType type : {ACL_CALLBACK_BLOCK, ACL_CALLBACK_NO_BLOCK}) {
    std::vector<int> order;
    std::vector<Step> steps(30);
    EXPECT_OK(aclrtSubscribeReport(this_thread_number(), stream_));
    for (size_t i = 0; i < steps.size(); ++i) {
      steps[i] = {&order, static_cast<int>(i)};
      EXPECT_OK(aclrtLaunchCallback(Step::run, &steps[i], type, stream_));
    }
    for (size_t i = 0; i < steps.size(); ++i) {
      EXPECT_OK(aclrtProcessReport(-1));
      ASSERT_EQ(i + 1, order.size());
      EXPECT_EQ(static_cast<int>(i), order[i]);
    }
    EXPECT_OK(aclrtUnSubscribeReport(this_thread_number(), stream_));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
  }
}

TEST_F(AclrtLaunchCallback, RefusesOtherBlockTypesFirst) {
  int variable = 0;
  for (const int type : {2, -1, INT_MAX}) {
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0007",
                 aclrtLaunchCallback(nullptr, nullptr, static_cast<aclrtCallbackBlockType>(type),
                                     &variable));
  }
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

TEST_F(AclrtLaunchCallback, RefusesAStreamThatIsNoneBeforeTheFunction) {
  int variable = 0;
  aclrtStream destroyed = nullptr;
  ASSERT_OK(aclrtCreateStream(&destroyed));
  ASSERT_OK(aclrtDestroyStream(destroyed));
  for (void* stream : {destroyed, static_cast<void*>(&variable)}) {
    clear_errors();
    EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "EE1017",
                 aclrtLaunchCallback(nullptr, nullptr, ACL_CALLBACK_BLOCK, stream));
    EXPECT_EQ(ACL_ERROR_RT_INVALID_HANDLE, last_error());
  }
}

TEST_F(AclrtLaunchCallback, RefusesNoFunctionBeforeTheContext) {
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID,
                    aclrtLaunchCallback(nullptr, nullptr, ACL_CALLBACK_BLOCK, stream_));
  EXPECT_EQ(ACL_ERROR_RT_PARAM_INVALID, last_error());
  on_new_thread([&] {
    EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID,
                      aclrtLaunchCallback(nullptr, nullptr, ACL_CALLBACK_BLOCK, stream_));
  });
}

TEST_F(AclrtLaunchCallback, NeedsAContextBeforeASubscription) {
  Note note;
  on_new_thread([&] {
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
                 aclrtLaunchCallback(Note::write, &note, ACL_CALLBACK_BLOCK, stream_));
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
                 aclrtLaunchCallback(Note::write, &note, ACL_CALLBACK_BLOCK, nullptr));
    EXPECT_EQ(ACL_ERROR_RT_CONTEXT_NULL, last_error());
  });
}

TEST_F(AclrtLaunchCallback, RefusesAStreamOfAnotherContextBeforeTheSubscription) {
  const aclrtContext mine = current_context();
  Note note;
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtCreateContext(&context, 0));
  clear_errors();
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_CONTEXT, "EE1010",
               aclrtLaunchCallback(Note::write, &note, ACL_CALLBACK_BLOCK, stream_));
  EXPECT_EQ(ACL_ERROR_RT_STREAM_CONTEXT, last_error());
  EXPECT_OK(aclrtDestroyContext(context));
  EXPECT_OK(aclrtSetCurrentContext(mine));
}

TEST_F(AclrtLaunchCallback, RefusesAStreamThatNobodyServes) {
  Note note;
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_NO_CB_REG, "EE1018",
               aclrtLaunchCallback(Note::write, &note, ACL_CALLBACK_BLOCK, stream_));
  EXPECT_EQ(ACL_ERROR_RT_STREAM_NO_CB_REG, last_error());
  EXPECT_OK(aclrtSubscribeReport(this_thread_number(), stream_));
  EXPECT_OK(aclrtUnSubscribeReport(this_thread_number(), stream_));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_NO_CB_REG, "EE1018",
               aclrtLaunchCallback(Note::write, &note, ACL_CALLBACK_BLOCK, stream_));
}

TEST_F(AclrtLaunchCallback, RefusesAStreamUsedByHostFunctions) {
  Note note;
  EXPECT_OK(aclrtLaunchHostFunc(
      stream_, [](void*) {}, nullptr));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_STREAM_SUBSCRIBE,
                    aclrtLaunchCallback(Note::write, &note, ACL_CALLBACK_BLOCK, stream_));
  EXPECT_EQ(ACL_ERROR_RT_STREAM_SUBSCRIBE, last_error());
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtLaunchCallback, WorksOnManyThreadsAtOnce) {
  const aclrtContext mine = current_context();
  ReportServer server;
  Note note;
  EXPECT_OK(aclrtSubscribeReport(server.number(), stream_));
  on_threads(4, [&] {
    ASSERT_OK(aclrtSetCurrentContext(mine));
    for (int round = 0; round < 25; ++round)
      EXPECT_OK(aclrtLaunchCallback(Note::write, &note, ACL_CALLBACK_BLOCK, stream_));
  });
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(100, note.calls);
  EXPECT_OK(aclrtUnSubscribeReport(server.number(), stream_));
}

}  // namespace
}  // namespace conformance::aclrtLaunchCallback_test
