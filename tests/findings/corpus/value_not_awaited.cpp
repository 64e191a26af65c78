// SPDX-License-Identifier: Apache-2.0
// rule: stream-race
// One stream hands data over and stores a value to say so; the other stream does not wait for the
// value before it reads the data.
#include "corpus.h"

using namespace corpus;

namespace {

constexpr size_t kBytes = 4 * kPage;
constexpr uint64_t kReady = 1;

}  // namespace

int main() {
  Device device;
  DeviceMemory handed(kBytes);
  DeviceMemory taken(kBytes);
  DeviceMemory ready(sizeof(uint64_t));
  PinnedMemory source(kBytes);
  Stream producer;
  Stream consumer;
  std::memset(source, 1, kBytes);
  need(aclrtMemset(ready, sizeof(uint64_t), 0, sizeof(uint64_t)));
  need(aclrtMemcpyAsync(handed, kBytes, source, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, producer));
  need(aclrtValueWrite(ready, kReady, 0, producer));
  need(aclrtMemcpyAsync(taken, kBytes, handed, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, consumer));
  need(aclrtSynchronizeStream(consumer));
  need(aclrtSynchronizeStream(producer));
  return 0;
}
