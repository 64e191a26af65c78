// SPDX-License-Identifier: Apache-2.0
// rule: free-in-flight
// A segment of a caching allocator is unmapped to save memory while a copy out of it is queued.
#include "corpus.h"

using namespace corpus;

int main() {
  Device device;
  PinnedMemory saved(kPage);
  Stream stream;
  Segment segment(2);
  need(aclrtMemcpyAsync(saved, kPage, segment.piece(1), kPage, ACL_MEMCPY_DEVICE_TO_HOST, stream));
  segment.release(1);
  aclrtSynchronizeStream(stream);
  return 0;
}
