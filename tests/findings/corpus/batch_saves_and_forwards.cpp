// SPDX-License-Identifier: Apache-2.0
// rule: batch-order
// The first item of a batch saves a block into a pinned mailbox, the second forwards the mailbox by
// its device address: items run in any order.
#include "corpus.h"

using namespace corpus;

int main() {
  Device device;
  DeviceMemory block(kPage);
  PinnedMemory mailbox(kPage);
  PinnedMemory archive(kPage);
  Stream stream;
  void* mapped = nullptr;
  need(aclrtHostRegister(mailbox, kPage, ACL_HOST_REGISTER_MAPPED, &mapped));
  Batch save;
  save.add(mailbox, block, kPage);
  save.add(archive, mapped, kPage);
  need(save.queue_to_host(stream));
  need(aclrtSynchronizeStream(stream));
  need(aclrtHostUnregister(mailbox));
  return 0;
}
