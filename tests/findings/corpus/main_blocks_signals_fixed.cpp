// SPDX-License-Identifier: Apache-2.0
// rule: none
// A program blocks all signals with the function of programs that have one thread, and refills the
// buffer when the copy is done. The two functions still refuse what they must.
#include "corpus.h"

#include <signal.h>

#include <cerrno>

using namespace corpus;

namespace {

constexpr size_t kBytes = 4 * kPage;
constexpr int kNoAction = 99;

}  // namespace

int main() {
  sigset_t all;
  sigfillset(&all);
  need(sigprocmask(SIG_SETMASK, &all, nullptr));
  if (sigprocmask(kNoAction, &all, nullptr) != -1 || errno != EINVAL) return 1;
  if (pthread_sigmask(kNoAction, &all, nullptr) != EINVAL) return 1;
  Device device;
  DeviceMemory target(kBytes);
  PinnedMemory buffer(kBytes);
  Stream stream;
  std::memset(buffer, 1, kBytes);
  need(aclrtMemcpyAsync(target, kBytes, buffer, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  need(aclrtSynchronizeStream(stream));
  std::memset(buffer, 2, kBytes);
  return 0;
}
