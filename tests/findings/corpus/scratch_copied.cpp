// SPDX-License-Identifier: Apache-2.0
// rule: uninitialised-read
// A copy inside the device takes its source from scratch memory that nothing has written yet.
#include "corpus.h"

using namespace corpus;

int main() {
  Device device;
  DeviceMemory scratch(kPage, Contents::kNone);
  DeviceMemory block(kPage);
  PinnedMemory source(kPage);
  Stream stream;
  need(aclrtMemcpyAsync(block, kPage, scratch, kPage, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
  need(aclrtMemcpyAsync(scratch, kPage, source, kPage, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  need(aclrtSynchronizeStream(stream));
  return 0;
}
