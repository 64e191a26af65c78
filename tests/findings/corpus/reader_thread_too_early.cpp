// SPDX-License-Identifier: Apache-2.0
// rule: host-read-in-flight
// cpu: a read is seen through guarded pages
// The thread that answers requests is notified of a result when its copy was queued, not when it is
// done (vLLM#46278).
#include "corpus.h"

#include <atomic>
#include <thread>

using namespace corpus;

namespace {

constexpr size_t kBytes = 2 * kPage;
std::atomic<bool> is_ready{false};

}  // namespace

int main() {
  Device device;
  DeviceMemory tokens(kBytes);
  PinnedMemory result(kBytes);
  Stream stream;
  std::thread answer([&] {
    is_ready.wait(false);
    use(result[100]);
  });
  need(aclrtMemcpyAsync(result, kBytes, tokens, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, stream));
  is_ready = true;
  is_ready.notify_all();
  answer.join();
  need(aclrtSynchronizeStream(stream));
  return 0;
}
