// SPDX-License-Identifier: Apache-2.0
// rule: none
// The event and the stream are passed in the right order.
#include "corpus.h"

using namespace corpus;

int main() {
  Device device;
  Event event;
  Stream stream;
  need(aclrtRecordEvent(event, stream));
  need(aclrtSynchronizeStream(stream));
  return 0;
}
