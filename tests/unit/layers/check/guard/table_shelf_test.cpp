// SPDX-License-Identifier: Apache-2.0
// Guards over so much memory that its page tables are moved aside: from outside it must behave like
// a single page.
#include "layers/check/guard/table_shelf.h"

#include "tests/unit/layers/check/guard/guard_support.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

namespace ferry::layers::check {
namespace {

constexpr uint64_t kMebi = uint64_t{1} << 20;

class TableShelfTest : public GuardTest {
 protected:
  void SetUp() override {
    GuardTest::SetUp();
    ASSERT_EQ(pipe(pipe_), 0);
  }
  void TearDown() override {
    close(pipe_[0]);
    close(pipe_[1]);
  }

  // The kernel reports access to a page without a signal; the byte is not changed.
  bool is_readable(const char* at) {
    if (write(pipe_[1], at, 1) != 1) return false;
    char byte = 0;
    return read(pipe_[0], &byte, 1) == 1 && byte == *at;
  }
  bool is_writable(char* at, char byte) {
    if (write(pipe_[1], &byte, 1) != 1) return false;
    if (read(pipe_[0], at, 1) == 1) return true;
    return read(pipe_[0], &byte, 1) != 1;
  }

 private:
  int pipe_[2] = {-1, -1};
};

// Differs in each page.
char pattern(uint64_t page) {
  return static_cast<char>(page * 37 + 11);
}

void fill(const Pinned& memory, uint64_t size, size_t page_size) {
  for (uint64_t at = 0; at < size; at += page_size)
    std::memset(memory.address() + at, pattern(at / page_size), page_size);
}

bool holds_pattern(const volatile char* bytes, uint64_t size, size_t page_size) {
  for (uint64_t at = 0; at < size; at += page_size) {
    if (bytes[at] != pattern(at / page_size) || bytes[at + page_size - 1] != bytes[at])
      return false;
  }
  return true;
}

// Whether every page is mapped right now, without a page fault having to map it first.
bool are_all_present(const char* address, uint64_t size, size_t page_size) {
  std::vector<uint64_t> entries(size / page_size);
  const int map = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  const auto place =
      static_cast<off_t>(reinterpret_cast<uintptr_t>(address) / page_size * sizeof(uint64_t));
  const auto bytes = static_cast<ssize_t>(entries.size() * sizeof(uint64_t));
  const bool was_read =
      pread(map, entries.data(), entries.size() * sizeof(uint64_t), place) == bytes;
  close(map);
  return was_read &&
         std::all_of(entries.begin(), entries.end(), [](uint64_t entry) { return entry >> 63; });
}

TEST_F(TableShelfTest, LargeMemoryIsClosedAndOpenedAgain) {
  constexpr uint64_t kSize = 11 * kMebi;
  const Pinned memory(kSize);
  fill(memory, kSize, page_);
  for (int round = 0; round < 3; ++round) {
    guard(memory.all(), Guard::kNoAccess, 5);
    EXPECT_TRUE(holds_pattern(memory.storage(), kSize, page_));
    for (const uint64_t at : {uint64_t{0}, 3 * kMebi, 6 * kMebi + page_, kSize - 1})
      EXPECT_FALSE(is_readable(memory.address() + at)) << at;
    unguard(memory.all(), Guard::kNoAccess, 5);
    EXPECT_TRUE(are_all_present(memory.address(), kSize, page_));
    EXPECT_TRUE(holds_pattern(memory.address(), kSize, page_));
  }
  write_byte(memory.address() + 5 * kMebi, 'x');
  EXPECT_EQ(memory.storage()[5 * kMebi], 'x');
  EXPECT_TRUE(take_told().empty());
}

TEST_F(TableShelfTest, MemoryThatMayBeReadShowsWhatItHolds) {
  constexpr uint64_t kSize = 8 * kMebi;
  const Pinned memory(kSize);
  fill(memory, kSize, page_);
  guard(memory.all(), Guard::kNoWrites, 6);
  EXPECT_TRUE(holds_pattern(memory.address(), kSize, page_));
  EXPECT_FALSE(is_writable(memory.address() + 4 * kMebi, 'x'));
  memory.storage()[4 * kMebi] = 'y';
  EXPECT_EQ(read_byte(memory.address() + 4 * kMebi), 'y');
  unguard(memory.all(), Guard::kNoWrites, 6);
  EXPECT_EQ(read_byte(memory.address() + 4 * kMebi), 'y');
  EXPECT_TRUE(take_told().empty());
}

TEST_F(TableShelfTest, ATouchOpensIt) {
  constexpr uint64_t kSize = 8 * kMebi;
  const Pinned memory(kSize);
  fill(memory, kSize, page_);
  guard(memory.all(), Guard::kNoAccess, 7);
  write_byte(memory.address() + 5 * kMebi, 'z');
  EXPECT_EQ(memory.storage()[5 * kMebi], 'z');
  const auto touches = take_told();
  ASSERT_EQ(touches.size(), 1u);
  EXPECT_EQ(touches[0].touch.label, 7u);
  memory.storage()[5 * kMebi] = pattern(5 * kMebi / page_);
  EXPECT_TRUE(holds_pattern(memory.address(), kSize, page_));
  EXPECT_TRUE(take_told().empty()) << "the rest of the copy's memory is open too";
  unguard(memory.all(), Guard::kNoAccess, 7);
}

TEST_F(TableShelfTest, OthersReadOnWhileGuardsComeAndGo) {
  constexpr uint64_t kSize = 8 * kMebi;
  const Pinned memory(kSize);
  fill(memory, kSize, page_);
  std::atomic<bool> is_over{false};
  std::atomic<bool> is_right{true};
  std::thread reader([&] {
    do {
      if (!holds_pattern(memory.address(), kSize, page_)) is_right = false;
    } while (!is_over);
  });
  for (int round = 0; round < 200; ++round) {
    guard(memory.all(), Guard::kNoWrites, 8);
    unguard(memory.all(), Guard::kNoWrites, 8);
  }
  is_over = true;
  reader.join();
  EXPECT_TRUE(is_right);
  EXPECT_TRUE(take_told().empty());
}

// Guards of any size come and go. After each step the kernel's view of some pages must match a
// count of the guards, and no contents may be lost.
TEST_F(TableShelfTest, FollowsWhateverGuardsThereAre) {
  struct Placed {
    uint64_t first;
    uint64_t end;
    Guard kind;
  };
  constexpr uint64_t kSize = 13 * kMebi;
  const Pinned memory(kSize);
  const uint64_t pages = kSize / page_;
  fill(memory, kSize, page_);
  std::mt19937 random(20);
  const auto below = [&](uint64_t limit) { return random() % limit; };
  std::vector<Placed> placed;
  for (uint64_t step = 0; step < 400; ++step) {
    if (placed.empty() || (placed.size() < 6 && below(2) == 0)) {
      const uint64_t first = below(pages);
      const uint64_t count = below(3) == 0 ? pages : below(pages) + 1;
      placed.push_back({first, std::min(pages, first + count),
                        below(2) == 0 ? Guard::kNoWrites : Guard::kNoAccess});
      const Placed& added = placed.back();
      guard(memory.bytes(added.first * page_, added.end * page_), added.kind, 1);
    } else {
      const auto gone = placed.begin() + static_cast<ptrdiff_t>(below(placed.size()));
      unguard(memory.bytes(gone->first * page_, gone->end * page_), gone->kind, 1);
      placed.erase(gone);
    }
    for (int sample = 0; sample < 20; ++sample) {
      const uint64_t page = below(pages);
      const auto covers = [&](Guard kind) {
        return std::any_of(placed.begin(), placed.end(), [&](const Placed& one) {
          return one.kind == kind && one.first <= page && page < one.end;
        });
      };
      const bool may_be_read = !covers(Guard::kNoAccess);
      const bool may_be_written = may_be_read && !covers(Guard::kNoWrites);
      char* const at = memory.address() + page * page_;
      ASSERT_EQ(is_readable(at), may_be_read) << "step " << step << ", page " << page;
      ASSERT_EQ(is_writable(at, pattern(page)), may_be_written)
          << "step " << step << ", page " << page;
    }
    ASSERT_TRUE(holds_pattern(memory.storage(), kSize, page_)) << "step " << step;
  }
  for (const Placed& one : placed)
    unguard(memory.bytes(one.first * page_, one.end * page_), one.kind, 1);
  EXPECT_TRUE(holds_pattern(memory.address(), kSize, page_));
  EXPECT_TRUE(take_told().empty());
}

}  // namespace
}  // namespace ferry::layers::check
