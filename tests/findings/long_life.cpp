// SPDX-License-Identifier: Apache-2.0
// A correct program that runs for long: copies, allocations, events, streams, host functions. Exits
// with 1 when its memory still grows after the warm-up. ctest runs it under the checker; an
// optional argument is the number of rounds.
#include "acl/acl.h"

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace {

constexpr size_t kBytes = 8192;
constexpr int kWarmUp = 20000;         // rounds
constexpr int kRounds = 60000;         // with two copies, two allocations and an event each
constexpr int64_t kAllowed = 1 << 20;  // bytes; a leak of one small object per round is more

void check(aclError code, const char* what) {
  if (code == ACL_SUCCESS) return;
  std::fprintf(stderr, "%s: %d\n", what, code);
  std::exit(2);
}
#define CHECK(call) check(call, #call)  // to name the call that failed

int64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  int64_t total = 0;
  int64_t resident = 0;
  file >> total >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

void note(void* count) {
  ++*static_cast<int*>(count);
}

// Objects that live as long as the program.
struct Lasting {
  aclrtStream first = nullptr;
  aclrtStream second = nullptr;
  void* pinned = nullptr;
  void* device = nullptr;
  int calls = 0;
};

// Copies in on one stream and out on another, in newly allocated memory.
void copy_there_and_back(Lasting& lasting) {
  void* pinned = nullptr;
  void* device = nullptr;
  aclrtEvent event = nullptr;
  CHECK(aclrtMallocHost(&pinned, kBytes));
  CHECK(aclrtMalloc(&device, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY));
  CHECK(aclrtCreateEvent(&event));
  *static_cast<char*>(pinned) = 1;
  CHECK(aclrtMemcpyAsync(device, kBytes, pinned, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, lasting.first));
  CHECK(aclrtRecordEvent(event, lasting.first));
  CHECK(aclrtStreamWaitEvent(lasting.second, event));
  CHECK(aclrtMemcpyAsync(lasting.pinned, kBytes, device, kBytes, ACL_MEMCPY_DEVICE_TO_HOST,
                         lasting.second));
  CHECK(aclrtSynchronizeStream(lasting.second));
  CHECK(aclrtDestroyEvent(event));
  CHECK(aclrtFree(device));
  CHECK(aclrtFreeHost(pinned));
}

// What programs do less often.
void do_the_rest(Lasting& lasting) {
  aclrtStream stream = nullptr;
  CHECK(aclrtCreateStream(&stream));
  CHECK(aclrtMemsetAsync(lasting.device, kBytes, 0, kBytes, stream));
  CHECK(aclrtLaunchHostFunc(stream, note, &lasting.calls));
  CHECK(aclrtSynchronizeStream(stream));
  CHECK(aclrtDestroyStream(stream));
}

void work(Lasting& lasting, int rounds) {
  constexpr int kSeldom = 50;
  for (int round = 0; round < rounds; ++round) {
    copy_there_and_back(lasting);
    if (round % kSeldom == 0) do_the_rest(lasting);
  }
}

}  // namespace

int main(int count, char** arguments) {
  const int rounds = count > 1 ? std::atoi(arguments[1]) : kRounds;
  Lasting lasting;
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  CHECK(aclrtCreateStream(&lasting.first));
  CHECK(aclrtCreateStream(&lasting.second));
  CHECK(aclrtMallocHost(&lasting.pinned, kBytes));
  CHECK(aclrtMalloc(&lasting.device, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY));

  work(lasting, kWarmUp);
  const int64_t before = resident_bytes();
  work(lasting, rounds);
  const int64_t growth = resident_bytes() - before;
  std::printf("%lld KiB at first, %lld KiB more after %d rounds\n",
              static_cast<long long>(before >> 10), static_cast<long long>(growth >> 10), rounds);

  CHECK(aclrtFree(lasting.device));
  CHECK(aclrtFreeHost(lasting.pinned));
  CHECK(aclrtDestroyStream(lasting.second));
  CHECK(aclrtDestroyStream(lasting.first));
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
  return growth <= kAllowed ? 0 : 1;
}
