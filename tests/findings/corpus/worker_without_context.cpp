// SPDX-License-Identifier: Apache-2.0
// rule: no-context
// A worker thread copies without having set a device: 107002 (Mooncake#3974, llama.cpp#16628).
#include "corpus.h"

#include <thread>

using namespace corpus;

int main() {
  Device device;
  DeviceMemory block(kPage);
  PinnedMemory source(kPage);
  Stream stream;
  std::thread worker(
      [&] { aclrtMemcpyAsync(block, kPage, source, kPage, ACL_MEMCPY_HOST_TO_DEVICE, stream); });
  worker.join();
  need(aclrtSynchronizeStream(stream));
  return 0;
}
