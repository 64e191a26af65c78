// SPDX-License-Identifier: Apache-2.0
// rule: wrong-context
// devices: cpu:2
// One stream for the whole process, created under device 0, is used by code that works on device 1:
// 107003 (Mooncake#3993, Mooncake#4025).
#include "corpus.h"

using namespace corpus;

int main() {
  Device device;
  Stream pool_stream;
  aclrtContext first = nullptr;
  need(aclrtGetCurrentContext(&first));
  need(aclrtSetDevice(1));
  {
    DeviceMemory block(kPage);
    PinnedMemory source(kPage);
    aclrtMemcpyAsync(block, kPage, source, kPage, ACL_MEMCPY_HOST_TO_DEVICE, pool_stream);
  }
  need(aclrtResetDevice(1));
  need(aclrtSetCurrentContext(first));
  need(aclrtSynchronizeStream(pool_stream));
  return 0;
}
