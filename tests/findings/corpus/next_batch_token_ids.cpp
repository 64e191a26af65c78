// SPDX-License-Identifier: Apache-2.0
// rule: host-write-in-flight
// Five host arrays of one step are overwritten with those of the next while their copies are queued
// (vllm-ascend#16428: 6640 wrong token ids in one step).
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kArrays = 5;  // token ids, positions, slots, sequence lengths, block table
constexpr size_t kTokens = 512;
constexpr size_t kArrayBytes = kTokens * sizeof(int32_t);

PinnedMemory array() {
  return PinnedMemory(kArrayBytes);
}

// Fills the arrays of a step and queues their copies.
void queue_step(const PinnedMemory* arrays, char* inputs, int32_t step, aclrtStream stream) {
  for (size_t i = 0; i < kArrays; ++i) {
    auto* values = reinterpret_cast<int32_t*>(static_cast<char*>(arrays[i]));
    for (size_t token = 0; token < kTokens; ++token)
      values[token] = step * 1000 + static_cast<int32_t>(token);
    need(aclrtMemcpyAsync(inputs + i * kArrayBytes, kArrayBytes, values, kArrayBytes,
                          ACL_MEMCPY_HOST_TO_DEVICE, stream));
  }
}

}  // namespace

int main() {
  Device device;
  PinnedMemory first[kArrays] = {array(), array(), array(), array(), array()};
  DeviceMemory inputs(kArrays * kArrayBytes);
  Stream stream;
  queue_step(first, inputs, 1, stream);
  queue_step(first, inputs, 2, stream);
  need(aclrtSynchronizeStream(stream));
  return 0;
}
