// SPDX-License-Identifier: Apache-2.0
// Faults inside and outside of traps, and beside handlers of the program.
#include "base/fault_trap.h"

#include "tests/unit/base/traps_on_top.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <thread>

namespace ferry {
namespace {

constexpr size_t kPage = 4096;

// Two pages, of which the second cannot be accessed.
class FaultTrapTest : public ::testing::Test {
 protected:
  void SetUp() override {
    void* pages =
        mmap(nullptr, 2 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(MAP_FAILED, pages);
    bytes_ = static_cast<char*>(pages);
    ASSERT_EQ(0, mprotect(bytes_ + kPage, kPage, PROT_NONE));
  }
  void TearDown() override { munmap(bytes_, 2 * kPage); }

  // Writes this many bytes from the first page on.
  const void* fill(size_t size) {
    return catch_fault([&](FaultTrap& trap) {
      trap.expect(bytes_, bytes_, size);
      std::memset(bytes_, 1, size);
    });
  }

  char* bytes_ = nullptr;

 private:
  const TrapsOnTop traps_on_top_;
};

TEST_F(FaultTrapTest, ReturnsTheAddressThatCouldNotBeAccessed) {
  EXPECT_EQ(nullptr, fill(kPage));
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(bytes_ + kPage, fill(2 * kPage));
  }
  EXPECT_EQ(nullptr, fill(kPage)) << "the trap works again after a fault";
}

TEST_F(FaultTrapTest, CatchesAFileThatIsTooShort) {
  const int file = memfd_create("short", MFD_CLOEXEC);
  ASSERT_EQ(0, ftruncate(file, kPage));
  void* mapped = mmap(bytes_, 2 * kPage, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0);
  ASSERT_EQ(bytes_, mapped);
  EXPECT_EQ(nullptr, fill(kPage));
  EXPECT_EQ(bytes_ + kPage, fill(2 * kPage));
  close(file);
}

TEST_F(FaultTrapTest, BelongsToItsThread) {
  // Each thread writes a half of the first page and then beyond it.
  const auto write_half = [&](size_t offset) {
    return catch_fault([&](FaultTrap& trap) {
      trap.expect(bytes_ + offset, bytes_ + kPage, kPage);
      std::memset(bytes_ + offset, 1, kPage / 2);
      *static_cast<volatile char*>(bytes_ + kPage + offset) = 1;
    });
  };
  std::thread other([&] { EXPECT_EQ(bytes_ + kPage + kPage / 2, write_half(kPage / 2)); });
  EXPECT_EQ(bytes_ + kPage, write_half(0));
  other.join();
}

TEST_F(FaultTrapTest, LeavesTheSignalMaskAsItWas) {
  sigset_t before;
  sigset_t after;
  pthread_sigmask(SIG_SETMASK, nullptr, &before);
  EXPECT_EQ(bytes_ + kPage, fill(2 * kPage));
  pthread_sigmask(SIG_SETMASK, nullptr, &after);
  EXPECT_EQ(sigismember(&before, SIGSEGV), sigismember(&after, SIGSEGV));
  EXPECT_TRUE(are_faults_caught());
}

TEST_F(FaultTrapTest, KnowsWhetherFaultsAreCaught) {
  EXPECT_TRUE(are_faults_caught());
  sigset_t bus;
  sigset_t before;
  sigemptyset(&bus);
  sigaddset(&bus, SIGBUS);
  pthread_sigmask(SIG_BLOCK, &bus, &before);
  EXPECT_FALSE(are_faults_caught()) << "a blocked fault kills";
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  struct sigaction ours {};
  struct sigaction other {};
  other.sa_handler = SIG_DFL;
  ASSERT_EQ(0, sigaction(SIGSEGV, &other, &ours));
  EXPECT_FALSE(are_faults_caught()) << "the program has replaced the handler";
  ASSERT_EQ(0, sigaction(SIGSEGV, &ours, nullptr));
  EXPECT_TRUE(are_faults_caught());
}

// A fault elsewhere is the program's, even in the middle of a copy.
TEST_F(FaultTrapTest, LeavesOtherFaultsToTheProgram) {
  const auto touch_elsewhere = [&] {
    catch_fault([&](FaultTrap& trap) {
      trap.expect(bytes_, bytes_, kPage);
      *static_cast<volatile char*>(bytes_ + kPage) = 1;
    });
  };
  const auto send_a_signal = [&] {
    catch_fault([&](FaultTrap& trap) {
      trap.expect(bytes_, bytes_, kPage);
      raise(SIGBUS);
    });
  };
  EXPECT_DEATH(touch_elsewhere(), "");
  EXPECT_DEATH(send_a_signal(), "");
}

}  // namespace
}  // namespace ferry
