// SPDX-License-Identifier: Apache-2.0
// rule: none
// The program itself waits for the other stream, and the host function only reads the result.
#include "corpus.h"

using namespace corpus;

namespace {

struct Work {
  aclrtContext context;
  aclrtStream copies;
};

void after_step(void* argument) {
  const auto* work = static_cast<const Work*>(argument);
  use(work->copies != nullptr);
}

}  // namespace

int main() {
  Device device;
  DeviceMemory block(kPage);
  PinnedMemory source(kPage);
  Stream copies;
  Stream steps;
  Work work{nullptr, copies};
  need(aclrtGetCurrentContext(&work.context));
  need(aclrtMemcpyAsync(block, kPage, source, kPage, ACL_MEMCPY_HOST_TO_DEVICE, copies));
  need(aclrtSynchronizeStream(copies));
  need(aclrtLaunchHostFunc(steps, after_step, &work));
  need(aclrtSynchronizeStream(steps));
  need(aclrtSynchronizeStream(copies));
  return 0;
}
