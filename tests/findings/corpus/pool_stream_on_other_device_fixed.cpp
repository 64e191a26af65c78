// SPDX-License-Identifier: Apache-2.0
// rule: none
// devices: cpu:2
// Code that works on device 1 uses a stream created under device 1.
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
    Stream stream;
    need(aclrtMemcpyAsync(block, kPage, source, kPage, ACL_MEMCPY_HOST_TO_DEVICE, stream));
    need(aclrtSynchronizeStream(stream));
  }
  need(aclrtResetDevice(1));
  need(aclrtSetCurrentContext(first));
  need(aclrtSynchronizeStream(pool_stream));
  return 0;
}
