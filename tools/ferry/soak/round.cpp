// SPDX-License-Identifier: Apache-2.0
// One function per chapter of the API. The program is correct: the checker must not report any of
// it.
#include "soak/round.h"

#include "soak/copies.h"
#include "soak/objects.h"

#include "acl/acl.h"
#include "ferry/ferry.h"

#include <atomic>
#include <cstdint>
#include <thread>

namespace ferry::tools::soak {
namespace {

void use_streams() {
  void* raw = nullptr;
  must(aclrtCreateStreamWithConfig(&raw, 1, ACL_STREAM_FAST_LAUNCH));
  must(aclrtStreamAbort(raw));
  must(aclrtDestroyStream(raw));

  aclrtStreamConfigHandle* const config = aclrtCreateStreamConfigHandle();
  const uint32_t priority = 2;
  must(aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_PRIORITY, &priority, sizeof priority));
  must(aclrtCreateStreamV2(&raw, config));
  must(aclrtDestroyStreamConfigHandle(config));
  aclrtStreamStatus status{};
  must(aclrtStreamQuery(raw, &status));
  must(aclrtDestroyStreamForce(raw));

  // Left to the reset of the device, which destroys the streams of the default context.
  must(aclrtCreateStream(&raw));
}

void use_events_and_notifies() {
  const Owned first = make_stream();
  const Owned second = make_stream();
  const Owned start = make(aclrtDestroyEvent, aclrtCreateEventWithFlag, ACL_EVENT_TIME_LINE);
  const Owned end = make(aclrtDestroyEvent, aclrtCreateEventWithFlag, ACL_EVENT_TIME_LINE);
  const Owned event = make(aclrtDestroyEvent, aclrtCreateEventExWithFlag, ACL_EVENT_SYNC);
  const Owned notify = make(aclrtDestroyNotify, aclrtCreateNotify, ACL_NOTIFY_DEFAULT);
  must(aclrtRecordEvent(start, first));
  must(aclrtRecordEvent(event, first));
  must(aclrtStreamWaitEvent(second, event));
  must(aclrtRecordNotify(notify, first));
  must(aclrtWaitAndResetNotify(notify, second, 0));
  must(aclrtRecordEvent(end, second));
  must(aclrtSynchronizeEvent(end));
  must(aclrtSynchronizeStream(first));
  must(aclrtSynchronizeStream(second));
  float milliseconds = 0;
  must(aclrtEventElapsedTime(&milliseconds, start, end));
}

void count(void* calls) {
  auto& counter = *static_cast<std::atomic<int>*>(calls);
  counter.fetch_add(1);
  counter.notify_all();
}

// A thread of the program serves the callbacks of a stream.
void use_callbacks() {
  constexpr int kCalls = 2;
  constexpr int kMilliseconds = 1000;
  const Owned stream = make_stream();
  std::atomic<int> calls{0};
  std::thread server([&calls] {
    // A loaded machine may let the time limit pass.
    while (calls.load() < kCalls)
      static_cast<void>(aclrtProcessReport(kMilliseconds));
  });
  const uint64_t id = server.native_handle();
  must(aclrtSubscribeReport(id, stream));
  must(aclrtLaunchCallback(count, &calls, ACL_CALLBACK_BLOCK, stream));
  must(aclrtLaunchCallback(count, &calls, ACL_CALLBACK_NO_BLOCK, stream));
  must(aclrtSynchronizeStream(stream));
  for (int seen = calls.load(); seen < kCalls; seen = calls.load())
    calls.wait(seen);
  // Before it is joined: another thread may get its number then.
  must(aclrtUnSubscribeReport(id, stream));
  server.join();
}

void translate_on_device(void* memory) {
  static_cast<void>(ferryDeviceAddress(memory));
}

void use_functions() {
  const Owned stream = make_stream();
  const Owned memory = make_device_memory();
  std::atomic<int> calls{0};
  is_supported(ferryLaunchDeviceFunction(stream, translate_on_device, memory));
  must(aclrtLaunchHostFunc(stream, count, &calls));
  must(aclrtSynchronizeStream(stream));
}

void use_contexts(int32_t device) {
  aclrtContext outer = nullptr;
  must(aclrtGetCurrentContext(&outer));
  const Owned context = make(aclrtDestroyContext, aclrtCreateContext, device);
  copy_there_and_back();
  std::atomic<int> calls{0};
  aclrtStream stream = nullptr;  // destroyed with the context, as is the thread of host functions
  must(aclrtCreateStream(&stream));
  must(aclrtLaunchHostFunc(stream, count, &calls));
  must(aclrtSynchronizeStream(stream));
  must(aclrtSetCurrentContext(outer));
}

// An error has a text, which belongs to the thread.
void fail_a_call() {
  void* memory = nullptr;
  static_cast<void>(aclrtMalloc(&memory, 0, ACL_MEM_MALLOC_HUGE_FIRST));
  static_cast<void>(aclGetRecentErrMsg());
}

}  // namespace

void run_round(int32_t device) {
  must(aclrtSetDevice(device));
  use_streams();
  use_events_and_notifies();
  use_callbacks();
  use_functions();
  use_contexts(device);
  use_memory(device);
  use_copies(device);
  fail_a_call();
  must(aclrtResetDevice(device));
}

void run_alone(int32_t device) {
  must(aclrtSetDevice(device));
  void* memory = nullptr;
  must(aclrtMalloc(&memory, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  aclrtStream stream = nullptr;
  must(aclrtCreateStream(&stream));
  must(aclrtMemsetAsync(memory, kBytes, 0, kBytes, stream));
  must(aclrtSynchronizeDevice());
  must(aclrtFreeWithDevSync(memory));
  must(aclrtMallocHost(&memory, kBytes));
  must(aclrtFreeHostWithDevSync(memory));
  must(aclrtResetDeviceForce(device));
}

}  // namespace ferry::tools::soak
