// SPDX-License-Identifier: Apache-2.0
// FERRY_MEMORY=shared:SIZE: the capacity of a device is common to the processes of the user, and
// what a process had taken is free when it ends, however it ends.
#include "support/needs.h"
#include "support/peer.h"

#include <unistd.h>

#include <memory>

namespace conformance::memory::memory_common_to_processes_test {
namespace {

constexpr size_t kMebibyte = size_t{1} << 20;

class MemoryCommonToProcesses : public ::testing::Test {
 protected:
  void SetUp() override {
    NEEDS_CPU_DEVICE("FERRY_MEMORY applies to CPU devices only");
    if (!has_peer_program()) GTEST_SKIP() << "needs the program ferry_peer";
  }

  // 64 MiB and some bytes, so that programs that run at the same time share nothing with the test.
  static size_t capacity() {
    return 64 * kMebibyte + (static_cast<size_t>(getpid()) % 65536 + 1) * 8;
  }

  static std::unique_ptr<Peer> start(const char* devices = "FERRY_DEVICES=cpu:2") {
    auto peer = std::make_unique<Peer>(
        std::vector<std::string>{devices, "FERRY_MEMORY=shared:" + std::to_string(capacity())});
    EXPECT_PEER_OK(peer->send("set_device", 0));
    return peer;
  }

  static size_t free_of(Peer& peer) {
    const Answer info = peer.send("memory_info");
    EXPECT_PEER_OK(info);
    EXPECT_EQ(info.number(1), capacity());
    return info.number(0);
  }
};

TEST_F(MemoryCommonToProcesses, WhatOneTakesTheOtherCannot) {
  const auto first = start();
  const auto second = start("FERRY_DEVICES=cpu");
  EXPECT_EQ(free_of(*first), capacity());
  ASSERT_PEER_OK(first->send("allocate", "a", 48 * kMebibyte));
  const Answer refused = second->send("allocate", "b", 32 * kMebibyte);
  EXPECT_ANSWER(ACL_ERROR_RT_MEMORY_ALLOCATION, refused);
  EXPECT_NE(refused.text.find("other processes use"), std::string::npos) << refused.text;
  ASSERT_PEER_OK(second->send("allocate", "b", 15 * kMebibyte));
  EXPECT_EQ(free_of(*first), free_of(*second));
  EXPECT_LT(free_of(*first), 2 * kMebibyte);
  EXPECT_PEER_OK(first->send("free", "a"));
  EXPECT_EQ(free_of(*first), free_of(*second));
  EXPECT_PEER_OK(second->send("free", "b"));
  EXPECT_EQ(free_of(*first), capacity());
}

TEST_F(MemoryCommonToProcesses, DevicesAreCountedByTheirIndex) {
  const auto first = start();
  const auto second = start();
  ASSERT_PEER_OK(first->send("set_device", 1));
  ASSERT_PEER_OK(first->send("allocate", "a", 48 * kMebibyte));
  EXPECT_EQ(free_of(*second), capacity());
  ASSERT_PEER_OK(second->send("set_device", 1));
  EXPECT_LT(free_of(*second), 17 * kMebibyte);
  EXPECT_PEER_OK(first->send("free", "a"));
}

TEST_F(MemoryCommonToProcesses, MemoryOfAKilledProcessIsFree) {
  auto first = start();
  const auto second = start();
  ASSERT_PEER_OK(first->send("allocate", "a", 48 * kMebibyte));
  EXPECT_ANSWER(ACL_ERROR_RT_MEMORY_ALLOCATION, second->send("allocate", "b", 32 * kMebibyte));
  first->kill();
  EXPECT_EQ(free_of(*second), capacity());
  ASSERT_PEER_OK(second->send("allocate", "b", 48 * kMebibyte));
  // A process that comes later finds what the second has.
  const auto third = start();
  EXPECT_EQ(free_of(*third), free_of(*second));
  EXPECT_ANSWER(ACL_ERROR_RT_MEMORY_ALLOCATION, third->send("allocate", "c", 32 * kMebibyte));
  EXPECT_PEER_OK(second->send("free", "b"));
  EXPECT_PEER_OK(third->send("allocate", "c", 60 * kMebibyte));
  EXPECT_PEER_OK(third->send("free", "c"));
}

TEST_F(MemoryCommonToProcesses, AStoppedProcessKeepsItsMemoryAndStopsNobody) {
  const auto first = start();
  const auto second = start();
  ASSERT_PEER_OK(first->send("allocate", "a", 48 * kMebibyte));
  first->stop();
  EXPECT_ANSWER(ACL_ERROR_RT_MEMORY_ALLOCATION, second->send("allocate", "b", 32 * kMebibyte));
  const auto third = start();
  EXPECT_EQ(free_of(*third), free_of(*second));
  ASSERT_PEER_OK(third->send("allocate", "c", 12 * kMebibyte));
  EXPECT_PEER_OK(third->send("free", "c"));
  first->resume();
  EXPECT_PEER_OK(first->send("free", "a"));
  EXPECT_EQ(free_of(*second), capacity());
}

TEST_F(MemoryCommonToProcesses, PhysicalMemoryCountsToo) {
  const auto first = start();
  const auto second = start();
  ASSERT_PEER_OK(first->send("allocate_physical", "a", 48 * kMebibyte, ACL_MEM_LOCATION_TYPE_DEVICE,
                             0, ACL_HBM_MEM_HUGE));
  EXPECT_ANSWER(ACL_ERROR_RT_MEMORY_ALLOCATION,
                second->send("allocate_physical", "b", 32 * kMebibyte, ACL_MEM_LOCATION_TYPE_DEVICE,
                             0, ACL_HBM_MEM_HUGE));
  EXPECT_PEER_OK(first->send("free_physical", "a"));
  EXPECT_EQ(free_of(*second), capacity());
}

}  // namespace
}  // namespace conformance::memory::memory_common_to_processes_test
