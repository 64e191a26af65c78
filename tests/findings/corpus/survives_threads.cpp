// SPDX-License-Identifier: Apache-2.0
// rule: host-write-in-flight
// Many threads with separate streams repeatedly write their buffers in flight at the same time:
// each write is let through, and no byte is lost.
#include "corpus.h"

#include <atomic>
#include <thread>

using namespace corpus;

namespace {

constexpr size_t kThreads = 16;
constexpr int kRounds = 20;
constexpr size_t kBytes = 64 * kPage;

bool is_filled(const char* memory, char value) {
  return std::memcmp(memory, memory + 1, kBytes - 1) == 0 && *memory == value;
}

bool writes_too_early() {
  need(aclrtSetDevice(0));
  DeviceMemory target(kBytes);
  PinnedMemory source(kBytes);
  Stream stream;
  for (int round = 1; round <= kRounds; ++round) {
    need(aclrtMemcpyAsync(target, kBytes, source, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, stream));
    std::memset(source, round, kBytes);
    need(aclrtSynchronizeStream(stream));
    if (!is_filled(source, static_cast<char>(round))) return false;
  }
  return true;
}

}  // namespace

int main() {
  Device device;
  std::atomic<size_t> right{0};
  std::vector<std::thread> threads;
  for (size_t i = 0; i < kThreads; ++i)
    threads.emplace_back([&] { right += writes_too_early() ? 1 : 0; });
  for (std::thread& thread : threads)
    thread.join();
  return right == kThreads ? 0 : 3;
}
