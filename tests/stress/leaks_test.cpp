// SPDX-License-Identifier: Apache-2.0
// Leaks: after ten thousand rounds of create, copy and destroy a process holds what it held after
// the first thousand. A separate program, so that no other test affects the numbers.
#include "acl/acl.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace stress {
namespace {

constexpr int kWarmUpRounds = 1000;
constexpr int kRounds = 10000;
constexpr size_t kBlocks = 32;
constexpr size_t kBlockBytes = 2048;
constexpr size_t kBytes = kBlocks * kBlockBytes;
// The memory that allocators keep varies by some pages from moment to moment; a leak of a few bytes
// per round would be many times that.
constexpr size_t kHostSlack = size_t{2} << 20;

struct Holdings {
  size_t device_bytes = 0;
  size_t host_bytes = 0;
  size_t threads = 0;
  size_t files = 0;
};

size_t entries_of(const char* folder) {
  return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(folder),
                                           std::filesystem::directory_iterator()));
}

Holdings present_holdings() {
  size_t free_bytes = 0;
  size_t total_bytes = 0;
  EXPECT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &free_bytes, &total_bytes), ACL_SUCCESS);
  size_t pages = 0;
  size_t resident_pages = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident_pages;
  return {.device_bytes = total_bytes - free_bytes,
          .host_bytes = resident_pages * static_cast<size_t>(sysconf(_SC_PAGESIZE)),
          .threads = entries_of("/proc/self/task"),
          .files = entries_of("/proc/self/fd")};
}

// What one round creates, uses and destroys.
struct Round {
  void make() {
    ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateStream(&other), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC), ACL_SUCCESS);
    ASSERT_EQ(aclrtMalloc(&device, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY), ACL_SUCCESS);
    ASSERT_EQ(aclrtMallocHost(&source, kBytes), ACL_SUCCESS);
    ASSERT_EQ(aclrtMallocHost(&target, kBytes), ACL_SUCCESS);
  }

  // To the device as a batch on one stream; back as one copy on another stream that waits for it.
  void copy(int number) {
    std::memset(source, number, kBytes);
    std::memset(target, ~number, kBytes);
    void* dsts[kBlocks];
    void* srcs[kBlocks];
    size_t sizes[kBlocks];
    for (size_t i = 0; i < kBlocks; ++i) {
      dsts[i] = static_cast<char*>(device) + i * kBlockBytes;
      srcs[i] = static_cast<char*>(source) + (i * 7 % kBlocks) * kBlockBytes;
      sizes[i] = kBlockBytes;
    }
    aclrtMemcpyBatchAttr attribute{};
    attribute.dstLoc = {0, ACL_MEM_LOCATION_TYPE_DEVICE};
    attribute.srcLoc = {0, ACL_MEM_LOCATION_TYPE_HOST};
    size_t first = 0;
    size_t fail_index = 0;
    ASSERT_EQ(aclrtMemcpyBatchAsync(dsts, sizes, srcs, sizes, kBlocks, &attribute, &first, 1,
                                    &fail_index, stream),
              ACL_SUCCESS);
    ASSERT_EQ(aclrtRecordEvent(event, stream), ACL_SUCCESS);
    ASSERT_EQ(aclrtStreamWaitEvent(other, event), ACL_SUCCESS);
    ASSERT_EQ(aclrtMemcpyAsync(target, kBytes, device, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, other),
              ACL_SUCCESS);
    ASSERT_EQ(aclrtSynchronizeStream(other), ACL_SUCCESS);
    ASSERT_EQ(std::memcmp(source, target, kBytes), 0) << "round " << number;
  }

  void destroy() {
    EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
    EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
    EXPECT_EQ(aclrtDestroyStream(other), ACL_SUCCESS);
    EXPECT_EQ(aclrtFree(device), ACL_SUCCESS);
    EXPECT_EQ(aclrtFreeHost(source), ACL_SUCCESS);
    EXPECT_EQ(aclrtFreeHost(target), ACL_SUCCESS);
  }

  aclrtStream stream = nullptr;
  aclrtStream other = nullptr;
  aclrtEvent event = nullptr;
  void* device = nullptr;
  void* source = nullptr;
  void* target = nullptr;
};

void run_rounds(int first, int end) {
  for (int i = first; i < end && !::testing::Test::HasFailure(); ++i) {
    Round round;
    ASSERT_NO_FATAL_FAILURE(round.make());
    ASSERT_NO_FATAL_FAILURE(round.copy(i));
    round.destroy();
  }
}

TEST(Leaks, TenThousandRoundsLeaveNothingBehind) {
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  run_rounds(0, kWarmUpRounds);
  const Holdings before = present_holdings();
  run_rounds(kWarmUpRounds, kRounds);
  const Holdings after = present_holdings();
  EXPECT_LE(after.device_bytes, before.device_bytes);
  EXPECT_LE(after.host_bytes, before.host_bytes + kHostSlack);
  EXPECT_LE(after.threads, before.threads);
  EXPECT_LE(after.files, before.files);
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
}

}  // namespace
}  // namespace stress
