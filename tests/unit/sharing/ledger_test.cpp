// SPDX-License-Identifier: Apache-2.0
// The bytes that several processes have taken: the table itself, processes that end, and how they
// find the same table.
#include "sharing/ledger.h"

#include "sharing/common_ledger.h"
#include "tests/unit/sharing/helper.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace ferry::sharing {
namespace {

constexpr uint64_t kCapacity = 1000;

std::shared_ptr<Ledger> make_ledger() {
  auto made = Ledger::create(kCapacity);
  EXPECT_TRUE(made.ok());
  return made.ok() ? *made : nullptr;
}

std::shared_ptr<Ledger> open_ledger(const Ledger& other) {
  auto opened = Ledger::open(other.file(), kCapacity);
  EXPECT_TRUE(opened.ok());
  return opened.ok() ? *opened : nullptr;
}

TEST(Ledger, CountsWhatAllHaveTaken) {
  const auto one = make_ledger();
  const auto two = open_ledger(*one);
  EXPECT_TRUE(one->take(0, 600));
  EXPECT_FALSE(two->take(0, 401));
  EXPECT_EQ(one->used(0), 600u);
  EXPECT_TRUE(two->take(0, 400));
  EXPECT_EQ(one->used(0), 1000u);
  EXPECT_EQ(two->used(0), 1000u);
  EXPECT_TRUE(two->take(1, 1000));  // another device
  one->give_back(0, 600);
  EXPECT_EQ(two->used(0), 400u);
  EXPECT_FALSE(one->take(0, UINT64_MAX));
  EXPECT_EQ(two->used(0), 400u);
}

TEST(Ledger, ADeviceThatIsNotThereHasNothing) {
  const auto ledger = make_ledger();
  EXPECT_FALSE(ledger->take(Ledger::kMostDevices, 1));
  EXPECT_EQ(ledger->used(Ledger::kMostDevices), 0u);
}

TEST(Ledger, WhatIsNotGivenBackGoesWithItsObject) {
  const auto one = make_ledger();
  auto two = open_ledger(*one);
  EXPECT_TRUE(two->take(3, 1000));
  two.reset();
  EXPECT_EQ(one->used(3), 0u);
  EXPECT_TRUE(one->take(3, 1000));
}

TEST(Ledger, NeverGivesMoreThanTheCapacity) {
  const auto first = make_ledger();
  std::vector<std::shared_ptr<Ledger>> all;
  for (int i = 0; i < 4; ++i)
    all.push_back(open_ledger(*first));
  std::vector<std::thread> threads;
  for (const auto& ledger : all) {
    threads.emplace_back([&ledger] {
      for (int i = 0; i < 200; ++i) {
        if (!ledger->take(0, 300)) continue;
        EXPECT_LE(ledger->used(0), kCapacity);
        ledger->give_back(0, 300);
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(first->used(0), 0u);
}

TEST(Ledger, AFileThatIsNoLedgerIsRefused) {
  const auto ledger = make_ledger();
  EXPECT_FALSE(Ledger::open(ledger->file(), kCapacity + 1).ok());
  EXPECT_FALSE(Ledger::open(-1, kCapacity).ok());
  const int plain = memfd_create("plain", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  EXPECT_FALSE(Ledger::open(plain, kCapacity).ok());
  ASSERT_EQ(fcntl(plain, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW), 0);
  EXPECT_FALSE(Ledger::open(plain, kCapacity).ok());
  close(plain);
}

TEST(Ledger, NumbersThatNobodyCanHaveTakenOnlyRefuse) {
  const auto one = make_ledger();
  auto two = open_ledger(*one);
  ASSERT_TRUE(one->take(0, 100));
  const off_t size = lseek(one->file(), 0, SEEK_END);
  const std::vector<char> ones(static_cast<size_t>(size - 64), '\xff');  // behind the header
  ASSERT_EQ(pwrite(one->file(), ones.data(), ones.size(), 64), static_cast<ssize_t>(ones.size()));
  EXPECT_FALSE(one->take(0, 1));
  EXPECT_EQ(one->used(0), UINT64_MAX);
  two.reset();  // with what is forged in its name; places of nobody count as those of the ended
  EXPECT_EQ(one->used(0), 100u);
  EXPECT_TRUE(one->take(0, 900));
}

// ---- with other processes ----

// A capacity that no other program uses at the same time.
std::string unique_capacity() {
  static uint64_t last = 0;
  return std::to_string((static_cast<uint64_t>(getpid()) << 20) + ++last);
}

TEST(SharingBetweenProcesses, ProcessesThatStartTogetherFindOneLedger) {
  const std::string capacity = unique_capacity();
  std::vector<std::unique_ptr<Helper>> helpers;
  for (int i = 0; i < 5; ++i)
    helpers.push_back(std::make_unique<Helper>());
  for (const auto& helper : helpers)
    helper->tell("ledger " + capacity);
  for (const auto& helper : helpers)
    EXPECT_EQ(helper->answer(), "joined");
  for (const auto& helper : helpers)
    EXPECT_EQ(helper->ask("take 0 10"), "taken");
  for (const auto& helper : helpers)
    EXPECT_EQ(helper->ask("used 0"), "50");
  helpers[0]->kill();
  helpers[3]->kill();
  EXPECT_EQ(helpers[1]->ask("used 0"), "30");
  Helper late;
  EXPECT_EQ(late.ask("ledger " + capacity), "joined");
  EXPECT_EQ(late.ask("used 0"), "30");
}

TEST(SharingBetweenProcesses, ALedgerGoesWithTheLastProcess) {
  const std::string capacity = unique_capacity();
  {
    Helper first;
    EXPECT_EQ(first.ask("ledger " + capacity), "joined");
    EXPECT_EQ(first.ask("take 0 10"), "taken");
    first.kill();
  }
  Helper second;
  EXPECT_EQ(second.ask("ledger " + capacity), "joined");
  EXPECT_EQ(second.ask("used 0"), "0");
}

TEST(SharingBetweenProcesses, AStoppedProcessWithoutALedgerDelaysNobody) {
  Helper stopped;
  stopped.ask("offer 2");
  stopped.stop();
  Helper helper;
  EXPECT_EQ(helper.ask("ledger " + unique_capacity()), "joined");
  stopped.go_on();
}

TEST(SharingBetweenProcesses, AProcessKilledDuringItsTurnLeavesItToTheNext) {
  const std::string capacity = unique_capacity();
  Helper holder;
  const std::string name = "ferry1/" + std::to_string(geteuid()) + "/ledger/" + capacity + "/turn";
  ASSERT_EQ(holder.ask("pose " + name), "done");
  Helper helper;
  helper.tell("ledger " + capacity);
  holder.kill();
  EXPECT_EQ(helper.answer(), "joined");
}

}  // namespace
}  // namespace ferry::sharing
