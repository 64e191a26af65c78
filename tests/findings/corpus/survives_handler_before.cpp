// SPDX-License-Identifier: Apache-2.0
// rule: host-write-in-flight
// The program has handled SIGSEGV itself since before its first call: its own faults go to its
// handler, the others to the checker.
#include "corpus.h"

#include <signal.h>
#include <sys/mman.h>

using namespace corpus;

namespace {

constexpr size_t kBytes = 4 * kPage;
char* own_page = nullptr;
int own_faults = 0;

void on_fault(int /*signal*/, siginfo_t* info, void* /*context*/) {
  if (info->si_addr != own_page) std::_Exit(3);
  ++own_faults;
  mprotect(own_page, kPage, PROT_READ | PROT_WRITE);
}

void fault() {
  mprotect(own_page, kPage, PROT_NONE);
  *static_cast<volatile char*>(own_page) = 1;
}

}  // namespace

int main() {
  own_page =
      static_cast<char*>(mmap(nullptr, kPage, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, nullptr);
  Device device;
  DeviceMemory target(kBytes);
  PinnedMemory buffer(kBytes);
  Stream stream;
  fault();
  need(aclrtMemcpyAsync(target, kBytes, buffer, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  fault();
  buffer[kPage] = 1;
  fault();
  need(aclrtSynchronizeStream(stream));
  return own_faults == 3 ? 0 : 3;
}
