// SPDX-License-Identifier: Apache-2.0
// rule: stale-handle
// Both handles are void*, and two arguments are swapped: an event where a stream belongs.
#include "corpus.h"

using namespace corpus;

int main() {
  Device device;
  Event event;
  Stream stream;
  aclrtRecordEvent(stream, event);
  need(aclrtSynchronizeStream(stream));
  return 0;
}
