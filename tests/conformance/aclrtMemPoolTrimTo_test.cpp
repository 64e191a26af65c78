// SPDX-License-Identifier: Apache-2.0
// aclrtMemPoolTrimTo: returns idle memory.
#include "support/pools.h"

#include <algorithm>
#include <initializer_list>
#include <vector>

namespace conformance::pools::aclrtMemPoolTrimTo_test {
namespace {

class AclrtMemPoolTrimTo : public WithStream {
 protected:
  // A pool that has a block of one unit in use, and idle blocks of these sizes.
  struct Trimmed : Pool {
    Trimmed(aclrtStream on, std::initializer_list<size_t> idle) : Pool(16 * kUnit), stream(on) {
      keep(16 * kUnit);
      live = allocate(kUnit, stream);
      std::vector<void*> blocks;
      for (const size_t units : idle)
        blocks.push_back(allocate(units * kUnit, stream));
      for (void* block : blocks)
        EXPECT_OK(aclrtMemPoolFreeAsync(block, stream));
      EXPECT_OK(aclrtSynchronizeStream(stream));
    }
    ~Trimmed() { EXPECT_OK(aclrtMemPoolFreeAsync(live, stream)); }

    aclrtStream stream;
    void* live = nullptr;
  };
};

TEST_F(AclrtMemPoolTrimTo, RefusesWhatTheTableSays) {
  const Pool pool(4 * kUnit);
  EXPECT_FAILS(100000, "EH0008", aclrtMemPoolTrimTo(nullptr, 0));
  EXPECT_FAILS_WITH(kPoolError, aclrtMemPoolTrimTo(destroyed_pool(), 0));
  EXPECT_FAILS_WITH(kPoolError, aclrtMemPoolTrimTo(pool, 4 * kUnit + 1));
  EXPECT_OK(aclrtMemPoolTrimTo(pool, 4 * kUnit));
}

TEST_F(AclrtMemPoolTrimTo, KeepsAtLeastWhatItWasTold) {
  const size_t before = free_bytes();
  for (const auto& idle : {std::initializer_list<size_t>{1, 2, 3}, {6}, {2, 2, 2}}) {
    for (size_t least = 0; least <= 9; ++least) {
      const Trimmed pool(stream_, idle);
      EXPECT_EQ(pool.taken(), 7 * kUnit);
      EXPECT_OK(aclrtMemPoolTrimTo(pool, least * kUnit));
      const size_t left = std::min(std::max(least, size_t{1}), size_t{7});
      EXPECT_EQ(pool.taken(), left * kUnit) << least;
      EXPECT_EQ(pool.used(), kUnit);
      EXPECT_EQ(free_bytes(), before - left * kUnit);
    }
  }
}

TEST_F(AclrtMemPoolTrimTo, KeepsWholeUnits) {
  const Trimmed pool(stream_, {4});
  EXPECT_OK(aclrtMemPoolTrimTo(pool, 2 * kUnit + 1));
  EXPECT_EQ(pool.taken(), 3 * kUnit);
}

TEST_F(AclrtMemPoolTrimTo, LeavesBlocksInUseAlone) {
  const Trimmed pool(stream_, {2});
  EXPECT_OK(aclrtMemset(pool.live, kUnit, 5, kUnit));
  EXPECT_OK(aclrtMemPoolTrimTo(pool, 0));
  uint8_t byte = 0;
  EXPECT_OK(aclrtMemcpy(&byte, 1, pool.live, 1, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_EQ(byte, 5);
}

TEST_F(AclrtMemPoolTrimTo, LeavesABlockWhoseFreeHasNotRun) {
  const Trimmed pool(stream_, {2});
  void* pending = pool.allocate(kUnit, stream_);
  Gate gate(stream_);
  EXPECT_OK(aclrtMemPoolFreeAsync(pending, stream_));
  EXPECT_OK(aclrtMemPoolTrimTo(pool, 0));
  EXPECT_EQ(pool.taken(), 2 * kUnit);
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclrtMemPoolTrimTo, NeedsNoContext) {
  const Trimmed pool(stream_, {2});
  on_new_thread([&] { EXPECT_OK(aclrtMemPoolTrimTo(pool, 0)); });
  EXPECT_EQ(pool.taken(), kUnit);
}

}  // namespace
}  // namespace conformance::pools::aclrtMemPoolTrimTo_test
