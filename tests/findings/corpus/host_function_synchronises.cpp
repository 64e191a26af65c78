// SPDX-License-Identifier: Apache-2.0
// rule: callback-call
// A host function waits for another stream. On hardware, finishing that stream may need the very
// thread that runs host functions.
#include "corpus.h"

using namespace corpus;

namespace {

struct Work {
  aclrtContext context;
  aclrtStream copies;
};

void after_step(void* argument) {
  const auto* work = static_cast<const Work*>(argument);
  aclrtSetCurrentContext(work->context);
  aclrtSynchronizeStream(work->copies);
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
  need(aclrtLaunchHostFunc(steps, after_step, &work));
  need(aclrtSynchronizeStream(steps));
  need(aclrtSynchronizeStream(copies));
  return 0;
}
