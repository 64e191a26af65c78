// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of managed memory: a fixture that needs it, and a buffer that frees itself.
// Header only.
#pragma once

#include "support/copies.h"

namespace conformance::copies {

constexpr size_t kManagedPage = size_t{2} << 20;

// Memory of aclrtMemAllocManaged. Not copyable.
class ManagedBuffer {
 public:
  explicit ManagedBuffer(size_t size) : size_(size) {
    EXPECT_OK(aclrtMemAllocManaged(&address_, size, ACL_RT_MEM_ATTACH_GLOBAL));
  }
  ~ManagedBuffer() {
    if (address_ != nullptr) {
      EXPECT_OK(aclrtFree(address_));
    }
  }
  ManagedBuffer(const ManagedBuffer&) = delete;
  ManagedBuffer& operator=(const ManagedBuffer&) = delete;

  void* get() const { return address_; }
  char* at(size_t offset) const { return static_cast<char*>(address_) + offset; }
  uint8_t* bytes() const { return static_cast<uint8_t*>(address_); }
  size_t size() const { return size_; }

  // Blocking copies: code of the host must not touch memory in flight.
  void write(const std::vector<uint8_t>& bytes) {
    EXPECT_OK(aclrtMemcpy(address_, size_, bytes.data(), bytes.size(), ACL_MEMCPY_DEFAULT));
  }
  std::vector<uint8_t> read() const {
    std::vector<uint8_t> bytes(size_);
    EXPECT_OK(aclrtMemcpy(bytes.data(), size_, address_, size_, ACL_MEMCPY_DEFAULT));
    return bytes;
  }

 private:
  void* address_ = nullptr;
  size_t size_;
};

// Whether device 0 has managed memory; it must be current.
inline bool has_managed_memory() {
  void* address = nullptr;
  const aclError code = aclrtMemAllocManaged(&address, 1, ACL_RT_MEM_ATTACH_GLOBAL);
  clear_errors();
  if (code == ACL_SUCCESS) {
    EXPECT_OK(aclrtFree(address));
  }
  return code != ACL_ERROR_RT_FEATURE_NOT_SUPPORT;
}

#define NEEDS_MANAGED_MEMORY() \
  if (!::conformance::copies::has_managed_memory()) GTEST_SKIP() << "needs managed memory"

class WithManagedMemory : public WithStream {
 protected:
  void SetUp() override {
    WithStream::SetUp();
    NEEDS_MANAGED_MEMORY();
  }
};

constexpr aclrtMemManagedLocation kOnHost{ACL_MEM_LOCATIONTYPE_HOST, 0};
constexpr aclrtMemManagedLocation kOnDevice0{ACL_MEM_LOCATIONTYPE_DEVICE, 0};
constexpr aclrtMemManagedLocation kNowhere{ACL_MEM_LOCATIONTYPE_INVALID, 0};

// A device that does not exist.
inline aclrtMemManagedLocation on_missing_device() {
  uint32_t count = 0;
  EXPECT_OK(aclrtGetDeviceCount(&count));
  return {ACL_MEM_LOCATIONTYPE_DEVICE, static_cast<int32_t>(count)};
}

// One value of a range.
inline int32_t managed_attribute(aclrtMemManagedRangeAttribute attribute, const void* address,
                                 size_t size) {
  int32_t value = 0x5a5a5a5a;
  EXPECT_OK(aclrtMemManagedGetAttr(attribute, address, size, &value, sizeof value));
  return value;
}

// A place as its three attributes tell it: the type, the id, and the id again in the older form.
struct PlaceNames {
  aclrtMemManagedRangeAttribute type;
  aclrtMemManagedRangeAttribute id;
  aclrtMemManagedRangeAttribute plain;
};
constexpr PlaceNames kPreferred{ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE,
                                ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID,
                                ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION};
constexpr PlaceNames kPrefetched{ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE,
                                 ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID,
                                 ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION};

inline void expect_place(const PlaceNames& names, const void* address, size_t size, int32_t type,
                         int32_t id) {
  EXPECT_EQ(managed_attribute(names.type, address, size), type);
  EXPECT_EQ(managed_attribute(names.id, address, size), id);
  EXPECT_EQ(managed_attribute(names.plain, address, size), id);
}

}  // namespace conformance::copies
