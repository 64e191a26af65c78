// SPDX-License-Identifier: Apache-2.0
// rule: none
// A segment of a caching allocator is unmapped to save memory when the copy out of it is done.
#include "corpus.h"

using namespace corpus;

int main() {
  Device device;
  PinnedMemory saved(kPage);
  Stream stream;
  Segment segment(2);
  need(aclrtMemcpyAsync(saved, kPage, segment.piece(1), kPage, ACL_MEMCPY_DEVICE_TO_HOST, stream));
  need(aclrtSynchronizeStream(stream));
  segment.release(1);
  aclrtSynchronizeStream(stream);
  return 0;
}
