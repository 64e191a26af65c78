// SPDX-License-Identifier: Apache-2.0
// rule: none
// A worker thread sets a device before it copies.
#include "corpus.h"

#include <thread>

using namespace corpus;

int main() {
  Device device;
  DeviceMemory block(kPage);
  PinnedMemory source(kPage);
  Stream stream;
  std::thread worker([&] {
    need(aclrtSetDevice(0));
    aclrtMemcpyAsync(block, kPage, source, kPage, ACL_MEMCPY_HOST_TO_DEVICE, stream);
    need(aclrtSynchronizeStream(stream));
    need(aclrtResetDevice(0));
  });
  worker.join();
  need(aclrtSynchronizeStream(stream));
  return 0;
}
