// SPDX-License-Identifier: Apache-2.0
// Probing host memory without touching it.
#include "core/host_probe.h"

#include "tests/unit/base/traps_on_top.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <vector>

namespace ferry {
namespace {

// Three adjacent mappings: no access, read only, read and write.
class HostProbe : public ::testing::TestWithParam<size_t> {
 protected:
  void SetUp() override {
    size_ = GetParam();
    base_ =
        static_cast<char*>(mmap(nullptr, 3 * size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ASSERT_NE(base_, MAP_FAILED);
    ASSERT_EQ(mprotect(base_ + size_, size_, PROT_READ), 0);
    ASSERT_EQ(mprotect(base_ + 2 * size_, size_, PROT_READ | PROT_WRITE), 0);
  }
  void TearDown() override { munmap(base_, 3 * size_); }

  size_t size_ = 0;
  char* base_ = nullptr;
};

TEST_P(HostProbe, TellsRightsApart) {
  EXPECT_FALSE(is_host_memory_accessible(base_, size_, Access::kRead));
  EXPECT_TRUE(is_host_memory_accessible(base_ + size_, size_, Access::kRead));
  EXPECT_FALSE(is_host_memory_accessible(base_ + size_, size_, Access::kWrite));
  EXPECT_TRUE(is_host_memory_accessible(base_ + 2 * size_, size_, Access::kWrite));
}

TEST_P(HostProbe, JudgesEveryByteOfTheRange) {
  EXPECT_FALSE(is_host_memory_accessible(base_ + size_ - 1, 2, Access::kRead));
  EXPECT_TRUE(is_host_memory_accessible(base_ + size_, 2 * size_, Access::kRead));
  EXPECT_FALSE(is_host_memory_accessible(base_ + 2 * size_ - 1, 2, Access::kWrite));
  ASSERT_EQ(mprotect(base_ + 2 * size_, size_, PROT_NONE), 0);
  EXPECT_FALSE(is_host_memory_accessible(base_ + size_, size_ + 1, Access::kRead));
}

// Covers both methods: small ranges use one, large ranges the other.
INSTANTIATE_TEST_SUITE_P(Sizes, HostProbe,
                         ::testing::Values(size_t{4096}, size_t{64} << 10, size_t{16} << 20));

TEST(HostProbeWithoutFiles, BelievesTheProgram) {
  std::vector<char> large(size_t{16} << 20);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit none{.rlim_cur = 0, .rlim_max = before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  const bool is_accessible = is_host_memory_accessible(large.data(), large.size(), Access::kWrite);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_TRUE(is_accessible);
}

TEST(HostProbeWithoutFiles, RefusesWhatHasNoRights) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit none{.rlim_cur = 0, .rlim_max = before.rlim_max};
  for (const size_t size : {size_t{4096}, size_t{16} << 20}) {
    void* page = mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(page, MAP_FAILED);
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
    EXPECT_FALSE(is_every_page_accessible(page, size, Access::kWrite)) << size;
    EXPECT_TRUE(is_every_page_accessible(page, size, Access::kRead)) << size;
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
    munmap(page, size);
  }
}

// The list of mappings does not show it; asking page by page does. Without a handler for faults a
// copy must not rely on the list.
TEST(HostProbeBehindTheEndOfAFile, SeesEveryPageUnlessFaultsAreCaught) {
  constexpr size_t kSize = size_t{16} << 20;
  const int file = memfd_create("short", MFD_CLOEXEC);
  ASSERT_EQ(ftruncate(file, kSize - 4096), 0);
  void* memory = mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ASSERT_NE(memory, MAP_FAILED);
  EXPECT_FALSE(is_every_page_accessible(memory, kSize, Access::kWrite));
  EXPECT_TRUE(is_host_memory_mapped(memory, kSize, Access::kWrite));
  const TrapsOnTop traps_on_top;
  EXPECT_TRUE(is_host_memory_accessible(memory, kSize, Access::kWrite));
  EXPECT_TRUE(are_host_rows_accessible(memory, kSize - 64, 64, 2, Access::kWrite));
  struct sigaction ours {};
  const struct sigaction other {};
  ASSERT_EQ(sigaction(SIGBUS, &other, &ours), 0);
  EXPECT_FALSE(is_host_memory_accessible(memory, kSize, Access::kWrite));
  EXPECT_FALSE(are_host_rows_accessible(memory, kSize - 64, 64, 2, Access::kWrite));
  ASSERT_EQ(sigaction(SIGBUS, &ours, nullptr), 0);
  munmap(memory, kSize);
  close(file);
}

TEST(HostProbeAnywhere, AnswersForAnyRange) {
  EXPECT_FALSE(is_host_memory_accessible(nullptr, 1, Access::kRead));
  EXPECT_FALSE(is_host_memory_accessible(reinterpret_cast<void*>(0x1000), SIZE_MAX, Access::kRead));
  EXPECT_FALSE(is_host_memory_accessible(reinterpret_cast<void*>(UINT64_MAX), 1, Access::kRead));
  EXPECT_FALSE(
      is_host_memory_accessible(reinterpret_cast<void*>(uint64_t{1} << 63), 10, Access::kRead));
  int local = 0;
  EXPECT_TRUE(is_host_memory_accessible(&local, sizeof local, Access::kWrite));
  EXPECT_TRUE(is_host_memory_accessible(nullptr, 0, Access::kRead)) << "no byte is touched";
  const std::vector<char> heap(100);
  EXPECT_TRUE(is_host_memory_accessible(heap.data(), heap.size(), Access::kRead));
}

}  // namespace
}  // namespace ferry
