// SPDX-License-Identifier: Apache-2.0
// rule: batch-order
// One item of a blocking batch fills mapped host memory by its device address, and another reads
// the same memory by its host address.
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
  batch.add(block, shared, kPage);
  need(batch.copy_to_device());
  need(aclrtHostUnregister(shared));
  return 0;
}
