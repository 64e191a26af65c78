// SPDX-License-Identifier: Apache-2.0
// rule: none
// A descriptor is set for the second copy when the first is done.
#include "corpus.h"

using namespace corpus;

namespace {

constexpr aclrtMemcpyKind kKind = ACL_MEMCPY_INNER_DEVICE_TO_DEVICE;

}  // namespace

int main() {
  Device device;
  DeviceMemory blocks(4 * kPage);
  Stream stream;
  size_t size = 0;
  need(aclrtGetMemcpyDescSize(kKind, &size));
  {
    DeviceMemory descriptor(size);
    need(aclrtSetMemcpyDesc(descriptor, kKind, blocks, blocks + kPage, kPage, nullptr));
    need(aclrtMemcpyAsyncWithDesc(descriptor, kKind, stream));
    need(aclrtSynchronizeStream(stream));
    need(aclrtSetMemcpyDesc(descriptor, kKind, blocks, blocks + 2 * kPage, kPage, nullptr));
    need(aclrtMemcpyAsyncWithDesc(descriptor, kKind, stream));
    need(aclrtSynchronizeStream(stream));
  }
  return 0;
}
