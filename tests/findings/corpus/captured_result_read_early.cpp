// SPDX-License-Identifier: Apache-2.0
// rule: host-read-in-flight
// places: 3
// cpu: a read is seen through guarded pages
// The result of a captured copy is read before the run is known to be over.
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kBytes = 4 * kPage;

}  // namespace

int main() {
  Device device;
  DeviceMemory source(kBytes);
  PinnedMemory result(kBytes);
  Stream stream;
  Model model(stream, [&] {
    need(aclrtMemcpyAsync(result, kBytes, source, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, stream));
  });
  need(aclmdlRIExecuteAsync(model, stream));
  use(result[0]);
  need(aclrtSynchronizeStream(stream));
  return 0;
}
