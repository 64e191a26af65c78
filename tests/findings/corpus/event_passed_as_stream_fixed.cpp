// SPDX-License-Identifier: Apache-2.0
// rule: none
// The event and the stream stand where they belong.
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
