// SPDX-License-Identifier: Apache-2.0
// Threads share pools: blocks are freed on one stream and given out on another, pools come and go,
// and no byte of a block is written by two owners.
#include "acl/acl.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

namespace stress {
namespace {

constexpr size_t kUnit = size_t{2} << 20;
constexpr size_t kBytes = 4096;  // of a block that are written
constexpr int kThreads = 4;
constexpr int kRounds = 60;

class PoolStorm : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS); }
  void TearDown() override { ASSERT_EQ(aclrtResetDevice(0), ACL_SUCCESS); }
};

aclrtMemPool create_pool(size_t units) {
  aclrtMemPoolProps properties{};
  properties.location = {0, ACL_MEM_LOCATION_TYPE_DEVICE};
  properties.maxSize = units * kUnit;
  aclrtMemPool pool = nullptr;
  EXPECT_EQ(aclrtMemPoolCreate(&pool, &properties), ACL_SUCCESS);
  return pool;
}

uint64_t number_of(aclrtMemPool pool, aclrtMemPoolAttr attribute) {
  uint64_t value = 0;
  EXPECT_EQ(aclrtMemPoolGetAttr(pool, attribute, &value), ACL_SUCCESS);
  return value;
}

template <class Body>
void on_pool_threads(Body body) {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&body, i] {
      ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
      body(i);
      ASSERT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
    });
  }
  for (std::thread& thread : threads)
    thread.join();
}

// Blocks on two streams: each is filled, copied out and freed, and compared at the end of a round.
class Worker {
 public:
  explicit Worker(int index) : random_(static_cast<unsigned>(index)), index_(index) {
    for (aclrtStream& stream : streams_)
      EXPECT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
    EXPECT_EQ(aclrtMallocHost(&host_, kBlocks * kBytes), ACL_SUCCESS);
  }
  ~Worker() {
    for (const aclrtStream stream : streams_)
      EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
    EXPECT_EQ(aclrtFreeHost(host_), ACL_SUCCESS);
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void run_round(aclrtMemPool pool) {
    bool is_used[kBlocks] = {};
    for (size_t i = 0; i < kBlocks; ++i)
      is_used[i] = use_block(pool, i);
    for (const aclrtStream stream : streams_)
      EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
    for (size_t i = 0; i < kBlocks; ++i) {
      if (is_used[i]) {
        EXPECT_EQ(std::memcmp(place(i), expected(i).data(), kBytes), 0);
      }
    }
  }

 private:
  static constexpr size_t kBlocks = 6;

  uint8_t* place(size_t i) const { return static_cast<uint8_t*>(host_) + i * kBytes; }
  std::vector<uint8_t> expected(size_t i) const {
    return std::vector<uint8_t>(kBytes,
                                static_cast<uint8_t>(16 * (index_ + 1) + static_cast<int>(i)));
  }

  // False when the pool is full.
  bool use_block(aclrtMemPool pool, size_t i) {
    const aclrtStream stream = streams_[random_() % 2];
    void* block = nullptr;
    const aclError code =
        aclrtMemPoolMallocAsync(&block, (1 + random_() % 3) * kUnit, pool, stream);
    if (code != ACL_SUCCESS) {
      EXPECT_EQ(code, ACL_ERROR_RT_INTERNAL_ERROR);
      return false;
    }
    EXPECT_EQ(aclrtMemsetAsync(block, kBytes, expected(i).front(), kBytes, stream), ACL_SUCCESS);
    EXPECT_EQ(aclrtMemcpyAsync(place(i), kBytes, block, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, stream),
              ACL_SUCCESS);
    if (random_() % 8 != 0) {
      EXPECT_EQ(aclrtMemPoolFreeAsync(block, stream), ACL_SUCCESS);
      return true;
    }
    EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
    EXPECT_EQ(aclrtFree(block), ACL_SUCCESS);
    return true;
  }

  std::minstd_rand random_;
  const int index_;
  aclrtStream streams_[2] = {};
  void* host_ = nullptr;
};

TEST_F(PoolStorm, BlocksHaveOneOwnerAtATime) {
  aclrtMemPool pool = create_pool(12);
  uint64_t threshold = 6 * kUnit;
  ASSERT_EQ(aclrtMemPoolSetAttr(pool, ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD, &threshold),
            ACL_SUCCESS);
  on_pool_threads([&](int index) {
    Worker worker(index);
    for (int round = 0; round < kRounds; ++round) {
      worker.run_round(pool);
      if (round % 10 == index) {
        EXPECT_EQ(aclrtMemPoolTrimTo(pool, kUnit), ACL_SUCCESS);
      }
    }
  });
  ASSERT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
  EXPECT_EQ(number_of(pool, ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT), 0u);
  EXPECT_LE(number_of(pool, ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT), threshold);
  EXPECT_LE(number_of(pool, ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH), 12 * kUnit);
  EXPECT_EQ(aclrtMemPoolDestroy(pool), ACL_SUCCESS);
}

// Pools are destroyed while other threads allocate from them and free their blocks.
TEST_F(PoolStorm, PoolsAreDestroyedUnderTheirUsers) {
  size_t before = 0;
  size_t total = 0;
  ASSERT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &before, &total), ACL_SUCCESS);
  for (int round = 0; round < 10; ++round) {
    aclrtMemPool pool = create_pool(64);
    std::atomic<int> allocated{0};
    on_pool_threads([&](int index) {
      aclrtStream stream = nullptr;
      ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
      for (;;) {
        void* block = nullptr;
        if (aclrtMemPoolMallocAsync(&block, kUnit, pool, stream) != ACL_SUCCESS) break;
        EXPECT_EQ(aclrtMemsetAsync(block, kBytes, 1, kBytes, stream), ACL_SUCCESS);
        EXPECT_EQ(aclrtMemPoolFreeAsync(block, stream), ACL_SUCCESS);
        if (allocated.fetch_add(1) > 40 && index == 0) {
          EXPECT_EQ(aclrtMemPoolDestroy(pool), ACL_SUCCESS);
        }
      }
      EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
    });
  }
  size_t after = 0;
  ASSERT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &after, &total), ACL_SUCCESS);
  EXPECT_EQ(after, before);
}

}  // namespace
}  // namespace stress
