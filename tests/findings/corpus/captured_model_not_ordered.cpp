// SPDX-License-Identifier: Apache-2.0
// rule: stream-race
// places: 3
// A captured model reads what another stream fills, without waiting for it.
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kBytes = 4 * kPage;

}  // namespace

int main() {
  Device device;
  DeviceMemory shared(kBytes);
  PinnedMemory result(kBytes);
  Stream captured;
  Stream other;
  Event filled;
  Model model(captured, [&] {
    need(aclrtMemcpyAsync(result, kBytes, shared, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, captured));
  });
  need(aclrtMemsetAsync(shared, kBytes, 1, kBytes, other));
  need(aclrtRecordEvent(filled, other));
  need(aclmdlRIExecuteAsync(model, captured));
  need(aclrtSynchronizeStream(other));
  need(aclrtSynchronizeStream(captured));
  return 0;
}
