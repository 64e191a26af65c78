// SPDX-License-Identifier: Apache-2.0
// rule: none
// A copy with ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE reads its source during the call: what is queued to
// write it is awaited first.
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kBytes = 256;

}  // namespace

int main() {
  Device device;
  DeviceMemory source(kBytes);
  DeviceMemory target(kBytes);
  PinnedMemory between(kBytes);
  Stream stream;
  need(aclrtMemset(source, kBytes, 1, kBytes));
  need(aclrtMemcpyAsync(between, kBytes, source, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, stream));
  need(aclrtSynchronizeStream(stream));
  need(aclrtMemcpyAsync(target, kBytes, between, kBytes, ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE, stream));
  need(aclrtSynchronizeStream(stream));
  return 0;
}
