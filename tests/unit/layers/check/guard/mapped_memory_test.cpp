// SPDX-License-Identifier: Apache-2.0
// Memory that the program has unmapped: found, and filled where something still uses it.
#include "layers/check/guard/mapped_memory.h"

#include "layers/check/guard/double_mapping.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>

namespace ferry::layers::check {
namespace {

class MappedMemory : public ::testing::Test {
 protected:
  static constexpr uint64_t kPages = 4;

  void SetUp() override {
    void* memory = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    memory_ = static_cast<char*>(memory);
    std::memset(memory_, 1, size_);
  }
  void TearDown() override { munmap(memory_, size_); }

  void unmap(uint64_t page) { ASSERT_EQ(munmap(memory_ + page * page_, page_), 0); }
  Range bytes(uint64_t begin, uint64_t end) const {
    const auto start = reinterpret_cast<uintptr_t>(memory_);
    return {start + begin, start + end};
  }

  const uint64_t page_ = memory_page_size();
  const uint64_t size_ = kPages * page_;
  char* memory_ = nullptr;
};

TEST_F(MappedMemory, OneMissingPageIsFound) {
  EXPECT_TRUE(is_mapped(bytes(0, size_)));
  unmap(2);
  errno = 0;
  EXPECT_FALSE(is_mapped(bytes(0, size_)));
  EXPECT_EQ(errno, 0);
  EXPECT_TRUE(is_mapped(bytes(0, 2 * page_)));
  EXPECT_FALSE(is_mapped(bytes(0, 2 * page_ + 1)));
  EXPECT_FALSE(is_mapped(bytes(3 * page_ - 1, size_)));
  EXPECT_TRUE(is_mapped(bytes(3 * page_, size_)));
}

TEST_F(MappedMemory, MemoryThatIsNotAccessibleIsMapped) {
  ASSERT_EQ(mprotect(memory_, size_, PROT_NONE), 0);
  EXPECT_TRUE(is_mapped(bytes(0, size_)));
}

TEST_F(MappedMemory, HolesAreFilledAndNothingElse) {
  unmap(0);
  unmap(3);
  fill_holes(bytes(1, size_ - 1));
  EXPECT_TRUE(is_mapped(bytes(0, size_)));
  EXPECT_EQ(memory_[0], 0);
  EXPECT_EQ(memory_[page_], 1);
  EXPECT_EQ(memory_[3 * page_ - 1], 1);
  EXPECT_EQ(memory_[size_ - 1], 0);
}

}  // namespace
}  // namespace ferry::layers::check
