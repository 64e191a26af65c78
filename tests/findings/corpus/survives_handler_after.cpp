// SPDX-License-Identifier: Apache-2.0
// rule: host-write-in-flight
// The program installs a SIGSEGV handler with signal() on top of the checker's, and another one
// later: each gets exactly the program's own faults.
#include "corpus.h"

#include <signal.h>
#include <sys/mman.h>

using namespace corpus;

namespace {

constexpr size_t kBytes = 4 * kPage;
char* own_page = nullptr;
int first_faults = 0;
int second_faults = 0;

void first_handler(int /*signal*/) {
  ++first_faults;
  mprotect(own_page, kPage, PROT_READ | PROT_WRITE);
}

void second_handler(int /*signal*/) {
  ++second_faults;
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
  Device device;
  DeviceMemory target(kBytes);
  PinnedMemory buffer(kBytes);
  Stream stream;
  for (auto* handler : {first_handler, second_handler}) {
    signal(SIGSEGV, handler);
    need(aclrtMemcpyAsync(target, kBytes, buffer, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, stream));
    fault();
    buffer[kPage] = 1;
    fault();
    need(aclrtSynchronizeStream(stream));
  }
  return first_faults == 2 && second_faults == 2 ? 0 : 3;
}
