// SPDX-License-Identifier: Apache-2.0
// aclrtLaunchHostFunc: runs functions of the program on a thread of the library, in stream order.
#include "support/devices.h"

#include <mutex>

namespace conformance::aclrtLaunchHostFunc_test {
namespace {

using AclrtLaunchHostFunc = WithStream;

void count(void* argument) {
  ++*static_cast<std::atomic<int>*>(argument);
}

void note_thread(void* argument) {
  *static_cast<std::thread::id*>(argument) = std::this_thread::get_id();
}

TEST_F(AclrtLaunchHostFunc, CallsTheFunctionOnce) {
  std::atomic<int> calls{0};
  EXPECT_OK(aclrtLaunchHostFunc(stream_, count, &calls));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(1, calls);
}

TEST_F(AclrtLaunchHostFunc, TakesNullForTheDefaultStream) {
  std::atomic<int> calls{0};
  EXPECT_OK(aclrtLaunchHostFunc(nullptr, count, &calls));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(1, calls);
}

TEST_F(AclrtLaunchHostFunc, ReturnsBeforeTheFunctionRuns) {
  std::atomic<int> calls{0};
  Gate gate(stream_);
  EXPECT_OK(aclrtLaunchHostFunc(stream_, count, &calls));
  EXPECT_EQ(0, calls);
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(1, calls);
}

struct Step {
  std::vector<int>* order = nullptr;
  int number = 0;
  static void run(void* argument) {
    const auto* step = static_cast<Step*>(argument);
    step->order->push_back(step->number);
  }
};

TEST_F(AclrtLaunchHostFunc, KeepsTheOrderOfTheStream) {
  std::vector<int> order;
  std::vector<Step> steps(100);
  for (size_t i = 0; i < steps.size(); ++i) {
    steps[i] = {&order, static_cast<int>(i)};
    EXPECT_OK(aclrtLaunchHostFunc(stream_, Step::run, &steps[i]));
  }
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  ASSERT_EQ(steps.size(), order.size());
  for (size_t i = 0; i < steps.size(); ++i)
    EXPECT_EQ(static_cast<int>(i), order[i]);
}

struct Sight {
  const uint8_t* bytes = nullptr;
  uint8_t seen = 0;
  static void look(void* argument) {
    auto* sight = static_cast<Sight*>(argument);
    sight->seen = *sight->bytes;
  }
};

TEST_F(AclrtLaunchHostFunc, RunsBetweenTheCopiesAroundIt) {
  DeviceBuffer device(64);
  PinnedBuffer host(64);
  Sight first{host.bytes(), 0}, second{host.bytes(), 0};
  EXPECT_OK(aclrtMemsetAsync(device.get(), 64, 1, 64, stream_));
  EXPECT_OK(aclrtMemcpyAsync(host.get(), 64, device.get(), 64, ACL_MEMCPY_DEVICE_TO_HOST, stream_));
  EXPECT_OK(aclrtLaunchHostFunc(stream_, Sight::look, &first));
  EXPECT_OK(aclrtMemsetAsync(device.get(), 64, 2, 64, stream_));
  EXPECT_OK(aclrtMemcpyAsync(host.get(), 64, device.get(), 64, ACL_MEMCPY_DEVICE_TO_HOST, stream_));
  EXPECT_OK(aclrtLaunchHostFunc(stream_, Sight::look, &second));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(1, first.seen);
  EXPECT_EQ(2, second.seen);
}

TEST_F(AclrtLaunchHostFunc, HoldsUpLaterWorkOfTheStreamOnly) {
  DeviceBuffer held(64), free(64);
  aclrtStream other = nullptr;
  ASSERT_OK(aclrtCreateStream(&other));
  EXPECT_OK(aclrtMemset(held.get(), 64, 1, 64));
  Gate gate(stream_);
  EXPECT_OK(aclrtMemsetAsync(held.get(), 64, 2, 64, stream_));
  EXPECT_OK(aclrtMemsetAsync(free.get(), 64, 2, 64, other));
  EXPECT_OK(aclrtSynchronizeStream(other));  // would hang if the gate blocked it
  EXPECT_EQ(std::vector<uint8_t>(64, 2), free.read());
  EXPECT_EQ(std::vector<uint8_t>(64, 1), held.read());
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(std::vector<uint8_t>(64, 2), held.read());
  EXPECT_OK(aclrtDestroyStream(other));
}

TEST_F(AclrtLaunchHostFunc, UsesOneThreadForAContext) {
  aclrtStream other = nullptr;
  ASSERT_OK(aclrtCreateStream(&other));
  std::thread::id first, second, third;
  EXPECT_OK(aclrtLaunchHostFunc(stream_, note_thread, &first));
  EXPECT_OK(aclrtLaunchHostFunc(other, note_thread, &second));
  EXPECT_OK(aclrtLaunchHostFunc(nullptr, note_thread, &third));
  EXPECT_OK(aclrtSynchronizeDevice());
  EXPECT_NE(std::thread::id(), first);
  EXPECT_EQ(first, second);
  EXPECT_EQ(first, third);
  EXPECT_OK(aclrtDestroyStream(other));
}

TEST_F(AclrtLaunchHostFunc, UsesAnotherThreadForAnotherContext) {
  const aclrtContext mine = current_context();
  aclrtContext context = nullptr;
  std::thread::id first, second;
  EXPECT_OK(aclrtLaunchHostFunc(stream_, note_thread, &first));
  ASSERT_OK(aclrtCreateContext(&context, 0));
  EXPECT_OK(aclrtLaunchHostFunc(nullptr, note_thread, &second));
  EXPECT_OK(aclrtSynchronizeDevice());
  EXPECT_NE(first, second);
  EXPECT_OK(aclrtDestroyContext(context));
  EXPECT_OK(aclrtSetCurrentContext(mine));
}

TEST_F(AclrtLaunchHostFunc, NeverRunsOnAThreadThatSynchronises) {
  for (int round = 0; round < 50; ++round) {
    std::thread::id thread;
    EXPECT_OK(aclrtLaunchHostFunc(stream_, note_thread, &thread));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_NE(std::this_thread::get_id(), thread);
    EXPECT_NE(std::thread::id(), thread);
  }
}

TEST_F(AclrtLaunchHostFunc, RefusesAStreamThatIsNone) {
  aclrtEvent event = nullptr;
  ASSERT_OK(aclrtCreateEvent(&event));
  aclrtStream destroyed = nullptr;
  ASSERT_OK(aclrtCreateStream(&destroyed));
  ASSERT_OK(aclrtDestroyStream(destroyed));
  int variable = 0;
  for (void* stream : {event, destroyed, static_cast<void*>(&variable)}) {
    // The function is NULL as well: the handle is checked first.
    EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "EE1017",
                 aclrtLaunchHostFunc(stream, nullptr, nullptr));
    EXPECT_EQ(ACL_ERROR_RT_INVALID_HANDLE, last_error());
  }
  EXPECT_OK(aclrtDestroyEvent(event));
}

TEST_F(AclrtLaunchHostFunc, RefusesNoFunctionBeforeTheContext) {
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtLaunchHostFunc(stream_, nullptr, nullptr));
  EXPECT_EQ(ACL_ERROR_RT_PARAM_INVALID, last_error());
  on_new_thread([&] {
    EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtLaunchHostFunc(stream_, nullptr, nullptr));
    EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtLaunchHostFunc(nullptr, nullptr, nullptr));
  });
}

