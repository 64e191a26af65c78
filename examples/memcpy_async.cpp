// SPDX-License-Identifier: Apache-2.0
// aclrtMemcpyAsync with pinned memory: the call only queues the copy, and the host works on
// something else meanwhile. Both buffers must stay untouched until the stream is synchronised.
#include "check.h"

#include <chrono>
#include <cstdint>
#include <vector>

namespace {

double microseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
      .count();
}

}  // namespace

int main() {
  constexpr size_t kBytes = size_t{64} << 20;
  check(aclInit(nullptr));
  check(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  check(aclrtCreateStream(&stream));

  void* source = nullptr;
  void* result = nullptr;
  void* device = nullptr;
  check(aclrtMallocHost(&source, kBytes));
  check(aclrtMallocHost(&result, kBytes));
  check(aclrtMalloc(&device, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  std::memset(source, 0x5A, kBytes);
  std::memset(result, 0, kBytes);

  // The stream keeps the order: the copy back starts when the first copy is done.
  const auto start = std::chrono::steady_clock::now();
  check(aclrtMemcpyAsync(device, kBytes, source, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  check(aclrtMemcpyAsync(result, kBytes, device, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, stream));
  const double queued = microseconds_since(start);

  // Other work of the host. It must touch neither `source` nor `result`.
  std::vector<uint64_t> other(1 << 16, 3);
  uint64_t sum = 0;
  for (const uint64_t number : other)
    sum += number;
  const double worked = microseconds_since(start);

  check(aclrtSynchronizeStream(stream));
  const double finished = microseconds_since(start);
  require(std::memcmp(source, result, kBytes) == 0, "what comes back is what was sent");
  std::printf("two copies of %zu MiB queued after %.0f us\n", kBytes >> 20, queued);
  std::printf("host had summed its numbers to %llu after %.0f us\n",
              static_cast<unsigned long long>(sum), worked);
  std::printf("both copies done after %.0f us\n", finished);

  check(aclrtFree(device));
  check(aclrtFreeHost(source));
  check(aclrtFreeHost(result));
  check(aclrtDestroyStream(stream));
  check(aclrtResetDevice(0));
  check(aclFinalize());
  return 0;
}
