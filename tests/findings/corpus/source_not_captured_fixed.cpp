// SPDX-License-Identifier: Apache-2.0
// rule: none
// With ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE the source is read during the call and may be changed at
// once: by the host, by another copy, and by another stream.
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kBytes = 256;  // less than a page: the rest of the page is unused

}  // namespace

int main() {
  Device device;
  DeviceMemory target(kBytes);
  PinnedMemory arguments(kBytes);
  DeviceMemory other(kBytes);
  Stream stream;
  Stream other_stream;
  need(aclrtMemset(other, kBytes, 0, kBytes));
  for (int step = 0; step < 3; ++step) {
    std::memset(arguments, step, kBytes);
    need(aclrtMemcpyAsync(target, kBytes, arguments, kBytes, ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE,
                          stream));
    need(aclrtMemcpy(arguments, kBytes, other, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
    need(aclrtMemcpyAsync(target, kBytes, arguments, kBytes, ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE,
                          stream));
    need(aclrtMemcpyAsync(arguments, kBytes, other, kBytes, ACL_MEMCPY_DEVICE_TO_HOST,
                          other_stream));
    need(aclrtSynchronizeStream(other_stream));
  }
  need(aclrtSynchronizeStream(stream));
  return 0;
}
