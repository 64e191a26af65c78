// SPDX-License-Identifier: Apache-2.0
// rule: none
// Mapped host memory is filled by its device address in one batch and read by its host address in
// the next.
#include "corpus.h"

using namespace corpus;

int main() {
  Device device;
  DeviceMemory block(kPage);
  PinnedMemory fresh(kPage);
  PinnedMemory shared(kPage);
  void* mapped = nullptr;
  need(aclrtHostRegister(shared, kPage, ACL_HOST_REGISTER_MAPPED, &mapped));
  Batch batch;
  batch.add(mapped, fresh, kPage);
  need(batch.copy_to_device());
  Batch behind;
  behind.add(block, shared, kPage);
  need(behind.copy_to_device());
  need(aclrtHostUnregister(shared));
  return 0;
}
