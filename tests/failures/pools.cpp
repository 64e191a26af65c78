// SPDX-License-Identifier: Apache-2.0
// The chapter about memory pools.
#include "attempt.h"
#include "program.h"

#include <cstdint>

namespace failures {
namespace {

constexpr size_t kUnit = size_t{2} << 20;

// The contract has one code for a pool without room and for a device without memory.
aclError allocate(void** block, size_t size, aclrtMemPool pool, aclrtStream stream) {
  const aclError code = aclrtMemPoolMallocAsync(block, size, pool, stream);
  return code == ACL_ERROR_RT_INTERNAL_ERROR ? ACL_ERROR_RT_MEMORY_ALLOCATION : code;
}

void fill_and_read(aclrtMemPool pool, Bench& bench, size_t size, int value) {
  void* block = nullptr;
  OK(allocate(&block, size, pool, bench.stream));
  if (block == nullptr) return;
  OK(aclrtMemsetAsync(block, Bench::kBytes, value, Bench::kBytes, bench.stream));
  OK(aclrtMemcpyAsync(bench.target, Bench::kBytes, block, Bench::kBytes, ACL_MEMCPY_DEVICE_TO_HOST,
                      bench.stream));
  OK(aclrtMemPoolFreeAsync(block, bench.stream));
  OK(aclrtSynchronizeStream(bench.stream));
  expect_filled("a block of a pool", bench.target, value, Bench::kBytes);
}

}  // namespace

void use_pools(Bench& bench) {
  aclrtMemPoolProps properties{};
  properties.location = {0, ACL_MEM_LOCATION_TYPE_DEVICE};
  properties.maxSize = 8 * kUnit;
  aclrtMemPool pool = nullptr;
  OK(aclrtMemPoolCreate(&pool, &properties));
  if (pool == nullptr) return;
  uint64_t most = 4 * kUnit;
  OK(aclrtMemPoolSetAttr(pool, ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD, &most));
  fill_and_read(pool, bench, 3 * kUnit, 4);  // new memory
  fill_and_read(pool, bench, 3 * kUnit, 5);  // an idle block
  fill_and_read(pool, bench, kUnit, 6);      // a part of one
  fill_and_read(pool, bench, 6 * kUnit, 7);  // more than one
  OK(aclrtMemPoolTrimTo(pool, kUnit));
  uint64_t taken = 0;
  OK(aclrtMemPoolGetAttr(pool, ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT, &taken));
  void* block = nullptr;
  OK(allocate(&block, kUnit, pool, bench.stream));
  OK(aclrtMemPoolDestroy(pool));
  if (block != nullptr) OK(aclrtMemPoolFreeAsync(block, bench.stream));
  void* plain = nullptr;
  OK(aclrtMalloc(&plain, Bench::kBytes, ACL_MEM_MALLOC_NORMAL_ONLY));
  if (plain != nullptr) OK(aclrtMemPoolFreeAsync(plain, bench.stream));
  OK(aclrtSynchronizeStream(bench.stream));
}

}  // namespace failures
