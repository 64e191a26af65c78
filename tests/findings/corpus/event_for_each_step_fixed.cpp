// SPDX-License-Identifier: Apache-2.0
// rule: none
// Every step creates an event and destroys it.
#include "corpus.h"

using namespace corpus;

int main() {
  Device device;
  Stream stream;
  for (int step = 0; step < 8; ++step) {
    aclrtEvent done = nullptr;
    need(aclrtCreateEvent(&done));
    need(aclrtRecordEvent(done, stream));
    need(aclrtSynchronizeEvent(done));
    need(aclrtDestroyEvent(done));
  }
  return 0;
}
