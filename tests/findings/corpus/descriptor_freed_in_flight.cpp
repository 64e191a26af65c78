// SPDX-License-Identifier: Apache-2.0
// rule: free-in-flight
// The memory of a copy descriptor is freed while the copy it describes is queued: the descriptor is
// read when the copy runs.
#include "corpus.h"

using namespace corpus;

namespace {

constexpr aclrtMemcpyKind kKind = ACL_MEMCPY_INNER_DEVICE_TO_DEVICE;

}  // namespace

int main() {
  Device device;
  DeviceMemory source(kPage);
  DeviceMemory target(kPage);
  Stream stream;
  size_t size = 0;
  void* descriptor = nullptr;
  need(aclrtGetMemcpyDescSize(kKind, &size));
  need(aclrtMalloc(&descriptor, size, ACL_MEM_MALLOC_HUGE_FIRST));
  need(aclrtSetMemcpyDesc(descriptor, kKind, source, target, kPage, nullptr));
  need(aclrtMemcpyAsyncWithDesc(descriptor, kKind, stream));
  need(aclrtFree(descriptor));
  aclrtSynchronizeStream(stream);
  return 0;
}
