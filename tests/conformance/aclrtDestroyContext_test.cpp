// SPDX-License-Identifier: Apache-2.0
// aclrtDestroyContext: destroys a context with its streams.
#include "support/devices.h"

#include <condition_variable>
#include <mutex>

namespace conformance::aclrtDestroyContext_test {
namespace {

using AclrtDestroyContext = WithDevice;

TEST_F(AclrtDestroyContext, LeavesTheThreadWithoutAContext) {
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtCreateContext(&context, 0));
  EXPECT_OK(aclrtDestroyContext(context));
  EXPECT_EQ(nullptr, current_context());
  void* memory = nullptr;
  EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
               aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST));
}

TEST_F(AclrtDestroyContext, LeavesAnotherCurrentContextAlone) {
  const aclrtContext mine = current_context();
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtCreateContext(&context, 0));
  ASSERT_OK(aclrtSetCurrentContext(mine));
  EXPECT_OK(aclrtDestroyContext(context));
  EXPECT_EQ(mine, current_context());
}

TEST_F(AclrtDestroyContext, TakesTheContextFromOtherThreads) {
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtCreateContext(&context, 0));
  on_new_thread([&] {
    ASSERT_OK(aclrtSetCurrentContext(context));
    on_new_thread([&] { EXPECT_OK(aclrtDestroyContext(context)); });
    EXPECT_EQ(nullptr, current_context());
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018", aclrtSynchronizeDevice());
  });
}

TEST_F(AclrtDestroyContext, EndsTheStreamsOfTheContext) {
  const aclrtContext mine = current_context();
  aclrtContext context = nullptr;
  aclrtStream stream = nullptr, default_stream = nullptr;
  ASSERT_OK(aclrtCreateContext(&context, 0));
  ASSERT_OK(aclrtCreateStream(&stream));
  ASSERT_OK(aclrtCtxGetCurrentDefaultStream(&default_stream));
  EXPECT_OK(aclrtDestroyContext(context));
  ASSERT_OK(aclrtSetCurrentContext(mine));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "EE1017", aclrtSynchronizeStream(stream));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "EE1017", aclrtSynchronizeStream(default_stream));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "EE1017", aclrtDestroyStream(stream));
}

TEST_F(AclrtDestroyContext, WaitsForTheWork) {
  const aclrtContext mine = current_context();
  DeviceBuffer device(256);
  PinnedBuffer source(256);
  source.fill(pattern(256));
  aclrtContext context = nullptr;
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCreateContext(&context, 0));
  ASSERT_OK(aclrtCreateStream(&stream));
  Gate gate(stream);
  EXPECT_OK(
      aclrtMemcpyAsync(device.get(), 256, source.get(), 256, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  ASSERT_OK(aclrtSetCurrentContext(mine));
  Caller destroyer(nullptr, [&] { return aclrtDestroyContext(context); });
  EXPECT_FALSE(destroyer.has_returned());
  gate.open();
  EXPECT_EQ(ACL_SUCCESS, destroyer.join()) << destroyer.text();
  EXPECT_EQ(pattern(256), device.read());
}

TEST_F(AclrtDestroyContext, RefusesNull) {
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtDestroyContext(nullptr));
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

TEST_F(AclrtDestroyContext, RefusesTheDefaultContext) {
  const aclrtContext mine = current_context();
  EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1017", aclrtDestroyContext(mine));
  EXPECT_EQ(ACL_ERROR_RT_CONTEXT_NULL, last_error());
  EXPECT_EQ(mine, current_context());
  EXPECT_OK(aclrtSynchronizeDevice());
}

TEST_F(AclrtDestroyContext, RefusesASecondTime) {
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtCreateContext(&context, 0));
  EXPECT_OK(aclrtDestroyContext(context));
  clear_errors();
  EXPECT_FAILS_WITH(ACL_ERROR_RT_CONTEXT_NULL, aclrtDestroyContext(context));
  EXPECT_EQ(ACL_ERROR_RT_CONTEXT_NULL, last_error());
}

TEST_F(AclrtDestroyContext, RefusesWhatIsNoContext) {
  aclrtStream stream = nullptr;
  aclrtEvent event = nullptr;
  ASSERT_OK(aclrtCreateStream(&stream));
  ASSERT_OK(aclrtCreateEvent(&event));
  int variable = 0;
  for (void* handle : {stream, event, static_cast<void*>(&variable), reinterpret_cast<void*>(1),
                       reinterpret_cast<void*>(~uintptr_t{0})}) {
    clear_errors();
    EXPECT_FAILS_WITH(ACL_ERROR_RT_CONTEXT_NULL, aclrtDestroyContext(handle));
    EXPECT_EQ(ACL_ERROR_RT_CONTEXT_NULL, last_error());
  }
  EXPECT_OK(aclrtDestroyEvent(event));
  EXPECT_OK(aclrtDestroyStream(stream));
}

// Of two threads that destroy a busy context, one waits for its work; only the other can return.
TEST_F(AclrtDestroyContext, TellsTheSecondOfTwoThreads) {
  const aclrtContext mine = current_context();
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtCreateContext(&context, 0));
  Gate gate(nullptr);
  ASSERT_OK(aclrtSetCurrentContext(mine));
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<aclError> codes;
  const auto destroy = [&] {
    const aclError code = aclrtDestroyContext(context);
    const std::lock_guard lock(mutex);
    codes.push_back(code);
    changed.notify_all();
  };
  std::thread first(destroy), second(destroy);
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return !codes.empty(); });
    EXPECT_EQ(std::vector<aclError>{ACL_ERROR_RT_CONTEXT_RELEASE_ERROR}, codes);
  }
  gate.open();
  first.join();
  second.join();
  ASSERT_EQ(2u, codes.size());
  EXPECT_EQ(ACL_SUCCESS, codes[1]);
}

TEST_F(AclrtDestroyContext, KeepsDeviceMemory) {
  const aclrtContext mine = current_context();
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtCreateContext(&context, 0));
  {
    DeviceBuffer buffer(256);
    buffer.write(pattern(256));
    EXPECT_OK(aclrtDestroyContext(context));
    ASSERT_OK(aclrtSetCurrentContext(mine));
    EXPECT_EQ(pattern(256), buffer.read());
  }
}

}  // namespace
}  // namespace conformance::aclrtDestroyContext_test
