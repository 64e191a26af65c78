// SPDX-License-Identifier: Apache-2.0
// rule: none
// Physical memory is retained to look at it, and freed as often as it was retained.
#include "corpus.h"

using namespace corpus;

int main() {
  Device device;
  Segment segment(1);
  aclrtDrvMemHandle handle = nullptr;
  need(aclrtMemRetainAllocationHandle(segment.piece(0), &handle));
  need(aclrtFreePhysical(handle));
  return 0;
}
