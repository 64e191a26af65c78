// SPDX-License-Identifier: Apache-2.0
// Descriptors that a child of fork does not keep.
#include "sharing/descriptor.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <functional>
#include <thread>
#include <utility>

namespace ferry::sharing {
namespace {

bool is_open(int number) {
  return fcntl(number, F_GETFD) >= 0;
}

Descriptor open_null() {
  return Descriptor::made_by([] { return open("/dev/null", O_RDWR | O_CLOEXEC); });
}

// Whether `check` is true in a child of fork.
bool is_true_in_child(const std::function<bool()>& check) {
  const pid_t child = fork();
  if (child == 0) _exit(check() ? 7 : 1);
  int state = 0;
  waitpid(child, &state, 0);
  return WIFEXITED(state) && WEXITSTATUS(state) == 7;
}

TEST(SharingDescriptor, ClosesWhatItOwns) {
  int number = -1;
  {
    Descriptor first = open_null();
    number = first.number();
    EXPECT_TRUE(is_open(number));
    Descriptor second = std::move(first);
    EXPECT_FALSE(first);  // NOLINT(bugprone-use-after-move): it owns nothing now
    EXPECT_EQ(second.number(), number);
  }
  EXPECT_FALSE(is_open(number));
}

TEST(SharingDescriptor, KeepsTheReasonWhyThereIsNone) {
  const Descriptor none =
      Descriptor::made_by([] { return open("/no/such/file", O_RDONLY | O_CLOEXEC); });
  EXPECT_EQ(errno, ENOENT);
  EXPECT_FALSE(none);
}

TEST(SharingDescriptor, IsClosedInAChild) {
  Descriptor kept = open_null();
  EXPECT_TRUE(is_true_in_child([&] { return !is_open(kept.number()); }));
  EXPECT_TRUE(is_open(kept.number()));
}

TEST(SharingDescriptor, ClosesNothingOfTheChild) {
  Descriptor kept = open_null();
  EXPECT_TRUE(is_true_in_child([&] {
    const int number = kept.number();
    const int own = open("/dev/null", O_RDWR);
    if (dup2(own, number) != number) return false;
    kept.reset();
    return is_open(number);
  }));
}

TEST(SharingDescriptor, ReleasedOnesAreInherited) {
  Descriptor kept = open_null();
  const int number = kept.release();
  EXPECT_FALSE(kept);
  EXPECT_TRUE(is_true_in_child([&] { return is_open(number); }));
  close(number);
}

// Whether a descriptor of this process is the file in memory below. Needs no memory: a child asks.
bool has_file_of_test() {
  for (int number = 3; number < 256; ++number) {
    std::array<char, 32> path{};
    std::array<char, 64> target{};
    std::snprintf(path.data(), path.size(), "/proc/self/fd/%d", number);
    if (readlink(path.data(), target.data(), target.size() - 1) < 0) continue;
    if (std::strstr(target.data(), "memfd:ferry-fork") != nullptr) return true;
  }
  return false;
}

TEST(SharingDescriptor, AForkAtAnyMomentLeavesNothingToTheChild) {
  std::atomic<bool> is_over{false};
  std::thread making([&] {
    while (!is_over.load())
      Descriptor::made_by([] { return memfd_create("ferry-fork", MFD_CLOEXEC); });
  });
  for (int i = 0; i < 50; ++i)
    EXPECT_TRUE(is_true_in_child([] { return !has_file_of_test(); }));
  is_over.store(true);
  making.join();
}

}  // namespace
}  // namespace ferry::sharing
