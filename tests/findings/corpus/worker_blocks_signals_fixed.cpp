// SPDX-License-Identifier: Apache-2.0
// rule: none
// A worker that leaves all signals to another thread refills the buffer when its copy is done.
#include "corpus.h"

#include <signal.h>

#include <thread>

using namespace corpus;

namespace {

constexpr size_t kBytes = 4 * kPage;

void refill(char* buffer) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  std::memset(buffer, 2, kBytes);
}

}  // namespace

int main() {
  Device device;
  DeviceMemory target(kBytes);
  PinnedMemory buffer(kBytes);
  Stream stream;
  std::memset(buffer, 1, kBytes);
  need(aclrtMemcpyAsync(target, kBytes, buffer, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  need(aclrtSynchronizeStream(stream));
  std::thread(refill, static_cast<char*>(buffer)).join();
  return 0;
}
