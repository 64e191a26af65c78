// SPDX-License-Identifier: Apache-2.0
// rule: none
// Twin of value_not_awaited.cpp: the other stream waits for the value.
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
  need(aclrtValueWait(ready, kReady, ACL_STREAM_WAIT_VALUE_EQ, consumer));
  need(aclrtMemcpyAsync(taken, kBytes, handed, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, consumer));
  need(aclrtSynchronizeStream(consumer));
  need(aclrtSynchronizeStream(producer));
  return 0;
}
