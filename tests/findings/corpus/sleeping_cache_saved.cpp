// SPDX-License-Identifier: Apache-2.0
// rule: use-after-free
// The memory of a sleeping cache was given back. Its addresses are still reserved, and a block is
// saved from there.
#include "corpus.h"

using namespace corpus;

int main() {
  Device device;
  PinnedMemory saved(kPage);
  Segment segment(2);
  segment.release(1);
  aclrtMemcpy(saved, kPage, segment.piece(1), kPage, ACL_MEMCPY_DEVICE_TO_HOST);
  return 0;
}
