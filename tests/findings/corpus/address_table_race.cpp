// SPDX-License-Identifier: Apache-2.0
// rule: stream-race
// The table of addresses that a copy by offset reads when it runs is rewritten on another stream.
#include "corpus.h"

using namespace corpus;

int main() {
  Device device;
  DeviceMemory blocks(4 * kPage);
  DeviceMemory table(2 * sizeof(char*));
  PinnedMemory addresses(2 * sizeof(char*));
  Stream copies;
  Stream updates;
  auto** entries = reinterpret_cast<char**>(static_cast<char*>(addresses));
  auto** on_device = reinterpret_cast<void**>(static_cast<char*>(table));
  entries[0] = blocks;
  entries[1] = blocks + 2 * kPage;
  need(
      aclrtMemcpy(table, 2 * sizeof(char*), entries, 2 * sizeof(char*), ACL_MEMCPY_HOST_TO_DEVICE));
  need(aclrtMemcpyAsyncWithOffset(on_device + 1, kPage, 0, const_cast<const void**>(on_device),
                                  kPage, 0, ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, copies));
  entries[1] = blocks + 3 * kPage;
  need(aclrtMemcpyAsync(table, 2 * sizeof(char*), entries, 2 * sizeof(char*),
                        ACL_MEMCPY_HOST_TO_DEVICE, updates));
  need(aclrtSynchronizeStream(updates));
  need(aclrtSynchronizeStream(copies));
  return 0;
}
