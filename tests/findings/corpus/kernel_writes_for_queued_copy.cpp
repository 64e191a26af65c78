// SPDX-License-Identifier: Apache-2.0
// rule: none
// cpu: device functions run on CPU devices
// A kernel writes the source of a copy that is queued behind it while the kernel runs.
#include "corpus.h"

#include "ferry/ferry.h"

#include <latch>

using namespace corpus;

namespace {

constexpr size_t kBytes = kPage + 8;  // whole pages are guarded, the rest is compared

struct Kernel {
  char* source = nullptr;
  std::latch has_begun{1}, may_write{1};

  static void run(void* argument) {
    auto* kernel = static_cast<Kernel*>(argument);
    kernel->has_begun.count_down();
    kernel->may_write.wait();
    std::memset(kernel->source, 1, kBytes);
  }
};

}  // namespace

int main() {
  Device device;
  DeviceMemory block(kBytes);
  PinnedMemory source(kBytes);
  Stream stream;
  Kernel kernel;
  kernel.source = source;
  need(ferryLaunchDeviceFunction(stream, Kernel::run, &kernel));
  kernel.has_begun.wait();
  need(aclrtMemcpyAsync(block, kBytes, source, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  kernel.may_write.count_down();
  need(aclrtSynchronizeStream(stream));
  return 0;
}
