// SPDX-License-Identifier: Apache-2.0
// Two streams and two events: streams do not wait for each other by themselves. One stream copies
// blocks in, the other copies them out again; the events order them without the host.
#include "check.h"

#include <vector>

int main() {
  constexpr size_t kRounds = 8;
  constexpr size_t kBytes = size_t{4} << 20;
  check(aclInit(nullptr));
  check(aclrtSetDevice(0));
  aclrtStream in = nullptr;
  aclrtStream out = nullptr;
  check(aclrtCreateStream(&in));
  check(aclrtCreateStream(&out));
  aclrtEvent arrived = nullptr;
  aclrtEvent taken = nullptr;
  check(aclrtCreateEvent(&arrived));
  check(aclrtCreateEvent(&taken));

  char* source = nullptr;
  char* result = nullptr;
  void* device = nullptr;
  check(aclrtMallocHost(reinterpret_cast<void**>(&source), kRounds * kBytes));
  check(aclrtMallocHost(reinterpret_cast<void**>(&result), kRounds * kBytes));
  check(aclrtMalloc(&device, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  for (size_t round = 0; round < kRounds; ++round)
    std::memset(source + round * kBytes, static_cast<int>(round + 1), kBytes);
  std::memset(result, 0, kRounds * kBytes);

  // One device buffer for all rounds: without the events, rounds would overwrite each other.
  for (size_t round = 0; round < kRounds; ++round) {
    const size_t offset = round * kBytes;
    if (round > 0) check(aclrtStreamWaitEvent(in, taken));
    check(aclrtMemcpyAsync(device, kBytes, source + offset, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, in));
    check(aclrtRecordEvent(arrived, in));

    check(aclrtStreamWaitEvent(out, arrived));
    check(
        aclrtMemcpyAsync(result + offset, kBytes, device, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, out));
    check(aclrtRecordEvent(taken, out));
  }
  check(aclrtSynchronizeStream(out));
  require(std::memcmp(source, result, kRounds * kBytes) == 0, "every round has its own bytes");

  float milliseconds = 0;
  check(aclrtEventElapsedTime(&milliseconds, arrived, taken));
  std::printf("%zu rounds through one device buffer; the last copy out took %.3f ms\n", kRounds,
              static_cast<double>(milliseconds));

  check(aclrtDestroyEvent(arrived));
  check(aclrtDestroyEvent(taken));
  check(aclrtFree(device));
  check(aclrtFreeHost(source));
  check(aclrtFreeHost(result));
  check(aclrtDestroyStream(in));
  check(aclrtDestroyStream(out));
  check(aclrtResetDevice(0));
  check(aclFinalize());
  return 0;
}
