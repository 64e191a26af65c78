// SPDX-License-Identifier: Apache-2.0
// rule: none
// A model copies a result and calls a host function that uses it, and prepares the input of the
// next run; runs are queued on two streams.
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kBytes = kPage;

struct Buffers {
  char* input;
  char* result;
};

void go_on(void* argument) {
  const Buffers& buffers = *static_cast<Buffers*>(argument);
  std::memset(buffers.input, buffers.result[0] + 1, kBytes);
}

}  // namespace

int main() {
  Device device;
  DeviceMemory state(kBytes);
  PinnedMemory input(kBytes);
  PinnedMemory result(kBytes);
  std::memset(input, 1, kBytes);
  Buffers buffers{input, result};
  Stream stream;
  Stream other;
  Model model(stream, [&] {
    need(aclrtMemcpyAsync(state, kBytes, input, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, stream));
    need(aclrtMemcpyAsync(result, kBytes, state, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, stream));
    need(aclrtLaunchHostFunc(stream, go_on, &buffers));
  });
  for (int run = 0; run < 3; ++run) {
    need(aclmdlRIExecuteAsync(model, stream));
    need(aclmdlRIExecuteAsync(model, other));
  }
  need(aclrtSynchronizeStream(stream));
  need(aclrtSynchronizeStream(other));
  use(result[0]);
  return result[0] == 6 ? 0 : 1;
}
