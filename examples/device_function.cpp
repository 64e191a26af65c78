// SPDX-License-Identifier: Apache-2.0
// ferryLaunchDeviceFunction: a function that stands in for a kernel, for tests of code whose
// kernels cannot run here. It runs in stream order and may access device memory. It ties the
// program to Ferry.
#include "check.h"

#include "ferry/ferry.h"

#include <cstdint>
#include <vector>

namespace {

struct Scale {
  float* values;  // in device memory
  size_t count;
  float factor;
};

// Stands in for the kernel. ferryDeviceAddress returns a usable address only in such a function.
void scale(void* scale_pointer) {
  const auto* task = static_cast<const Scale*>(scale_pointer);
  auto* values = static_cast<float*>(ferryDeviceAddress(task->values));
  if (values == nullptr) return;  // not device memory; the host sees unscaled values
  for (size_t i = 0; i < task->count; ++i)
    values[i] *= task->factor;
}

}  // namespace

int main() {
  constexpr size_t kCount = 1000;
  constexpr size_t kBytes = kCount * sizeof(float);
  check(aclInit(nullptr));
  check(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  check(aclrtCreateStream(&stream));
  float* host = nullptr;
  float* device = nullptr;
  check(aclrtMallocHost(reinterpret_cast<void**>(&host), kBytes));
  check(aclrtMalloc(reinterpret_cast<void**>(&device), kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  for (size_t i = 0; i < kCount; ++i)
    host[i] = static_cast<float>(i);

  Scale task{device, kCount, 2.5F};
  check(aclrtMemcpyAsync(device, kBytes, host, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  check(ferryLaunchDeviceFunction(stream, scale, &task));
  check(aclrtMemcpyAsync(host, kBytes, device, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, stream));
  check(aclrtSynchronizeStream(stream));
  for (size_t i = 0; i < kCount; ++i)
    require(host[i] == 2.5F * static_cast<float>(i), "every value was scaled between the copies");
  std::printf("%zu values scaled by a function in place of a kernel\n", kCount);

  check(aclrtFree(device));
  check(aclrtFreeHost(host));
  check(aclrtDestroyStream(stream));
  check(aclrtResetDevice(0));
  check(aclFinalize());
  return 0;
}
