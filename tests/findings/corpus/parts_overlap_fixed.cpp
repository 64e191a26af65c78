// SPDX-License-Identifier: Apache-2.0
// rule: none
// Two threads load the two halves of a tensor on separate streams.
#include "corpus.h"

#include <latch>
#include <thread>

using namespace corpus;

namespace {

constexpr size_t kHalf = 8 * kPage;
std::latch both_queued(2);

void load(void* target, const void* source, size_t size) {
  need(aclrtSetDevice(0));
  {
    Stream stream;
    need(aclrtMemcpyAsync(target, size, source, size, ACL_MEMCPY_HOST_TO_DEVICE, stream));
    both_queued.arrive_and_wait();
    need(aclrtSynchronizeStream(stream));
  }
  need(aclrtResetDevice(0));
}

}  // namespace

int main() {
  Device device;
  DeviceMemory tensor(2 * kHalf);
  PinnedMemory source(2 * kHalf);
  std::thread first([&] { load(tensor, source, kHalf); });
  std::thread second([&] { load(tensor + kHalf, source + kHalf, kHalf); });
  first.join();
  second.join();
  return 0;
}
