// SPDX-License-Identifier: Apache-2.0
// rule: none
// As kernel_result_read_early, but the result is read when the stream is done. The kernel itself
// may use the host memory of copies that are queued behind it.
#include "corpus.h"

#include "ferry/ferry.h"

using namespace corpus;

namespace {

constexpr size_t kBytes = 4 * kPage + 8;

struct Buffers {
  char* source;
  char* result;
};

void kernel(void* argument) {
  const auto& buffers = *static_cast<Buffers*>(argument);
  for (size_t i = 0; i < kBytes; ++i)
    buffers.source[i] = static_cast<char>(buffers.result[i] + 1);
}

}  // namespace

int main() {
  Device device;
  DeviceMemory logits(kBytes);
  PinnedMemory source(kBytes);
  PinnedMemory result(kBytes);
  Stream stream;
  Buffers buffers{.source = source, .result = result};
  need(ferryLaunchDeviceFunction(stream, kernel, &buffers));
  need(aclrtMemcpyAsync(logits, kBytes, source, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  need(aclrtMemcpyAsync(result, kBytes, logits, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, stream));
  need(aclrtSynchronizeStream(stream));
  return result[kBytes - 1] == 1 ? 0 : 3;
}
