// SPDX-License-Identifier: Apache-2.0
// aclrtMemPoolCreate: the properties of a pool, and what it costs.
#include "support/pools.h"

namespace conformance::pools::aclrtMemPoolCreate_test {
namespace {

using AclrtMemPoolCreate = WithStream;

uint64_t total_bytes() {
  size_t free = 0;
  size_t total = 0;
  EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total));
  return total;
}

aclError create(const aclrtMemPoolProps& wanted) {
  aclrtMemPool pool = untouched_pool();
  const aclError code = aclrtMemPoolCreate(&pool, &wanted);
  if (code == ACL_SUCCESS) {
    EXPECT_OK(aclrtMemPoolDestroy(pool));
  } else {
    EXPECT_EQ(pool, untouched_pool());
  }
  return code;
}

TEST_F(AclrtMemPoolCreate, RefusesNull) {
  aclrtMemPool pool = nullptr;
  const aclrtMemPoolProps wanted = properties(kUnit);
  EXPECT_FAILS(100000, "EH0008", aclrtMemPoolCreate(nullptr, &wanted));
  EXPECT_FAILS(100000, "EH0008", aclrtMemPoolCreate(&pool, nullptr));
  EXPECT_FAILS(100000, "EH0008", aclrtMemPoolCreate(nullptr, nullptr));
}

// Each row breaks one more rule than the contract's next check: the first one decides.
TEST_F(AclrtMemPoolCreate, ChecksThePropertiesInTheirOrder) {
  aclrtMemPoolProps wanted = properties(SIZE_MAX, 99);
  wanted.handleType = static_cast<aclrtMemHandleType>(1);
  wanted.reserved[31] = 7;
  wanted.location.type = ACL_MEM_LOCATION_TYPE_HOST;
  wanted.allocType = static_cast<aclrtMemAllocationType>(1);
  struct Step {
    const char* argument;
    aclError code;
    void (*mend)(aclrtMemPoolProps& wanted);
  };
  const Step steps[] = {
      {"allocType is 1", 100000,
       [](aclrtMemPoolProps& p) { p.allocType = ACL_MEM_ALLOCATION_TYPE_PINNED; }},
      {"location.type is 0", 100000,
       [](aclrtMemPoolProps& p) { p.location.type = ACL_MEM_LOCATION_TYPE_DEVICE; }},
      {"reserved[31] is 7", 100000, [](aclrtMemPoolProps& p) { p.reserved[31] = 0; }},
      {"location.id is 99", 107001, [](aclrtMemPoolProps& p) { p.location.id = 0; }},
      {"handleType is 1", 107000,
       [](aclrtMemPoolProps& p) { p.handleType = ACL_MEM_HANDLE_TYPE_NONE; }},
      {"maxSize is", 107000, [](aclrtMemPoolProps& p) { p.maxSize = kUnit; }},
  };
  for (const Step& step : steps) {
    EXPECT_EQ(create(wanted), step.code) << step.argument;
    const std::string text = recent_text();
    EXPECT_NE(text.find(step.argument), std::string::npos) << text;
    step.mend(wanted);
  }
  EXPECT_OK(create(wanted));
}

TEST_F(AclrtMemPoolCreate, NeedsAContextAfterTheDeviceIsChecked) {
  on_new_thread([] {
    EXPECT_EQ(create(properties(kUnit, 99)), 107001);
    aclrtMemPoolProps wanted = properties(kUnit);
    wanted.handleType = static_cast<aclrtMemHandleType>(1);
    EXPECT_EQ(create(wanted), 107002);
  });
}

TEST_F(AclrtMemPoolCreate, TakesBothHandleTypes) {
  aclrtMemPoolProps wanted = properties(kUnit);
  wanted.handleType = ACL_MEM_HANDLE_TYPE_POSIX;
  EXPECT_OK(create(wanted));
}

TEST_F(AclrtMemPoolCreate, TakesNoMoreThanTheDeviceHas) {
  const uint64_t whole_units = total_bytes() / kUnit * kUnit;
  EXPECT_OK(create(properties(whole_units)));
  for (const size_t size : {size_t{whole_units + kUnit}, SIZE_MAX}) {
    EXPECT_EQ(create(properties(size)), 107000);
    EXPECT_NE(recent_text().find("EE1011"), std::string::npos);
  }
}

// The largest threshold is the size of the pool.
TEST_F(AclrtMemPoolCreate, RoundsTheSizeToWholeUnits) {
  const uint64_t whole_units = total_bytes() / kUnit * kUnit;
  const std::pair<size_t, uint64_t> sizes[] = {
      {0, whole_units}, {1, kUnit}, {kUnit, kUnit}, {kUnit + 1, 2 * kUnit}};
  for (const auto& [asked, rounded] : sizes) {
    const Pool pool(asked);
    pool.keep(rounded);
    uint64_t more = rounded + 1;
    EXPECT_FAILS_WITH(kPoolError,
                      aclrtMemPoolSetAttr(pool, ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD, &more));
  }
}

TEST_F(AclrtMemPoolCreate, TakesNoMemory) {
  const size_t before = free_bytes();
  const Pool pool(64 * kUnit);
  EXPECT_EQ(free_bytes(), before);
  EXPECT_EQ(pool.taken(), 0u);
}

FERRY_PROCESS_TEST(AclrtMemPoolCreateProcess, MakesAPoolOnADeviceThatIsNotTheCurrentOne,
                   "FERRY_DEVICES=cpu:2") {
  ASSERT_OK(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCreateStream(&stream));
  aclrtMemPool pool = nullptr;
  const aclrtMemPoolProps wanted = properties(kUnit, 1);
  ASSERT_OK(aclrtMemPoolCreate(&pool, &wanted));
  void* address = nullptr;
  ASSERT_OK(aclrtMemPoolMallocAsync(&address, 1, pool, stream));
  EXPECT_EQ(memory::location_of(address).id, 1u);
  EXPECT_OK(aclrtMemPoolFreeAsync(address, stream));
  EXPECT_OK(aclrtDestroyStream(stream));
  EXPECT_OK(aclrtMemPoolDestroy(pool));
}

FERRY_PROCESS_TEST(AclrtMemPoolCreateProcess, WorksUnderTheNameOfAnA3, "FERRY_SOC=Ascend910_9391") {
  ASSERT_OK(aclrtSetDevice(0));
  const Pool pool(kUnit);
}

}  // namespace
}  // namespace conformance::pools::aclrtMemPoolCreate_test
