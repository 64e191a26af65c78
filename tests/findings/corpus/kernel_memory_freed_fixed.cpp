// SPDX-License-Identifier: Apache-2.0
// rule: none
// cpu: device functions run on CPU devices
// The memory of a kernel is freed once the kernel is known to be done.
#include "corpus.h"

#include "ferry/ferry.h"

#include <latch>

using namespace corpus;

namespace {

struct Kernel {
  void* block = nullptr;
  std::latch has_begun{1}, may_end{1};

  static void run(void* argument) {
    auto* kernel = static_cast<Kernel*>(argument);
    void* bytes = ferryDeviceAddress(kernel->block);
    kernel->has_begun.count_down();
    kernel->may_end.wait();
    std::memset(bytes, 1, kPage);
  }
};

}  // namespace

int main() {
  Device device;
  Kernel kernel;
  need(aclrtMalloc(&kernel.block, kPage, ACL_MEM_MALLOC_HUGE_FIRST));
  Stream stream;
  need(ferryLaunchDeviceFunction(stream, Kernel::run, &kernel));
  kernel.has_begun.wait();
  kernel.may_end.count_down();
  need(aclrtSynchronizeStream(stream));
  need(aclrtFree(kernel.block));
  return 0;
}
