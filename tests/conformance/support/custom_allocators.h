// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of custom allocators: a complete description, and what a stream has. Nothing
// calls the functions.
#pragma once

#include "support/conformance.h"

namespace conformance::custom_allocators {

inline void* allocate(aclrtAllocator /*allocator*/, size_t /*size*/) {
  ADD_FAILURE() << "the allocator was called";
  return nullptr;
}
inline void free_block(aclrtAllocator /*allocator*/, aclrtAllocatorBlock /*block*/) {
  ADD_FAILURE() << "the allocator was called";
}
inline void* allocate_at(aclrtAllocator /*allocator*/, size_t /*size*/,
                         aclrtAllocatorAddr /*address*/) {
  ADD_FAILURE() << "the allocator was called";
  return nullptr;
}
inline void* address_of(aclrtAllocatorBlock /*block*/) {
  ADD_FAILURE() << "the allocator was called";
  return nullptr;
}

// What is set in a description.
enum Part { kObject = 1, kAllocate = 2, kFree = 4, kAllocateAt = 8, kAddressOf = 16, kAll = 31 };

class Desc {
 public:
  explicit Desc(int parts = kAll) : handle_(aclrtAllocatorCreateDesc()) {
    EXPECT_NE(handle_, nullptr);
    if ((parts & kObject) != 0) {
      EXPECT_OK(aclrtAllocatorSetObjToDesc(handle_, this));
    }
    if ((parts & kAllocate) != 0) {
      EXPECT_OK(aclrtAllocatorSetAllocFuncToDesc(handle_, allocate));
    }
    if ((parts & kFree) != 0) {
      EXPECT_OK(aclrtAllocatorSetFreeFuncToDesc(handle_, free_block));
    }
    if ((parts & kAllocateAt) != 0) {
      EXPECT_OK(aclrtAllocatorSetAllocAdviseFuncToDesc(handle_, allocate_at));
    }
    if ((parts & kAddressOf) != 0) {
      EXPECT_OK(aclrtAllocatorSetGetAddrFromBlockFuncToDesc(handle_, address_of));
    }
  }
  ~Desc() { EXPECT_OK(aclrtAllocatorDestroyDesc(handle_)); }
  Desc(const Desc&) = delete;
  Desc& operator=(const Desc&) = delete;

  operator aclrtAllocatorDesc() const { return handle_; }

 private:
  aclrtAllocatorDesc handle_;
};

inline aclrtAllocatorDesc destroyed_desc() {
  const Desc desc;
  return desc;
}

struct Registered {
  aclrtAllocatorDesc desc = nullptr;
  aclrtAllocator object = nullptr;
  aclrtAllocatorAllocFunc allocate = nullptr;
  aclrtAllocatorFreeFunc free = nullptr;
  aclrtAllocatorAllocAdviseFunc allocate_at = nullptr;
  aclrtAllocatorGetAddrFromBlockFunc address_of = nullptr;
};

inline aclError get(aclrtStream stream, Registered& found) {
  return aclrtAllocatorGetByStream(stream, &found.desc, &found.object, &found.allocate, &found.free,
                                   &found.allocate_at, &found.address_of);
}

inline bool has_allocator(aclrtStream stream) {
  Registered found;
  return get(stream, found) == ACL_SUCCESS;
}

}  // namespace conformance::custom_allocators
