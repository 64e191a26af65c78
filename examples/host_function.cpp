// SPDX-License-Identifier: Apache-2.0
// aclrtLaunchHostFunc: a function of the program between two tasks of a stream, run on a thread of
// the library. The host learns that a copy is done without synchronising the stream.
#include "check.h"

#include <condition_variable>
#include <mutex>
#include <numeric>

namespace {

constexpr size_t kBytes = 1 << 16;

struct Arrival {
  const unsigned char* bytes = nullptr;
  std::mutex mutex;
  std::condition_variable changed;
  bool has_arrived = false;
  unsigned long sum = 0;
};

// Must not allocate, queue or wait with functions of the library.
void on_arrival(void* arrival_pointer) {
  auto* arrival = static_cast<Arrival*>(arrival_pointer);
  const unsigned long sum = std::accumulate(arrival->bytes, arrival->bytes + kBytes, 0UL);
  const std::lock_guard<std::mutex> lock(arrival->mutex);
  arrival->sum = sum;
  arrival->has_arrived = true;
  arrival->changed.notify_one();
}

}  // namespace

int main() {
  check(aclInit(nullptr));
  check(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  check(aclrtCreateStream(&stream));
  void* device = nullptr;
  void* host = nullptr;
  check(aclrtMalloc(&device, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  check(aclrtMallocHost(&host, kBytes));

  Arrival arrival;
  arrival.bytes = static_cast<unsigned char*>(host);
  check(aclrtMemsetAsync(device, kBytes, 3, kBytes, stream));
  check(aclrtMemcpyAsync(host, kBytes, device, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, stream));
  check(aclrtLaunchHostFunc(stream, on_arrival, &arrival));
  // Later work on the stream waits until the function has returned.
  check(aclrtMemsetAsync(device, kBytes, 4, kBytes, stream));

  {
    std::unique_lock<std::mutex> lock(arrival.mutex);
    arrival.changed.wait(lock, [&] { return arrival.has_arrived; });
  }
  require(arrival.sum == 3 * kBytes, "the function saw the bytes of the copy before it");
  std::printf("%zu bytes arrived, their sum is %lu, without synchronising the stream\n", kBytes,
              arrival.sum);

  check(aclrtSynchronizeStream(stream));
  check(aclrtFree(device));
  check(aclrtFreeHost(host));
  check(aclrtDestroyStream(stream));
  check(aclrtResetDevice(0));
  check(aclFinalize());
  return 0;
}
