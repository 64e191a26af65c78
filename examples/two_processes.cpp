// SPDX-License-Identifier: Apache-2.0
// Two processes, as in disaggregated serving: prefill fills blocks of a KV cache, decode copies
// them from there. The memory is shared by a key and an event orders the two streams, so no byte
// passes through the host. A pipe carries the key, the event and one letter per round.
#include "check.h"

#include <sys/wait.h>
#include <unistd.h>

#include <vector>

namespace {

constexpr int kRounds = 3;
constexpr size_t kBlocks = 64;
constexpr size_t kBlockSize = 64 << 10;
constexpr size_t kSize = kBlocks * kBlockSize;

// Everything that decode needs to find the memory and the event of prefill.
struct Introduction {
  char key[65];
  aclrtIpcEventHandle event;
};

void send(int pipe, const void* bytes, size_t size) {
  require(write(pipe, bytes, size) == static_cast<ssize_t>(size), "the other process listens");
}

void receive(int pipe, void* bytes, size_t size) {
  require(read(pipe, bytes, size) == static_cast<ssize_t>(size), "the other process answers");
}

// One letter: what the other process waits for has been queued.
void tell(int pipe) {
  send(pipe, "!", 1);
}
void wait_until_told(int pipe) {
  char letter = 0;
  receive(pipe, &letter, 1);
}

char byte_of(int round) {
  return static_cast<char>(0x40 + round);
}

// Copies each round's blocks into a cache of its own and compares them.
void decode(int from_prefill, int to_prefill) {
  Introduction prefill{};
  receive(from_prefill, &prefill, sizeof prefill);
  void* shared = nullptr;
  aclrtEvent event = nullptr;
  check(
      aclrtIpcMemImportByKey(&shared, prefill.key, ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS));
  check(aclrtIpcOpenEventHandle(prefill.event, &event));

  aclrtStream stream = nullptr;
  void* cache = nullptr;
  check(aclrtCreateStream(&stream));
  check(aclrtMalloc(&cache, kSize, ACL_MEM_MALLOC_HUGE_FIRST));
  std::vector<char> bytes(kSize);
  for (int round = 0; round < kRounds; ++round) {
    wait_until_told(from_prefill);
    check(aclrtStreamWaitEvent(stream, event));  // for the record of prefill
    check(aclrtMemcpyAsync(cache, kSize, shared, kSize, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
    check(aclrtRecordEvent(event, stream));  // from now on the newest record is that of decode
    tell(to_prefill);
    check(aclrtSynchronizeStream(stream));
    check(aclrtMemcpy(bytes.data(), kSize, cache, kSize, ACL_MEMCPY_DEVICE_TO_HOST));
    for (const char byte : bytes)
      require(byte == byte_of(round), "decode has the blocks of this round");
  }
  check(aclrtFree(cache));
  check(aclrtDestroyStream(stream));
  check(aclrtDestroyEvent(event));
  check(aclrtIpcMemClose(prefill.key));
}

// Fills the blocks anew once decode has copied them.
void prefill(int from_decode, int to_decode) {
  aclrtStream stream = nullptr;
  void* blocks = nullptr;
  aclrtEvent event = nullptr;
  Introduction own{};
  check(aclrtCreateStream(&stream));
  check(aclrtMalloc(&blocks, kSize, ACL_MEM_MALLOC_HUGE_FIRST));
  check(aclrtIpcMemGetExportKey(blocks, kSize, own.key, sizeof own.key,
                                ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION));
  check(aclrtCreateEventExWithFlag(&event, ACL_EVENT_IPC));
  check(aclrtIpcGetEventHandle(event, &own.event));
  send(to_decode, &own, sizeof own);

  for (int round = 0; round < kRounds; ++round) {
    for (size_t block = 0; block < kBlocks; ++block) {
      check(aclrtMemsetAsync(static_cast<char*>(blocks) + block * kBlockSize, kBlockSize,
                             byte_of(round), kBlockSize, stream));
    }
    check(aclrtRecordEvent(event, stream));
    tell(to_decode);
    wait_until_told(from_decode);
    check(aclrtSynchronizeEvent(event));  // decode has copied
    std::printf("round %d: decode has %zu blocks of %zu KiB\n", round, kBlocks, kBlockSize >> 10);
  }
  check(aclrtDestroyEvent(event));
  check(aclrtIpcMemClose(own.key));
  check(aclrtFree(blocks));
  check(aclrtDestroyStream(stream));
}

// Starts this program again, as decode.
pid_t start_decode(const int (&to_decode)[2], const int (&to_prefill)[2]) {
  const pid_t child = fork();
  require(child >= 0, "the system starts another process");
  if (child > 0) return child;
  close(to_decode[1]);
  close(to_prefill[0]);
  dup2(to_decode[0], STDIN_FILENO);
  dup2(to_prefill[1], STDERR_FILENO + 1);
  execl("/proc/self/exe", "two_processes", "decode", nullptr);
  _exit(1);
}

void run(bool is_decode, int from_other, int to_other) {
  check(aclInit(nullptr));
  check(aclrtSetDevice(0));
  if (is_decode) {
    decode(from_other, to_other);
  } else {
    prefill(from_other, to_other);
  }
  check(aclrtResetDevice(0));
  check(aclFinalize());
}

}  // namespace

int main(int count, char** /*arguments*/) {
  if (count > 1) {
    run(true, STDIN_FILENO, STDERR_FILENO + 1);
    return 0;
  }
  int to_decode[2];
  int to_prefill[2];
  require(pipe(to_decode) == 0 && pipe(to_prefill) == 0, "the system has pipes");
  const pid_t child = start_decode(to_decode, to_prefill);
  close(to_decode[0]);
  close(to_prefill[1]);
  run(false, to_prefill[0], to_decode[1]);
  int status = 0;
  require(waitpid(child, &status, 0) == child && status == 0, "decode found every byte right");
  return 0;
}
