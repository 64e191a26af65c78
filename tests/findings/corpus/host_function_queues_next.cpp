// SPDX-License-Identifier: Apache-2.0
// rule: callback-call
// A host function queues the next copy, as a chain.
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
  aclrtSetCurrentContext(chain->context);
  aclrtMemcpyAsync(chain->block, kPage, chain->source, kPage, ACL_MEMCPY_HOST_TO_DEVICE,
                   chain->copies);
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
  need(aclrtSynchronizeStream(copies));
  return 0;
}
