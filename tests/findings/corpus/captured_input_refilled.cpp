// SPDX-License-Identifier: Apache-2.0
// rule: host-write-in-flight
// places: 3
// The input of a captured model is filled for the next run while the last one is queued.
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kBytes = 4 * kPage;

}  // namespace

int main() {
  Device device;
  DeviceMemory target(kBytes);
  PinnedMemory input(kBytes);
  Stream stream;
  Model model(stream, [&] {
    need(aclrtMemcpyAsync(target, kBytes, input, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  });
  for (int step = 0; step < 3; ++step) {
    std::memset(input, step, kBytes);
    need(aclmdlRIExecuteAsync(model, stream));
  }
  need(aclrtSynchronizeStream(stream));
  return 0;
}
