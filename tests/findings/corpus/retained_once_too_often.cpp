// SPDX-License-Identifier: Apache-2.0
// rule: leak
// Physical memory is retained to look at it, and freed once, but not the second time.
#include "corpus.h"

using namespace corpus;

int main() {
  Device device;
  Segment segment(1);
  aclrtDrvMemHandle handle = nullptr;
  need(aclrtMemRetainAllocationHandle(segment.piece(0), &handle));
  return 0;
}
