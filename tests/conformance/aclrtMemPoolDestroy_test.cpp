// SPDX-License-Identifier: Apache-2.0
// aclrtMemPoolDestroy: idle memory goes back at once, blocks in use when they are freed.
#include "support/at_once.h"
#include "support/pools.h"

#include <atomic>

namespace conformance::pools::aclrtMemPoolDestroy_test {
namespace {

using AclrtMemPoolDestroy = WithStream;

TEST_F(AclrtMemPoolDestroy, RefusesWhatIsNoLivePool) {
  EXPECT_FAILS(100000, "EH0008", aclrtMemPoolDestroy(nullptr));
  EXPECT_FAILS_WITH(kPoolError, aclrtMemPoolDestroy(destroyed_pool()));
  EXPECT_FAILS_WITH(kPoolError, aclrtMemPoolDestroy(stream_));
}

TEST_F(AclrtMemPoolDestroy, ReturnsIdleMemory) {
  const size_t before = free_bytes();
  {
    const Pool pool(4 * kUnit);
    pool.keep(4 * kUnit);
    void* address = pool.allocate(2 * kUnit, stream_);
    EXPECT_OK(aclrtMemPoolFreeAsync(address, stream_));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_EQ(free_bytes(), before - 2 * kUnit);
  }
  EXPECT_EQ(free_bytes(), before);
}

TEST_F(AclrtMemPoolDestroy, LeavesBlocksInUseUntilTheyAreFreed) {
  const size_t before = free_bytes();
  Pool pool(4 * kUnit);
  void* freed_now = pool.allocate(kUnit, stream_);
  void* freed_in_order = pool.allocate(kUnit, stream_);
  EXPECT_OK(aclrtMemPoolDestroy(pool.release()));
  EXPECT_EQ(free_bytes(), before - 2 * kUnit);
  EXPECT_OK(aclrtMemset(freed_now, kUnit, 1, kUnit));
  EXPECT_OK(aclrtFree(freed_now));
  EXPECT_EQ(free_bytes(), before - kUnit);
  EXPECT_OK(aclrtMemsetAsync(freed_in_order, kUnit, 1, kUnit, stream_));
  EXPECT_OK(aclrtMemPoolFreeAsync(freed_in_order, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(free_bytes(), before);
  EXPECT_EQ(memory::location_of(freed_in_order).type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
}

TEST_F(AclrtMemPoolDestroy, LetsQueuedFreesRun) {
  const size_t before = free_bytes();
  Pool pool(4 * kUnit);
  void* address = pool.allocate(kUnit, stream_);
  Gate gate(stream_);
  EXPECT_OK(aclrtMemsetAsync(address, kUnit, 1, kUnit, stream_));
  EXPECT_OK(aclrtMemPoolFreeAsync(address, stream_));
  EXPECT_OK(aclrtMemPoolDestroy(pool.release()));
  EXPECT_EQ(free_bytes(), before - kUnit);
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(free_bytes(), before);
}

TEST_F(AclrtMemPoolDestroy, SucceedsForOneOfManyThreads) {
  for (int round = 0; round < 20; ++round) {
    aclrtMemPool pool = Pool(kUnit).release();
    std::atomic<int> destroyed{0};
    at_once(4, [&](size_t /*index*/) {
      const aclError code = aclrtMemPoolDestroy(pool);
      if (code == ACL_SUCCESS) ++destroyed;
    });
    EXPECT_EQ(destroyed, 1);
  }
}

}  // namespace
}  // namespace conformance::pools::aclrtMemPoolDestroy_test
