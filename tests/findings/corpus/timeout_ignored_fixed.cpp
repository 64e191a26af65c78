// SPDX-License-Identifier: Apache-2.0
// rule: none
// A timed wait is repeated until it succeeds.
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
  while (aclrtSynchronizeStreamWithTimeout(stream, 1) != ACL_SUCCESS)
    need(aclrtRecordNotify(go, other));
  std::memset(buffer, 2, kBytes);
  need(aclrtSynchronizeDevice());
  need(aclrtDestroyNotify(go));
  return 0;
}
