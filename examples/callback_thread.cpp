// SPDX-License-Identifier: Apache-2.0
// Callbacks on the program's own thread: aclrtSubscribeReport names the thread, which calls
// aclrtProcessReport in a loop, and aclrtLaunchCallback queues a call between two copies.
#include "check.h"

#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <thread>

namespace {

constexpr size_t kBytes = 1 << 16;

struct Block {
  char* bytes;
  std::thread::id seen_on;
  char first_byte;
};

// Runs inside aclrtProcessReport. It may read memory and notify other threads, but must not
// allocate, queue or wait with functions of the library.
void look_at(void* block_pointer) {
  auto* block = static_cast<Block*>(block_pointer);
  block->seen_on = std::this_thread::get_id();
  block->first_byte = block->bytes[0];
}

void serve(const std::atomic<bool>& is_done) {
  while (!is_done.load()) {
    const aclError code = aclrtProcessReport(100);
    // No callback within 100 ms, or not subscribed yet: check is_done and wait again.
    if (code == ACL_ERROR_RT_REPORT_TIMEOUT || code == ACL_ERROR_RT_THREAD_SUBSCRIBE) continue;
    check(code);
  }
}

}  // namespace

int main() {
  check(aclInit(nullptr));
  check(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  check(aclrtCreateStream(&stream));
  void* device = nullptr;
  char* host = nullptr;
  check(aclrtMalloc(&device, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  check(aclrtMallocHost(reinterpret_cast<void**>(&host), kBytes));

  std::atomic<bool> is_done{false};
  std::thread server([&] { serve(is_done); });
  const auto server_id =
      static_cast<uint64_t>(server.native_handle());  // the value of pthread_self
  const std::thread::id server_thread = server.get_id();
  check(aclrtSubscribeReport(server_id, stream));

  Block block{host, {}, 0};
  check(aclrtMemsetAsync(device, kBytes, 7, kBytes, stream));
  check(aclrtMemcpyAsync(host, kBytes, device, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, stream));
  // BLOCK: the stream waits for the callback, so the copy queued after it cannot change what it
  // sees.
  check(aclrtLaunchCallback(look_at, &block, ACL_CALLBACK_BLOCK, stream));
  check(aclrtMemsetAsync(device, kBytes, 8, kBytes, stream));
  check(aclrtMemcpyAsync(host, kBytes, device, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, stream));
  check(aclrtSynchronizeStream(stream));

  require(block.seen_on == server_thread, "the callback ran on the thread that serves the stream");
  require(block.first_byte == 7, "it ran after the first copy and before the second");
  require(host[0] == 8, "the second copy came after it");
  std::printf("callback saw %d on its own thread; afterwards the memory held %d\n",
              block.first_byte, host[0]);

  check(aclrtUnSubscribeReport(server_id, stream));
  is_done = true;
  server.join();
  check(aclrtFree(device));
  check(aclrtFreeHost(host));
  check(aclrtDestroyStream(stream));
  check(aclrtResetDevice(0));
  check(aclFinalize());
  return 0;
}
