// SPDX-License-Identifier: Apache-2.0
// rule: none
// A blocking copy inside the device goes through scratch memory.
#include "corpus.h"

using namespace corpus;

int main() {
  Device device;
  DeviceMemory tensor(3 * kPage);
  DeviceMemory scratch(2 * kPage);
  need(aclrtMemcpy(scratch, 2 * kPage, tensor, 2 * kPage, ACL_MEMCPY_DEVICE_TO_DEVICE));
  need(aclrtMemcpy(tensor + kPage, 2 * kPage, scratch, 2 * kPage, ACL_MEMCPY_DEVICE_TO_DEVICE));
  return 0;
}
