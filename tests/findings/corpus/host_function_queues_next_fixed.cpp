// SPDX-License-Identifier: Apache-2.0
// rule: none
// The program queues the next copy itself.
#include "corpus.h"

using namespace corpus;

namespace {

struct Chain {
  aclrtContext context;
  char* block;
  char* source;
  aclrtStream copies;
};

void next(void* argument) {
  const auto* chain = static_cast<const Chain*>(argument);
  use(chain->copies != nullptr);
}

}  // namespace

int main() {
  Device device;
  DeviceMemory block(kPage);
  PinnedMemory source(kPage);
  Stream steps;
  Stream copies;
  Chain chain{nullptr, block, source, copies};
  need(aclrtGetCurrentContext(&chain.context));
  need(aclrtLaunchHostFunc(steps, next, &chain));
  need(aclrtSynchronizeStream(steps));
  need(aclrtMemcpyAsync(block, kPage, source, kPage, ACL_MEMCPY_HOST_TO_DEVICE, copies));
  need(aclrtSynchronizeStream(copies));
  return 0;
}
