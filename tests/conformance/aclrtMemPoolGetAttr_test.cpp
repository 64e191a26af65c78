// SPDX-License-Identifier: Apache-2.0
// aclrtMemPoolGetAttr: defaults, settings and figures.
#include "support/pools.h"

namespace conformance::pools::aclrtMemPoolGetAttr_test {
namespace {

using AclrtMemPoolGetAttr = WithStream;

TEST_F(AclrtMemPoolGetAttr, ChecksPointersPoolAndAttribute) {
  const Pool pool(kUnit);
  uint64_t value = 42;
  const auto attribute = ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT;
  EXPECT_FAILS(100000, "EH0008", aclrtMemPoolGetAttr(nullptr, attribute, nullptr));
  EXPECT_FAILS(107000, "EE1004", aclrtMemPoolGetAttr(destroyed_pool(), attribute, nullptr));
  EXPECT_FAILS_WITH(107000, aclrtMemPoolGetAttr(destroyed_pool(), attribute, &value));
  for (const int unknown : {0, 9, -1}) {
    EXPECT_FAILS_WITH(kPoolError,
                      aclrtMemPoolGetAttr(pool, static_cast<aclrtMemPoolAttr>(unknown), &value));
  }
  EXPECT_EQ(value, 42u);
}

TEST_F(AclrtMemPoolGetAttr, IsZeroAtFirst) {
  const Pool pool(kUnit);
  for (int attribute = 1; attribute <= 8; ++attribute) {
    uint64_t value = 0;
    EXPECT_OK(aclrtMemPoolGetAttr(pool, static_cast<aclrtMemPoolAttr>(attribute), &value));
    EXPECT_EQ(value, 0u) << attribute;
  }
}

TEST_F(AclrtMemPoolGetAttr, ReturnsSettingsAsZeroOrOneInFourBytes) {
  const Pool pool(kUnit);
  for (int number = 1; number <= 3; ++number) {
    const auto attribute = static_cast<aclrtMemPoolAttr>(number);
    uint32_t value[2] = {7, 99};
    EXPECT_OK(aclrtMemPoolSetAttr(pool, attribute, &value[0]));
    EXPECT_OK(aclrtMemPoolGetAttr(pool, attribute, &value[0]));
    EXPECT_EQ(value[0], 1u);
    EXPECT_EQ(value[1], 99u);
    value[0] = 0;
    EXPECT_OK(aclrtMemPoolSetAttr(pool, attribute, &value[0]));
    EXPECT_OK(aclrtMemPoolGetAttr(pool, attribute, &value[0]));
    EXPECT_EQ(value[0], 0u);
  }
  pool.keep(kUnit);
  EXPECT_EQ(pool.number(ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD), kUnit);
}

TEST_F(AclrtMemPoolGetAttr, CountsWholeUnits) {
  const Pool pool(16 * kUnit);
  pool.keep(16 * kUnit);
  void* small = pool.allocate(1, stream_);
  void* large = pool.allocate(2 * kUnit + 1, stream_);
  EXPECT_EQ(pool.taken(), 4 * kUnit);
  EXPECT_EQ(pool.used(), 4 * kUnit);
  EXPECT_OK(aclrtMemPoolFreeAsync(large, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(pool.taken(), 4 * kUnit);
  EXPECT_EQ(pool.used(), kUnit);
  EXPECT_EQ(pool.number(ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH), 4 * kUnit);
  EXPECT_EQ(pool.number(ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH), 4 * kUnit);
  EXPECT_OK(aclrtMemPoolFreeAsync(small, stream_));
}

TEST_F(AclrtMemPoolGetAttr, CountsABlockAsUsedUntilItsFreeHasRun) {
  const Pool pool(2 * kUnit);
  void* address = pool.allocate(kUnit, stream_);
  Gate gate(stream_);
  EXPECT_OK(aclrtMemPoolFreeAsync(address, stream_));
  EXPECT_EQ(pool.used(), kUnit);
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(pool.used(), 0u);
}

}  // namespace
}  // namespace conformance::pools::aclrtMemPoolGetAttr_test
