// SPDX-License-Identifier: Apache-2.0
// rule: overlap
// A blocking copy inside the device has a target that begins inside its source.
#include "corpus.h"

using namespace corpus;

int main() {
  Device device;
  DeviceMemory tensor(3 * kPage);
  need(aclrtMemcpy(tensor + kPage, 2 * kPage, tensor, 2 * kPage, ACL_MEMCPY_DEVICE_TO_DEVICE));
  return 0;
}
