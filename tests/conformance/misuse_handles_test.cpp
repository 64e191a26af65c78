// SPDX-License-Identifier: Apache-2.0
// Misuse never crashes the process: destroyed handles, handles of another kind of object, and
// values that are not handles, in every argument that takes one.
#include "support/report_server.h"

#include "ferry/ferry.h"

#include <functional>

namespace conformance::misuse_handles_test {
namespace {

void nothing(void*) {}

// Live objects for the other arguments of a call, and a collection of wrong handles.
class MisuseHandles : public WithStream {
 protected:
  void SetUp() override {
    WithStream::SetUp();
    ASSERT_OK(aclrtCreateEventWithFlag(&event_, ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE));
    ASSERT_OK(aclrtCreateNotify(&notify_, ACL_NOTIFY_DEFAULT));
    ASSERT_OK(aclrtMalloc(&device_, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
    ASSERT_OK(aclrtMallocHost(&host_, 4096));
    ASSERT_OK(aclrtCreateStream(&dead_stream_));
    ASSERT_OK(aclrtDestroyStream(dead_stream_));
    ASSERT_OK(aclrtCreateEvent(&dead_event_));
    ASSERT_OK(aclrtDestroyEvent(dead_event_));
    ASSERT_OK(aclrtCreateNotify(&dead_notify_, ACL_NOTIFY_DEFAULT));
    ASSERT_OK(aclrtDestroyNotify(dead_notify_));
  }
  void TearDown() override {
    EXPECT_OK(aclrtFreeHost(host_));
    EXPECT_OK(aclrtFree(device_));
    EXPECT_OK(aclrtDestroyNotify(notify_));
    EXPECT_OK(aclrtDestroyEvent(event_));
    WithStream::TearDown();
  }

  // All values that are not a live object of the kind of `live`.
  std::vector<void*> wrong_handles(void* live) {
    std::vector<void*> all = {dead_stream_,
                              dead_event_,
                              dead_notify_,
                              current_context(),
                              device_,
                              host_,
                              &variable_,
                              reinterpret_cast<void*>(nothing),
                              reinterpret_cast<void*>(uintptr_t{1}),
                              reinterpret_cast<void*>(uintptr_t{0x1000}),
                              reinterpret_cast<void*>(uintptr_t{0x123456789ABCDEF0}),
                              reinterpret_cast<void*>(~uintptr_t{0}),
                              static_cast<char*>(live) + 1,
                              static_cast<char*>(live) + 8,
                              static_cast<char*>(live) - 8};
    for (void* object : {stream_, event_, notify_}) {
      if (object != live) all.push_back(object);
    }
    return all;
  }

  struct Row {
    const char* function;
    std::function<aclError(void*)> call;
  };

  void expect_refusals(const std::vector<Row>& rows, void* live) {
    for (const Row& row : rows) {
      for (void* handle : wrong_handles(live)) {
        clear_errors();
        EXPECT_TRUE(
            fails_as("", "", row.function, ACL_ERROR_RT_INVALID_HANDLE, "EE1017", row.call(handle)))
            << "handle " << handle;
        EXPECT_EQ(ACL_ERROR_RT_INVALID_HANDLE, last_error()) << row.function;
      }
    }
  }

  std::vector<Row> copies_by_stream();
  std::vector<Row> calls_by_stream();
  std::vector<Row> queueing_by_stream();
  std::vector<Row> calls_by_event();

  aclrtEvent event_ = nullptr;
  aclrtNotify notify_ = nullptr;
  void* device_ = nullptr;
  void* host_ = nullptr;
  void *dead_stream_ = nullptr, *dead_event_ = nullptr, *dead_notify_ = nullptr;
  uint64_t variable_[8] = {};
};

std::vector<MisuseHandles::Row> MisuseHandles::copies_by_stream() {
  const auto batch = [this](void* s, bool with_index) {
    void *destination = device_, *source = host_;
    size_t size = 64, first = 0, fail_index = 0;
    aclrtMemcpyBatchAttr attribute = {};
    attribute.dstLoc.type = ACL_MEM_LOCATION_TYPE_DEVICE;
    return with_index ? aclrtMemcpyBatchAsync(&destination, &size, &source, &size, 1, &attribute,
                                              &first, 1, &fail_index, s)
                      : aclrtMemcpyBatchAsyncV2(&destination, &size, &source, &size, 1, &attribute,
                                                &first, 1, s);
  };
  return {
      {"aclrtMemcpyAsync",
       [this](void* s) {
         return aclrtMemcpyAsync(device_, 64, host_, 64, ACL_MEMCPY_HOST_TO_DEVICE, s);
       }},
      {"aclrtMemcpyAsyncWithCondition",
       [this](void* s) {
         return aclrtMemcpyAsyncWithCondition(device_, 64, host_, 64, ACL_MEMCPY_HOST_TO_DEVICE, s);
       }},
      {"aclrtMemcpy2dAsync",
       [this](void* s) {
         return aclrtMemcpy2dAsync(device_, 8, host_, 8, 8, 8, ACL_MEMCPY_HOST_TO_DEVICE, s);
       }},
      {"aclrtMemcpyBatchAsync", [batch](void* s) { return batch(s, true); }},
      {"aclrtMemcpyBatchAsyncV2", [batch](void* s) { return batch(s, false); }},
      {"aclrtMemcpyAsyncWithDesc",
       [this](void* s) {
         return aclrtMemcpyAsyncWithDesc(device_, ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, s);
       }},
      {"aclrtMemcpyAsyncWithOffset",
       [this](void* s) {
         return aclrtMemcpyAsyncWithOffset(static_cast<void**>(device_), 64, 0,
                                           static_cast<const void**>(device_), 64, 0,
                                           ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, s);
       }},
      {"aclrtMemsetAsync", [this](void* s) { return aclrtMemsetAsync(device_, 64, 0, 64, s); }},
      {"aclrtMemsetD32Async",
       [this](void* s) { return aclrtMemsetD32Async(device_, 64, 0, 16, s); }},
  };
}

std::vector<MisuseHandles::Row> MisuseHandles::calls_by_stream() {
  static int32_t s_number;
  static uint32_t s_word;
  static aclrtStreamStatus s_status;
  static aclrtStreamAttrValue s_value;
  return {
      {"aclrtDestroyStream", aclrtDestroyStream},
      {"aclrtDestroyStreamForce", aclrtDestroyStreamForce},
      {"aclrtSynchronizeStream", aclrtSynchronizeStream},
      {"aclrtSynchronizeStreamWithTimeout",
       [](void* s) { return aclrtSynchronizeStreamWithTimeout(s, 1); }},
      {"aclrtStreamQuery", [](void* s) { return aclrtStreamQuery(s, &s_status); }},
      {"aclrtStreamAbort", aclrtStreamAbort},
      {"aclrtStreamGetId", [](void* s) { return aclrtStreamGetId(s, &s_number); }},
      {"aclrtStreamGetPriority", [](void* s) { return aclrtStreamGetPriority(s, &s_word); }},
      {"aclrtStreamGetFlags", [](void* s) { return aclrtStreamGetFlags(s, &s_word); }},
      {"aclrtSetStreamFailureMode", [](void* s) { return aclrtSetStreamFailureMode(s, 0); }},
      {"aclrtSetStreamAttribute",
       [](void* s) {
         return aclrtSetStreamAttribute(s, ACL_STREAM_ATTR_USER_CUSTOM_TAG, &s_value);
       }},
      {"aclrtGetStreamAttribute",
       [](void* s) {
         return aclrtGetStreamAttribute(s, ACL_STREAM_ATTR_USER_CUSTOM_TAG, &s_value);
       }},
      {"aclrtSetStreamOverflowSwitch", [](void* s) { return aclrtSetStreamOverflowSwitch(s, 0); }},
      {"aclrtGetStreamOverflowSwitch",
       [](void* s) { return aclrtGetStreamOverflowSwitch(s, &s_word); }},
  };
}

std::vector<MisuseHandles::Row> MisuseHandles::queueing_by_stream() {
  return {
      {"aclrtRecordEvent", [this](void* s) { return aclrtRecordEvent(event_, s); }},
      {"aclrtRecordEventWithFlag",
       [this](void* s) { return aclrtRecordEventWithFlag(event_, s, 0); }},
      {"aclrtResetEvent", [this](void* s) { return aclrtResetEvent(event_, s); }},
      {"aclrtStreamWaitEvent", [this](void* s) { return aclrtStreamWaitEvent(s, event_); }},
      {"aclrtStreamWaitEventWithFlag",
       [this](void* s) { return aclrtStreamWaitEventWithFlag(s, event_, 0, 0); }},
      {"aclrtStreamWaitEventWithTimeout",
       [this](void* s) { return aclrtStreamWaitEventWithTimeout(s, event_, 0); }},
      {"aclrtRecordNotify", [this](void* s) { return aclrtRecordNotify(notify_, s); }},
      {"aclrtWaitAndResetNotify",
       [this](void* s) { return aclrtWaitAndResetNotify(notify_, s, 0); }},
      {"aclrtSubscribeReport",
       [](void* s) { return aclrtSubscribeReport(this_thread_number(), s); }},
      {"aclrtUnSubscribeReport",
       [](void* s) { return aclrtUnSubscribeReport(this_thread_number(), s); }},
      {"aclrtLaunchCallback",
       [](void* s) { return aclrtLaunchCallback(nothing, nullptr, ACL_CALLBACK_BLOCK, s); }},
      {"aclrtLaunchHostFunc", [](void* s) { return aclrtLaunchHostFunc(s, nothing, nullptr); }},
      {"ferryLaunchDeviceFunction",
       [](void* s) { return ferryLaunchDeviceFunction(s, nothing, nullptr); }},
  };
}

std::vector<MisuseHandles::Row> MisuseHandles::calls_by_event() {
  static aclrtEventStatus s_status;
  static aclrtEventRecordedStatus s_recorded;
  static aclrtEventWaitStatus s_wait;
  static float s_ms;
  static uint64_t s_time;
  static uint32_t s_id;
  return {
      {"aclrtDestroyEvent", aclrtDestroyEvent},
      {"aclrtRecordEvent", [this](void* e) { return aclrtRecordEvent(e, stream_); }},
      {"aclrtRecordEventWithFlag",
       [this](void* e) { return aclrtRecordEventWithFlag(e, stream_, 0); }},
      {"aclrtResetEvent", [this](void* e) { return aclrtResetEvent(e, stream_); }},
      {"aclrtStreamWaitEvent", [this](void* e) { return aclrtStreamWaitEvent(stream_, e); }},
      {"aclrtStreamWaitEventWithFlag",
       [this](void* e) { return aclrtStreamWaitEventWithFlag(stream_, e, 0, 0); }},
      {"aclrtStreamWaitEventWithTimeout",
       [this](void* e) { return aclrtStreamWaitEventWithTimeout(stream_, e, 0); }},
      {"aclrtQueryEvent", [](void* e) { return aclrtQueryEvent(e, &s_status); }},
      {"aclrtQueryEventStatus", [](void* e) { return aclrtQueryEventStatus(e, &s_recorded); }},
      {"aclrtQueryEventWaitStatus", [](void* e) { return aclrtQueryEventWaitStatus(e, &s_wait); }},
      {"aclrtSynchronizeEvent", aclrtSynchronizeEvent},
      {"aclrtSynchronizeEventWithTimeout",
       [](void* e) { return aclrtSynchronizeEventWithTimeout(e, 1); }},
      {"aclrtEventElapsedTime",
       [this](void* e) { return aclrtEventElapsedTime(&s_ms, e, event_); }},
      {"aclrtEventElapsedTime",
       [this](void* e) { return aclrtEventElapsedTime(&s_ms, event_, e); }},
      {"aclrtEventGetTimestamp", [](void* e) { return aclrtEventGetTimestamp(e, &s_time); }},
      {"aclrtGetEventId", [](void* e) { return aclrtGetEventId(e, &s_id); }},
  };
}

TEST_F(MisuseHandles, WrongStreamsAreRefusedByCopies) {
  expect_refusals(copies_by_stream(), stream_);
}

TEST_F(MisuseHandles, WrongStreamsAreRefusedByCallsAboutStreams) {
  expect_refusals(calls_by_stream(), stream_);
}

TEST_F(MisuseHandles, WrongStreamsAreRefusedByCallsThatQueue) {
  expect_refusals(queueing_by_stream(), stream_);
}

TEST_F(MisuseHandles, WrongEventsAreRefused) {
  expect_refusals(calls_by_event(), event_);
}

TEST_F(MisuseHandles, WrongNotifiesAreRefused) {
  static uint32_t s_id;
  const auto reset = [this](void* n) {
    aclrtNotify notifies[] = {notify_, n};
    return aclrtNotifyBatchReset(notifies, 2);
  };
  expect_refusals(
      {
          {"aclrtDestroyNotify", aclrtDestroyNotify},
          {"aclrtRecordNotify", [this](void* n) { return aclrtRecordNotify(n, stream_); }},
          {"aclrtWaitAndResetNotify",
           [this](void* n) { return aclrtWaitAndResetNotify(n, stream_, 0); }},
          {"aclrtGetNotifyId", [](void* n) { return aclrtGetNotifyId(n, &s_id); }},
          {"aclrtNotifyBatchReset", reset},
      },
      notify_);
}

TEST_F(MisuseHandles, WrongContextsAreRefused) {
  const aclrtContext mine = current_context();
  aclrtContext dead = nullptr;
  ASSERT_OK(aclrtCreateContext(&dead, 0));
  ASSERT_OK(aclrtDestroyContext(dead));
  ASSERT_OK(aclrtSetCurrentContext(mine));
  std::vector<void*> wrong = wrong_handles(mine);
  wrong.push_back(dead);
  for (void* handle : wrong) {
    if (handle == mine) continue;
    EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtSetCurrentContext(handle));
    EXPECT_FAILS_WITH(ACL_ERROR_RT_CONTEXT_NULL, aclrtDestroyContext(handle));
  }
  EXPECT_EQ(mine, current_context());
}

TEST_F(MisuseHandles, WrongDataBuffersAreRefused) {
  aclDataBuffer* dead = aclCreateDataBuffer(variable_, sizeof variable_);
  ASSERT_OK(aclDestroyDataBuffer(dead));
  std::vector<void*> wrong = wrong_handles(stream_);
  wrong.push_back(dead);
  wrong.push_back(stream_);
  for (void* handle : wrong) {
    auto* buffer = static_cast<aclDataBuffer*>(handle);
    EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, aclDestroyDataBuffer(buffer));
    EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, aclUpdateDataBuffer(buffer, variable_, 1));
    EXPECT_EQ(nullptr, aclGetDataBufferAddr(buffer));
    EXPECT_EQ(0u, aclGetDataBufferSizeV2(buffer));
  }
}

TEST_F(MisuseHandles, DestroyedHandlesStayDeadWhenNewOnesAreMade) {
  std::vector<aclrtStream> streams(50);
  for (aclrtStream& stream : streams)
    ASSERT_OK(aclrtCreateStream(&stream));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "EE1017", aclrtSynchronizeStream(dead_stream_));
  for (const aclrtStream stream : streams) {
    EXPECT_NE(dead_stream_, stream);
    EXPECT_OK(aclrtDestroyStream(stream));
  }
}

}  // namespace
}  // namespace conformance::misuse_handles_test
