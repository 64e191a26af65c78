// SPDX-License-Identifier: Apache-2.0
// rule: use-after-free
// cpu: addresses in device memory are readable
// A descriptor outlives the memory it names: the copy fails when it runs.
#include "corpus.h"

using namespace corpus;

namespace {

constexpr aclrtMemcpyKind kKind = ACL_MEMCPY_INNER_DEVICE_TO_DEVICE;

}  // namespace

int main() {
  Device device;
  DeviceMemory source(kPage);
  Stream stream;
  size_t size = 0;
  need(aclrtGetMemcpyDescSize(kKind, &size));
  DeviceMemory descriptor(size);
  void* target = nullptr;
  need(aclrtMalloc(&target, kPage, ACL_MEM_MALLOC_HUGE_FIRST));
  need(aclrtSetMemcpyDesc(descriptor, kKind, source, target, kPage, nullptr));
  need(aclrtFree(target));
  need(aclrtMemcpyAsyncWithDesc(descriptor, kKind, stream));
  aclrtSynchronizeStream(stream);
  return 0;
}
