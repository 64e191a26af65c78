// SPDX-License-Identifier: Apache-2.0
// rule: host-read-in-flight
// cpu: a read is seen through guarded pages
// The program waits for the stream of the computation, but the result is delivered by the stream of
// the copies (vllm-ascend#3005).
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kBytes = 16 * kPage;

}  // namespace

int main() {
  Device device;
  DeviceMemory logits(kBytes);
  PinnedMemory result(kBytes);
  Event computed;
  Stream compute;
  Stream copies;
  need(aclrtMemsetAsync(logits, kBytes, 1, kBytes, compute));
  need(aclrtRecordEvent(computed, compute));
  need(aclrtStreamWaitEvent(copies, computed));
  need(aclrtMemcpyAsync(result, kBytes, logits, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, copies));
  need(aclrtSynchronizeStream(compute));
  use(result[kBytes - 1]);
  need(aclrtSynchronizeDevice());
  return 0;
}
