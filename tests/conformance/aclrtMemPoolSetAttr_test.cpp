// SPDX-License-Identifier: Apache-2.0
// aclrtMemPoolSetAttr: which attributes can be set, to which values.
#include "support/pools.h"

#include <functional>

namespace conformance::pools::aclrtMemPoolSetAttr_test {
namespace {

using AclrtMemPoolSetAttr = WithStream;

TEST_F(AclrtMemPoolSetAttr, ChecksPointersAndPoolFirst) {
  const Pool pool(kUnit);
  uint64_t value = 0;
  const auto attribute = ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT;
  EXPECT_FAILS(100000, "EH0008", aclrtMemPoolSetAttr(nullptr, attribute, nullptr));
  EXPECT_FAILS(107000, "EE1004", aclrtMemPoolSetAttr(destroyed_pool(), attribute, nullptr));
  EXPECT_FAILS_WITH(107000, aclrtMemPoolSetAttr(destroyed_pool(), attribute, &value));
  EXPECT_FAILS_WITH(107000, aclrtMemPoolSetAttr(stream_, attribute, &value));
}

TEST_F(AclrtMemPoolSetAttr, TakesTheValuesOfTheTable) {
  struct Row {
    int attribute;
    uint64_t value;
    aclError code;
  };
  const Row rows[] = {
      {0, 0, kPoolError},
      {1, 0, ACL_SUCCESS},
      {1, 5, ACL_SUCCESS},
      {2, 1, ACL_SUCCESS},
      {3, 1, ACL_SUCCESS},
      {4, 0, ACL_SUCCESS},
      {4, 4 * kUnit, ACL_SUCCESS},
      {4, 4 * kUnit + 1, kPoolError},
      {4, UINT64_MAX, kPoolError},
      {5, 0, 107000},
      {6, 0, ACL_SUCCESS},
      {6, 1, kPoolError},
      {7, 0, 107000},
      {8, 0, ACL_SUCCESS},
      {8, 1, kPoolError},
      {9, 0, kPoolError},
      {-1, 0, kPoolError},
  };
  const Pool pool(4 * kUnit);
  for (const Row& row : rows) {
    uint64_t value = row.value;
    EXPECT_EQ(aclrtMemPoolSetAttr(pool, static_cast<aclrtMemPoolAttr>(row.attribute), &value),
              row.code)
        << "attribute " << row.attribute << ", value " << row.value << ": " << recent_text();
  }
}

TEST_F(AclrtMemPoolSetAttr, ResetsPeaksToWhatIsThereNow) {
  const Pool pool(8 * kUnit);
  pool.keep(8 * kUnit);
  void* small = pool.allocate(kUnit, stream_);
  void* large = pool.allocate(3 * kUnit, stream_);
  EXPECT_OK(aclrtMemPoolFreeAsync(large, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(pool.number(ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH), 4 * kUnit);
  uint64_t zero = 0;
  EXPECT_OK(aclrtMemPoolSetAttr(pool, ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH, &zero));
  EXPECT_EQ(pool.number(ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH), kUnit);
  EXPECT_OK(aclrtMemPoolTrimTo(pool, 0));
  EXPECT_EQ(pool.number(ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH), 4 * kUnit);
  EXPECT_OK(aclrtMemPoolSetAttr(pool, ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH, &zero));
  EXPECT_EQ(pool.number(ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH), kUnit);
  EXPECT_OK(aclrtMemPoolFreeAsync(small, stream_));
}

// Every kind of synchronisation, with a pool that keeps one unit.
TEST_F(AclrtMemPoolSetAttr, TheThresholdLimitsIdleMemoryAtTheNextSynchronisation) {
  const streams::Event event = streams::Event::plain();
  const std::function<aclError()> synchronisations[] = {
      [&] { return aclrtSynchronizeStream(stream_); },
      [&] { return aclrtSynchronizeStreamWithTimeout(stream_, 10000); },
      [&] { return aclrtSynchronizeEvent(event); },
      [&] { return aclrtSynchronizeEventWithTimeout(event, 10000); },
      [&] { return aclrtSynchronizeDevice(); },
      [&] { return aclrtSynchronizeDeviceWithTimeout(10000); },
  };
  const size_t before = free_bytes();
  for (const auto& synchronise : synchronisations) {
    const Pool pool(8 * kUnit);
    pool.keep(kUnit);
    void* blocks[] = {pool.allocate(kUnit, stream_), pool.allocate(kUnit, stream_),
                      pool.allocate(3 * kUnit, stream_)};
    for (void* block : blocks)
      EXPECT_OK(aclrtMemPoolFreeAsync(block, stream_));
    EXPECT_OK(aclrtRecordEvent(event, stream_));
    EXPECT_OK(synchronise());
    EXPECT_EQ(pool.taken(), kUnit);
    EXPECT_EQ(pool.used(), 0u);
    EXPECT_EQ(free_bytes(), before - kUnit);
  }
}

TEST_F(AclrtMemPoolSetAttr, TheThresholdNeedNotBeAWholeNumberOfUnits) {
  const Pool pool(8 * kUnit);
  pool.keep(3 * kUnit - 1);
  EXPECT_OK(aclrtMemPoolFreeAsync(pool.allocate(5 * kUnit, stream_), stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(pool.taken(), 2 * kUnit);
}

TEST_F(AclrtMemPoolSetAttr, ALowerThresholdHoldsFromTheNextSynchronisationOn) {
  const Pool pool(8 * kUnit);
  pool.keep(8 * kUnit);
  EXPECT_OK(aclrtMemPoolFreeAsync(pool.allocate(5 * kUnit, stream_), stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(pool.taken(), 5 * kUnit);
  pool.keep(2 * kUnit);
  EXPECT_EQ(pool.taken(), 5 * kUnit);
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(pool.taken(), 2 * kUnit);
}

}  // namespace
}  // namespace conformance::pools::aclrtMemPoolSetAttr_test
