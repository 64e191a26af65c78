// SPDX-License-Identifier: Apache-2.0
// rule: out-of-bounds
// cpu: addresses in device memory are readable
// A copy by offset goes past the end of the block whose address the table holds; destMax claims a
// larger size than the block has.
#include "corpus.h"

using namespace corpus;

int main() {
  Device device;
  DeviceMemory source(kPage);
  DeviceMemory target(kPage);
  DeviceMemory table(2 * sizeof(char*));
  Stream stream;
  char* addresses[2] = {source, target};
  need(
      aclrtMemcpy(table, sizeof addresses, addresses, sizeof addresses, ACL_MEMCPY_HOST_TO_DEVICE));
  auto** entries = reinterpret_cast<void**>(static_cast<char*>(table));
  const size_t offset = kPage - 512;
  need(aclrtMemcpyAsyncWithOffset(entries + 1, 2 * kPage, offset, const_cast<const void**>(entries),
                                  1024, 0, ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, stream));
  aclrtSynchronizeStream(stream);
  return 0;
}
