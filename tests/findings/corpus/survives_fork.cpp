// SPDX-License-Identifier: Apache-2.0
// rule: host-write-in-flight
// The program forks while a copy is in flight. The child writes the copy's memory, of which it has
// its own copy by then, and exits with its own code; the misuse of the parent is reported.
#include "corpus.h"

#include <sys/wait.h>
#include <unistd.h>

using namespace corpus;

namespace {

constexpr size_t kBytes = 4 * kPage;

// The exit status of a child that writes the memory.
int status_of_child(char* memory) {
  const pid_t child = fork();
  if (child == 0) {
    std::memset(memory, 2, kBytes);
    std::exit(memory[kBytes - 1] == 2 && aclrtSetDevice(0) != ACL_SUCCESS ? 7 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

int main() {
  Device device;
  DeviceMemory target(kBytes);
  PinnedMemory buffer(kBytes);
  Stream stream;
  need(aclrtMemcpyAsync(target, kBytes, buffer, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  if (status_of_child(buffer) != 7) return 3;
  if (buffer[0] != 0) return 4;
  buffer[kPage] = 1;
  need(aclrtSynchronizeStream(stream));
  return 0;
}
