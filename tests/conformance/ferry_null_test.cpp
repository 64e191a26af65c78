// SPDX-License-Identifier: Apache-2.0
// ferryNullFail and ferryNullClear: failures of a backend, which must be returned to the caller
// with their code and a text.
#include "support/devices.h"

#include "ferry/ferry.h"

#include <functional>

namespace conformance::ferry_null_test {
namespace {

constexpr aclError kInjected = ACL_ERROR_RT_DRV_INTERNAL_ERROR;

// Objects that a call may need, created on a null device.
struct World {
  aclrtStream stream = nullptr;
  aclrtEvent event = nullptr;
  aclrtEvent unrecorded = nullptr;  // a wait for it is always queued
  aclrtNotify notify = nullptr;
  void* device = nullptr;
  void* host = nullptr;

  World() {
    EXPECT_OK(aclrtSetDevice(0));
    EXPECT_OK(aclrtCreateStream(&stream));
    EXPECT_OK(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE));
    EXPECT_OK(aclrtRecordEvent(event, stream));
    EXPECT_OK(aclrtCreateEventWithFlag(&unrecorded, ACL_EVENT_SYNC));
    EXPECT_OK(aclrtCreateNotify(&notify, ACL_NOTIFY_DEFAULT));
    EXPECT_OK(aclrtMalloc(&device, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
    EXPECT_OK(aclrtMallocHost(&host, 4096));
  }
};

struct Row {
  const char* slot;
  const char* function;  // the call that must fail with the code of the slot
  std::function<aclError(World&)> call;
};

void nothing(void*) {}

std::vector<Row> memory_rows() {
  return {
      {"device_memory", "aclrtGetMemInfo",
       [](World&) {
         size_t free = 0, total = 0;
         return aclrtGetMemInfo(ACL_HBM_MEM, &free, &total);
       }},
      {"memory_alloc", "aclrtMalloc",
       [](World&) {
         void* memory = nullptr;
         return aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST);
       }},
      {"host_alloc", "aclrtMallocHost",
       [](World&) {
         void* memory = nullptr;
         return aclrtMallocHost(&memory, 64);
       }},
      {"host_register", "aclrtHostRegisterV2",
       [](World&) {
         static char memory[4096];
         return aclrtHostRegisterV2(memory, sizeof memory, ACL_HOST_REG_PINNED);
       }},
      {"copy", "aclrtMemcpy",
       [](World& w) { return aclrtMemcpy(w.device, 64, w.host, 64, ACL_MEMCPY_HOST_TO_DEVICE); }},
      {"copy_2d", "aclrtMemcpy2d",
       [](World& w) {
         return aclrtMemcpy2d(w.device, 64, w.host, 64, 32, 2, ACL_MEMCPY_HOST_TO_DEVICE);
       }},
      {"fill", "aclrtMemset", [](World& w) { return aclrtMemset(w.device, 64, 0, 64); }},
  };
}

std::vector<Row> queue_rows() {
  return {
      {"queue_create", "aclrtCreateStream",
       [](World&) {
         aclrtStream stream = nullptr;
         return aclrtCreateStream(&stream);
       }},
      {"queue_copy", "aclrtMemcpyAsync",
       [](World& w) {
         return aclrtMemcpyAsync(w.device, 64, w.host, 64, ACL_MEMCPY_HOST_TO_DEVICE, w.stream);
       }},
      {"queue_copy_2d", "aclrtMemcpy2dAsync",
       [](World& w) {
         return aclrtMemcpy2dAsync(w.device, 64, w.host, 64, 32, 2, ACL_MEMCPY_HOST_TO_DEVICE,
                                   w.stream);
       }},
      {"queue_copy_described", "aclrtMemcpyAsyncWithDesc",
       [](World& w) {
         return aclrtMemcpyAsyncWithDesc(w.device, ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, w.stream);
       }},
      {"queue_copy_indirect", "aclrtMemcpyAsyncWithOffset",
       [](World& w) {
         return aclrtMemcpyAsyncWithOffset(static_cast<void**>(w.device), 64, 0,
                                           static_cast<const void**>(w.device), 64, 0,
                                           ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, w.stream);
       }},
      {"queue_fill", "aclrtMemsetAsync",
       [](World& w) { return aclrtMemsetAsync(w.device, 64, 0, 64, w.stream); }},
      {"queue_reduce", "aclrtReduceAsync",
       [](World& w) {
         return aclrtReduceAsync(w.device, w.device, 64, ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM,
                                 ACL_FLOAT, w.stream, nullptr);
       }},
      {"queue_callout", "aclrtLaunchHostFunc",
       [](World& w) { return aclrtLaunchHostFunc(w.stream, nothing, nullptr); }},
      {"queue_function", "ferryLaunchDeviceFunction",
       [](World& w) { return ferryLaunchDeviceFunction(w.stream, nothing, nullptr); }},
      {"queue_query", "aclrtStreamQuery",
       [](World& w) {
         aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
         return aclrtStreamQuery(w.stream, &status);
       }},
      {"queue_synchronize", "aclrtSynchronizeStream",
       [](World& w) { return aclrtSynchronizeStream(w.stream); }},
      {"queue_synchronize", "aclrtSynchronizeDevice",
       [](World&) { return aclrtSynchronizeDevice(); }},
      {"queue_abort", "aclrtStreamAbort", [](World& w) { return aclrtStreamAbort(w.stream); }},
  };
}

std::vector<Row> marker_and_flag_rows() {
  return {
      {"marker_create", "aclrtRecordEvent",
       [](World& w) { return aclrtRecordEvent(w.event, w.stream); }},
      {"queue_mark", "aclrtRecordEvent",
       [](World& w) { return aclrtRecordEvent(w.event, w.stream); }},
      {"queue_await", "aclrtStreamWaitEvent",
       [](World& w) { return aclrtStreamWaitEvent(w.stream, w.unrecorded); }},
      {"marker_query", "aclrtQueryEventStatus",
       [](World& w) {
         aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
         return aclrtQueryEventStatus(w.event, &status);
       }},
      {"marker_synchronize", "aclrtSynchronizeEvent",
       [](World& w) { return aclrtSynchronizeEvent(w.event); }},
      {"marker_time", "aclrtEventGetTimestamp",
       [](World& w) {
         uint64_t time = 0;
         return aclrtEventGetTimestamp(w.event, &time);
       }},
      {"flag_create", "aclrtCreateNotify",
       [](World&) {
         aclrtNotify notify = nullptr;
         return aclrtCreateNotify(&notify, ACL_NOTIFY_DEFAULT);
       }},
      {"flag_clear", "aclrtNotifyBatchReset",
       [](World& w) { return aclrtNotifyBatchReset(&w.notify, 1); }},
      {"queue_set_flag", "aclrtRecordNotify",
       [](World& w) { return aclrtRecordNotify(w.notify, w.stream); }},
      {"queue_take_flag", "aclrtWaitAndResetNotify",
       [](World& w) { return aclrtWaitAndResetNotify(w.notify, w.stream, 0); }},
  };
}

void expect_failures_reach_the_caller(const std::vector<Row>& rows) {
  World world;
  for (const Row& row : rows) {
    SCOPED_TRACE(std::string(row.slot) + " in " + row.function);
    clear_errors();
    EXPECT_OK(ferryNullFail(row.slot, 0, kInjected));
    EXPECT_TRUE(fails_as("", "", row.function, kInjected, "", row.call(world)));
    EXPECT_EQ(kInjected, last_error());
    EXPECT_OK(ferryNullClear());
    EXPECT_EQ(ACL_SUCCESS, row.call(world)) << recent_text();
  }
}

FERRY_PROCESS_TEST(FerryNullFail, ReachesCallsAboutMemory, "FERRY_DEVICES=null") {
  expect_failures_reach_the_caller(memory_rows());
}

FERRY_PROCESS_TEST(FerryNullFail, ReachesCallsAboutStreams, "FERRY_DEVICES=null") {
  expect_failures_reach_the_caller(queue_rows());
}

FERRY_PROCESS_TEST(FerryNullFail, ReachesCallsAboutEventsAndNotifies, "FERRY_DEVICES=null") {
  expect_failures_reach_the_caller(marker_and_flag_rows());
}

FERRY_PROCESS_TEST(FerryNullFail, ReachesTheOpeningOfADevice, "FERRY_DEVICES=null:2") {
  EXPECT_OK(ferryNullFail("device_open", 0, kInjected));
  const aclError code = aclrtSetDevice(1);
  EXPECT_TRUE(code == kInjected || code == ACL_ERROR_RT_DEV_SETUP_ERROR) << code;
  EXPECT_EQ(0u, recent_text().find("aclrtSetDevice: "));
  aclrtContext context = nullptr;
  EXPECT_NE(ACL_SUCCESS, aclrtCreateContext(&context, 1));
  EXPECT_EQ(nullptr, context);
  EXPECT_OK(ferryNullClear());
  EXPECT_OK(aclrtSetDevice(1));
}

FERRY_PROCESS_TEST(FerryNullFail, ReachesThePeerSwitches, "FERRY_DEVICES=null:2") {
  ASSERT_OK(aclrtSetDevice(0));
  EXPECT_OK(ferryNullFail("peer_enable", 1, kInjected));
  EXPECT_FAILS_WITH(kInjected, aclrtDeviceEnablePeerAccess(1, 0));
  int32_t status = -1;
  EXPECT_OK(aclrtDevicePeerAccessStatus(0, 1, &status));
  EXPECT_EQ(0, status);
  EXPECT_OK(aclrtDeviceEnablePeerAccess(1, 0));
  EXPECT_OK(ferryNullFail("peer_disable", 1, kInjected));
  EXPECT_FAILS_WITH(kInjected, aclrtDeviceDisablePeerAccess(1));
}

FERRY_PROCESS_TEST(FerryNull, ReleasesWhatItCreates, "FERRY_DEVICES=null") {
  World world;
  alignas(4096) static char registered[4096];
  void* address = nullptr;
  EXPECT_OK(aclrtHostRegister(registered, sizeof registered, ACL_HOST_REGISTER_MAPPED, &address));
  EXPECT_OK(aclrtHostUnregister(registered));
  EXPECT_OK(aclrtStreamAbort(world.stream));
  EXPECT_OK(aclrtSynchronizeStreamWithTimeout(world.stream, 1000));
  EXPECT_OK(aclrtDestroyNotify(world.notify));
  EXPECT_OK(aclrtDestroyEvent(world.event));
  EXPECT_OK(aclrtDestroyEvent(world.unrecorded));
  EXPECT_OK(aclrtDestroyStreamForce(world.stream));
  EXPECT_OK(aclrtFree(world.device));
  EXPECT_OK(aclrtFreeHost(world.host));
  EXPECT_OK(aclrtResetDevice(0));
}

FERRY_PROCESS_TEST(FerryNullFail, CountsCallsFromNowOn, "FERRY_DEVICES=null") {
  World world;
  EXPECT_OK(ferryNullFail("queue_fill", 3, kInjected));
  for (int call = 1; call <= 5; ++call) {
    EXPECT_EQ(call == 3 ? kInjected : ACL_SUCCESS,
              aclrtMemsetAsync(world.device, 64, 0, 64, world.stream))
        << call;
  }
}

FERRY_PROCESS_TEST(FerryNullFail, HandsOnAnyCode, "FERRY_DEVICES=null") {
  World world;
  for (const aclError code : {ACL_ERROR_RT_MEMORY_ALLOCATION, ACL_ERROR_RT_NO_STREAM_RESOURCE,
                              ACL_ERROR_RT_TS_ERROR, ACL_ERROR_BAD_ALLOC}) {
    EXPECT_OK(ferryNullFail("queue_create", 1, code));
    aclrtStream stream = nullptr;
    EXPECT_FAILS_WITH(code, aclrtCreateStream(&stream));
    EXPECT_EQ(nullptr, stream);
  }
}

FERRY_PROCESS_TEST(FerryNullFail, RefusesSlotsThatCannotFail, "FERRY_DEVICES=null") {
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, ferryNullFail(nullptr, 1, kInjected));
  for (const char* slot :
       {"", "nonsense", "aclrtMalloc", "memory_free", "host_free", "host_unregister",
        "queue_destroy", "callout_done", "marker_retain", "marker_release", "flag_release"}) {
    EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, ferryNullFail(slot, 1, kInjected)) << slot;
  }
}

FERRY_PROCESS_TEST(FerryNullFail, DoesNotTouchOtherBackends, "FERRY_DEVICES=cpu") {
  EXPECT_OK(ferryNullFail("memory_alloc", 0, kInjected));
  ASSERT_OK(aclrtSetDevice(0));
  DeviceBuffer buffer(64);
  EXPECT_OK(ferryNullClear());
}

}  // namespace
}  // namespace conformance::ferry_null_test
