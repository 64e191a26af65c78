// SPDX-License-Identifier: Apache-2.0
// Programs for the test `advice`, one per argument: each does one thing that advice is about, or
// nothing of that kind.
#include "acl/acl.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

constexpr size_t kPages = 4000;
constexpr size_t kPage = 512;
constexpr size_t kChunk = 1 << 20;
constexpr size_t kBytes = 32 << 20;

void check(aclError code) {
  if (code == ACL_SUCCESS) return;
  std::fprintf(stderr, "advice: %d: %s\n", code, aclGetRecentErrMsg());
  std::exit(1);
}

struct Memory {
  Memory() {
    void* address = nullptr;
    check(aclrtMallocHost(&address, kBytes));
    host = static_cast<char*>(address);
    check(aclrtMalloc(&address, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
    device = static_cast<char*>(address);
    for (aclrtStream& stream : streams)
      check(aclrtCreateStream(&stream));
  }
  char* host = nullptr;
  char* device = nullptr;
  aclrtStream streams[2] = {};
};

void copy_in(const Memory& memory, size_t to, size_t from, size_t size, int stream = 0) {
  check(aclrtMemcpyAsync(memory.device + to, size, memory.host + from, size,
                         ACL_MEMCPY_HOST_TO_DEVICE, memory.streams[stream]));
}

// Pages that are scattered on both sides, submitted one by one.
void load_pages(const Memory& memory) {
  for (size_t i = 0; i < kPages; ++i)
    copy_in(memory, i * 3 * kPage, i * 2 * kPage, kPage);
  check(aclrtSynchronizeStream(memory.streams[0]));
}

void load_row_by_row(const Memory& memory) {
  for (size_t i = 0; i < kPages; ++i)
    copy_in(memory, i * kPage, i * kPage, kPage);
  check(aclrtSynchronizeStream(memory.streams[0]));
}

void wait_for_each(const Memory& memory) {
  for (size_t i = 0; i < kPages; ++i) {
    copy_in(memory, i * 3 * kPage, i * 2 * kPage, kPage);
    check(aclrtSynchronizeStream(memory.streams[0]));
  }
}

void copy_again(const Memory& memory) {
  for (int i = 0; i < 30; ++i) {
    copy_in(memory, 0, 0, kChunk);
    check(aclrtSynchronizeStream(memory.streams[0]));
    std::memset(memory.host + 4 * kChunk, i + 1, kPage);
    copy_in(memory, 4 * kChunk, 4 * kChunk, kPage);
    check(aclrtSynchronizeStream(memory.streams[0]));
  }
}

void register_each_time(const Memory& memory) {
  void* const buffer = std::aligned_alloc(4096, kChunk);
  std::memset(buffer, 1, kChunk);
  for (int i = 0; i < 200; ++i) {
    void* mapped = nullptr;
    check(aclrtHostRegister(buffer, kChunk, ACL_HOST_REGISTER_MAPPED, &mapped));
    check(aclrtMemcpyAsync(memory.device, kPage, buffer, kPage, ACL_MEMCPY_HOST_TO_DEVICE,
                           memory.streams[0]));
    check(aclrtSynchronizeStream(memory.streams[0]));
    check(aclrtHostUnregister(buffer));
  }
  std::free(buffer);
}

// Large chunks through two buffers, with an event for each, and one wait at the end.
void pipeline(const Memory& memory) {
  aclrtEvent events[2] = {};
  for (aclrtEvent& event : events)
    check(aclrtCreateEvent(&event));
  for (size_t i = 0; i < 20; ++i) {
    const size_t half = i % 2;
    copy_in(memory, half * kChunk, half * kChunk, kChunk, 0);
    check(aclrtRecordEvent(events[half], memory.streams[0]));
    check(aclrtStreamWaitEvent(memory.streams[1], events[half]));
    check(aclrtMemcpyAsync(memory.host + (4 + half) * kChunk, kChunk, memory.device + half * kChunk,
                           kChunk, ACL_MEMCPY_DEVICE_TO_HOST, memory.streams[1]));
  }
  check(aclrtSynchronizeStream(memory.streams[1]));
}

// One batch and one wait per step.
void batches(const Memory& memory) {
  std::vector<void*> dsts;
  std::vector<void*> srcs;
  std::vector<size_t> sizes(1000, kPage);
  for (size_t i = 0; i < sizes.size(); ++i) {
    dsts.push_back(memory.device + i * 3 * kPage);
    srcs.push_back(memory.host + i * 2 * kPage);
  }
  aclrtMemcpyBatchAttr attribute{};
  attribute.srcLoc.type = ACL_MEM_LOCATION_TYPE_HOST;
  attribute.dstLoc.type = ACL_MEM_LOCATION_TYPE_DEVICE;
  size_t first = 0;
  size_t failed = 0;
  for (int step = 0; step < 10; ++step) {
    check(aclrtMemcpyBatchAsync(dsts.data(), sizes.data(), srcs.data(), sizes.data(), sizes.size(),
                                &attribute, &first, 1, &failed, memory.streams[0]));
    check(aclrtSynchronizeStream(memory.streams[0]));
  }
}

struct Way {
  const char* name;
  void (*run)(const Memory&);
};

constexpr Way kWays[] = {{"small-copies", load_pages},
                         {"neighbours", load_row_by_row},
                         {"wait-per-copy", wait_for_each},
                         {"repeated-bytes", copy_again},
                         {"memory-in-loop", register_each_time},
                         {"pipeline", pipeline},
                         {"batches", batches}};

}  // namespace

int main(int argc, char** argv) {
  check(aclInit(nullptr));
  check(aclrtSetDevice(0));
  const Memory memory;
  for (const Way& way : kWays) {
    if (argc == 2 && std::strcmp(argv[1], way.name) == 0) {
      way.run(memory);
      check(aclFinalize());
      return 0;
    }
  }
  std::fprintf(stderr, "usage: advice WAY\n");
  return 2;
}
