// SPDX-License-Identifier: Apache-2.0
// rule: none
// devices: cpu:2
// A block is copied from device 0 to device 1, and device 1 uses it after the copy is done.
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kBytes = 4 * kPage;

}  // namespace

int main() {
  Device device;
  PinnedMemory result(kBytes);
  DeviceMemory source(kBytes);
  Stream sender;
  aclrtContext first = nullptr;
  need(aclrtGetCurrentContext(&first));
  need(aclrtDeviceEnablePeerAccess(1, 0));
  need(aclrtSetDevice(1));
  aclrtContext second = nullptr;
  need(aclrtGetCurrentContext(&second));
  {
    DeviceMemory target(kBytes);
    Stream receiver;
    need(aclrtSetCurrentContext(first));
    need(aclrtMemcpyAsync(target, kBytes, source, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, sender));
    need(aclrtSynchronizeStream(sender));
    need(aclrtSetCurrentContext(second));
    need(aclrtMemcpyAsync(result, kBytes, target, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, receiver));
    need(aclrtSynchronizeStream(receiver));
    need(aclrtSynchronizeStream(sender));
  }
  need(aclrtResetDevice(1));
  need(aclrtSetCurrentContext(first));
  return 0;
}
