// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of memory pools: a pool that destroys itself, its figures, and what the calls
// with a pool have in common.
#pragma once

#include "support/device_allocator.h"
#include "support/streams.h"

#include <cstdint>

namespace conformance::pools {

constexpr size_t kUnit = size_t{2} << 20;
constexpr aclError kPoolError = 507000;

inline aclrtMemPoolProps properties(size_t size, uint32_t device = 0) {
  aclrtMemPoolProps made{};
  made.location = {.id = device, .type = ACL_MEM_LOCATION_TYPE_DEVICE};
  made.maxSize = size;
  return made;
}

class Pool {
 public:
  explicit Pool(size_t size) {
    const aclrtMemPoolProps wanted = properties(size);
    EXPECT_OK(aclrtMemPoolCreate(&handle_, &wanted));
  }
  ~Pool() {
    if (handle_ != nullptr) {
      EXPECT_OK(aclrtMemPoolDestroy(handle_));
    }
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  operator aclrtMemPool() const { return handle_; }
  aclrtMemPool release() { return std::exchange(handle_, nullptr); }

  uint64_t number(aclrtMemPoolAttr attribute) const {
    uint64_t value = UINT64_MAX;
    EXPECT_OK(aclrtMemPoolGetAttr(handle_, attribute, &value));
    return value;
  }
  uint64_t taken() const { return number(ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT); }
  uint64_t used() const { return number(ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT); }
  void keep(uint64_t bytes) const {
    EXPECT_OK(aclrtMemPoolSetAttr(handle_, ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD, &bytes));
  }

  void* allocate(size_t size, aclrtStream stream) const {
    void* address = nullptr;
    EXPECT_OK(aclrtMemPoolMallocAsync(&address, size, handle_, stream));
    return address;
  }

 private:
  aclrtMemPool handle_ = nullptr;
};

// The value of a handle before a call that must not change it.
inline aclrtMemPool untouched_pool() {
  return memory::untouched();
}

// A handle that was one of a pool.
inline aclrtMemPool destroyed_pool() {
  const Pool pool(kUnit);
  return pool;
}

inline size_t free_bytes() {
  size_t free = 0;
  size_t total = 0;
  EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total));
  return free;
}

}  // namespace conformance::pools
