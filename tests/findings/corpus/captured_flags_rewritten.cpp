// SPDX-License-Identifier: Apache-2.0
// rule: host-write-in-flight
// places: 2
// Some bytes that a captured copy reads, less than a page, are written while the run is queued.
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kBytes = 64;

}  // namespace

int main() {
  Device device;
  DeviceMemory target(kBytes);
  PinnedMemory input(kBytes);
  Stream stream;
  std::memset(input, 1, kBytes);
  Model model(stream, [&] {
    need(aclrtMemcpyAsync(target, kBytes, input, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  });
  need(aclmdlRIExecuteAsync(model, stream));
  std::memset(input, 2, kBytes);
  need(aclrtSynchronizeStream(stream));
  return 0;
}
