// SPDX-License-Identifier: Apache-2.0
// rule: host-write-in-flight
// A timed wait expires, its code is ignored, and the buffer is refilled.
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kBytes = 4 * kPage;

}  // namespace

int main() {
  Device device;
  DeviceMemory target(kBytes);
  PinnedMemory buffer(kBytes);
  Stream stream;
  Stream other;
  aclrtNotify go = nullptr;
  need(aclrtCreateNotify(&go, ACL_NOTIFY_DEFAULT));
  need(aclrtWaitAndResetNotify(go, stream, 0));
  need(aclrtMemcpyAsync(target, kBytes, buffer, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  aclrtSynchronizeStreamWithTimeout(stream, 1);
  std::memset(buffer, 2, kBytes);
  need(aclrtRecordNotify(go, other));
  need(aclrtSynchronizeDevice());
  need(aclrtDestroyNotify(go));
  return 0;
}
