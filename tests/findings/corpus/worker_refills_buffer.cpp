// SPDX-License-Identifier: Apache-2.0
// rule: host-write-in-flight
// The thread that queues the copy hands the buffer back at once, and the thread that reads requests
// refills it (vLLM#47644, TensorRT-LLM#15546).
#include "corpus.h"

#include <atomic>
#include <thread>

using namespace corpus;

namespace {

constexpr size_t kBytes = 4 * kPage;
std::atomic<bool> handed_back{false};

}  // namespace

int main() {
  Device device;
  DeviceMemory target(kBytes);
  PinnedMemory buffer(kBytes);
  Stream stream;
  std::memset(buffer, 1, kBytes);
  std::thread reader([&] {
    handed_back.wait(false);
    std::memset(buffer, 2, kBytes);
  });
  need(aclrtMemcpyAsync(target, kBytes, buffer, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  handed_back = true;
  handed_back.notify_all();
  reader.join();
  need(aclrtSynchronizeStream(stream));
  return 0;
}
