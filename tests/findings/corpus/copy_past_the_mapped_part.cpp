// SPDX-License-Identifier: Apache-2.0
// rule: out-of-bounds
// A copy crosses from one piece of a segment into the next, as it may, and then leaves the last
// one.
#include "corpus.h"

using namespace corpus;

int main() {
  Device device;
  PinnedMemory saved(kPage);
  Segment segment(2);
  need(aclrtMemcpy(segment.piece(1) - kPage / 2, kPage, saved, kPage, ACL_MEMCPY_HOST_TO_DEVICE));
  char* const end = segment.piece(1) + Segment::kPiece;
  aclrtMemcpy(end - kPage / 2, kPage, saved, kPage, ACL_MEMCPY_HOST_TO_DEVICE);
  return 0;
}