TEST_F(AclrtLaunchHostFunc, NeedsAContext) {
  on_new_thread([&] {
    std::atomic<int> calls{0};
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018", aclrtLaunchHostFunc(stream_, count, &calls));
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018", aclrtLaunchHostFunc(nullptr, count, &calls));
    EXPECT_EQ(ACL_ERROR_RT_CONTEXT_NULL, last_error());
  });
}

TEST_F(AclrtLaunchHostFunc, RefusesAStreamOfAnotherContext) {
  const aclrtContext mine = current_context();
  std::atomic<int> calls{0};
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtCreateContext(&context, 0));
  clear_errors();
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_CONTEXT, "EE1010", aclrtLaunchHostFunc(stream_, count, &calls));
  EXPECT_EQ(ACL_ERROR_RT_STREAM_CONTEXT, last_error());
  EXPECT_OK(aclrtDestroyContext(context));
  EXPECT_OK(aclrtSetCurrentContext(mine));
  EXPECT_EQ(0, calls);
}

TEST_F(AclrtLaunchHostFunc, RefusesAStreamThatAThreadServes) {
  std::atomic<int> calls{0};
  const auto thread = static_cast<uint64_t>(pthread_self());
  EXPECT_OK(aclrtSubscribeReport(thread, stream_));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_SUBSCRIBE, "EE1016",
               aclrtLaunchHostFunc(stream_, count, &calls));
  EXPECT_EQ(ACL_ERROR_RT_STREAM_SUBSCRIBE, last_error());
  EXPECT_OK(aclrtUnSubscribeReport(thread, stream_));
  EXPECT_EQ(0, calls);
}

TEST_F(AclrtLaunchHostFunc, WorksOnManyThreadsAtOnce) {
  const aclrtContext mine = current_context();
  std::atomic<int> calls{0};
  on_threads(4, [&] {
    ASSERT_OK(aclrtSetCurrentContext(mine));
    for (int round = 0; round < 50; ++round)
      EXPECT_OK(aclrtLaunchHostFunc(stream_, count, &calls));
  });
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(200, calls);
}

}  // namespace
}  // namespace conformance::aclrtLaunchHostFunc_test
