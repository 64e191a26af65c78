// SPDX-License-Identifier: Apache-2.0
// rule: none
// The memory of a sleeping cache is given back after its block was saved.
#include "corpus.h"

using namespace corpus;

int main() {
  Device device;
  PinnedMemory saved(kPage);
  Segment segment(2);
  need(aclrtMemcpy(saved, kPage, segment.piece(1), kPage, ACL_MEMCPY_DEVICE_TO_HOST));
  segment.release(1);
  return 0;
}
