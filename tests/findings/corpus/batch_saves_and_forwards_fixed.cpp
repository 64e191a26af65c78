// SPDX-License-Identifier: Apache-2.0
// rule: none
// The first batch saves a block into a pinned mailbox, the second forwards the mailbox by its
// device address.
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
  Batch forward;
  forward.add(archive, mapped, kPage);
  need(save.queue_to_host(stream));
  need(forward.queue_to_host(stream));
  need(aclrtSynchronizeStream(stream));
  need(aclrtHostUnregister(mailbox));
  return 0;
}
