// SPDX-License-Identifier: Apache-2.0
// rule: none
// Blocks that move up in a cache by addresses stored on the device, into a free place.
#include "corpus.h"

using namespace corpus;

int main() {
  Device device;
  DeviceMemory blocks(4 * kPage);
  DeviceMemory table(2 * sizeof(char*));
  Stream stream;
  char* const entries[] = {blocks, blocks + 2 * kPage};
  auto** on_device = reinterpret_cast<void**>(static_cast<char*>(table));
  need(aclrtMemset(blocks, 4 * kPage, 1, 4 * kPage));
  need(aclrtMemcpy(table, sizeof entries, entries, sizeof entries, ACL_MEMCPY_HOST_TO_DEVICE));
  need(aclrtMemcpyAsyncWithOffset(on_device + 1, 2 * kPage, 0, const_cast<const void**>(on_device),
                                  2 * kPage, 0, ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, stream));
  need(aclrtSynchronizeStream(stream));
  return 0;
}
