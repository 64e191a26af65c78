// SPDX-License-Identifier: Apache-2.0
// aclrtMemcpyAsync with pageable memory (malloc, new, std::vector) blocks despite its name: it
// waits for all earlier work of the stream, copies, and returns when the bytes have arrived.
#include "check.h"

#include <chrono>
#include <vector>

namespace {

constexpr size_t kBytes = size_t{16} << 20;

bool is_idle(aclrtStream stream) {
  aclrtStreamStatus status = ACL_STREAM_STATUS_NOT_READY;
  check(aclrtStreamQuery(stream, &status));
  return status == ACL_STREAM_STATUS_COMPLETE;
}

// Queues work from pinned memory, then times one more copy from `source`.
double time_call(void* device, void* pinned, const void* source, aclrtStream stream) {
  for (int i = 0; i < 8; ++i) {
    check(aclrtMemcpyAsync(device, kBytes, pinned, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  }
  const auto start = std::chrono::steady_clock::now();
  check(aclrtMemcpyAsync(device, kBytes, source, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
      .count();
}

}  // namespace

int main() {
  check(aclInit(nullptr));
  check(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  check(aclrtCreateStream(&stream));
  void* pinned = nullptr;
  void* device = nullptr;
  check(aclrtMallocHost(&pinned, kBytes));
  check(aclrtMalloc(&device, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  std::memset(pinned, 1, kBytes);
  const std::vector<char> pageable(kBytes, 2);

  const double from_pinned = time_call(device, pinned, pinned, stream);
  check(aclrtSynchronizeStream(stream));
  std::printf("from pinned memory   the call took %8.0f us; the copy was queued\n", from_pinned);

  const double from_pageable = time_call(device, pinned, pageable.data(), stream);
  require(is_idle(stream), "a copy from pageable memory leaves its stream idle");
  std::printf("from pageable memory the call took %8.0f us; it waited for the whole stream\n",
              from_pageable);

  // No synchronisation is needed before the result is read.
  std::vector<char> result(kBytes);
  check(aclrtMemcpy(result.data(), kBytes, device, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
  require(result == pageable, "the device holds the pageable bytes");

  check(aclrtFree(device));
  check(aclrtFreeHost(pinned));
  check(aclrtDestroyStream(stream));
  check(aclrtResetDevice(0));
  check(aclFinalize());
  return 0;
}
