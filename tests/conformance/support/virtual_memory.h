// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of virtual memory: descriptions of physical memory, reservations and handles
// that give themselves back, and a region of handles mapped side by side.
#pragma once

#include "support/conformance.h"

#include <utility>

namespace conformance::virtual_memory {

// Written as numbers: the numbers are the contract.
constexpr aclError kBadArgument = 100000;
constexpr aclError kBadValue = 107000;
constexpr aclError kNoDevice = 107001;
constexpr aclError kNoContext = 107002;
constexpr aclError kNotSupported = 207000;
constexpr aclError kNoMemory = 207001;
constexpr aclError kTaskFailed = 507001;
constexpr aclError kRefused = 507899;  // what only the driver of a product refuses

constexpr size_t kMebibyte = size_t{1} << 20;
constexpr size_t kGibibyte = size_t{1} << 30;
constexpr size_t kGranule = 2 * kMebibyte;

// Numbers that need not be enumerators.
inline aclrtMemAttr attr_of(int number) {
  return static_cast<aclrtMemAttr>(number);
}
inline aclrtMemLocation location(int type, uint32_t id = 0) {
  return {id, static_cast<aclrtMemLocationType>(type)};
}
inline aclrtMemLocation on_device(uint32_t id = 0) {
  return {id, ACL_MEM_LOCATION_TYPE_DEVICE};
}
inline aclrtMemLocation on_host() {
  return {0, ACL_MEM_LOCATION_TYPE_HOST};
}

inline aclrtPhysicalMemProp prop_of(aclrtMemLocation where, int attr = ACL_HBM_MEM_HUGE) {
  aclrtPhysicalMemProp prop = {};
  prop.handleType = ACL_MEM_HANDLE_TYPE_NONE;
  prop.allocationType = ACL_MEM_ALLOCATION_TYPE_PINNED;
  prop.memAttr = attr_of(attr);
  prop.location = where;
  return prop;
}

// The value of an output before a call that must not change it.
inline void* untouched() {
  return reinterpret_cast<void*>(uintptr_t{0x5a5a5a5a});
}

// Memory of the current device that is not taken.
inline size_t free_bytes() {
  size_t free = 0;
  size_t total = 0;
  EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total));
  return free;
}

inline aclError copy_to_device(void* dst, const std::vector<uint8_t>& bytes) {
  return aclrtMemcpy(dst, bytes.size(), bytes.data(), bytes.size(), ACL_MEMCPY_HOST_TO_DEVICE);
}

// The bytes at an address of a device or of the host.
inline std::vector<uint8_t> bytes_at(const void* address, size_t count) {
  std::vector<uint8_t> bytes(count);
  EXPECT_OK(aclrtMemcpy(bytes.data(), count, address, count, ACL_MEMCPY_DEVICE_TO_HOST));
  return bytes;
}

// Whether `count` bytes at the address are pattern(count, seed).
inline ::testing::AssertionResult holds(const void* address, size_t count, uint8_t seed) {
  if (bytes_at(address, count) == pattern(count, seed)) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << "other bytes than pattern(" << count << ", " << int{seed} << ") at " << address;
}

// Addresses of aclrtReserveMemAddress.
class Reservation {
 public:
  explicit Reservation(size_t size, void* expected = nullptr) : size_(size) {
    EXPECT_OK(aclrtReserveMemAddress(&address_, size, 0, expected, 1));
  }
  ~Reservation() {
    if (address_ != nullptr) {
      EXPECT_OK(aclrtReleaseMemAddress(address_));
    }
  }
  Reservation(const Reservation&) = delete;
  Reservation& operator=(const Reservation&) = delete;

  char* at(size_t offset = 0) const { return static_cast<char*>(address_) + offset; }
  size_t size() const { return size_; }
  // Returns the address, which belongs to the caller from now on.
  void* give_up() { return std::exchange(address_, nullptr); }

 private:
  void* address_ = nullptr;
  size_t size_;
};

// One reference to physical memory.
class Physical {
 public:
  explicit Physical(size_t size = kGranule,
                    const aclrtPhysicalMemProp& prop = prop_of(on_device())) {
    EXPECT_OK(aclrtMallocPhysical(&handle_, size, &prop, 0));
  }
  ~Physical() {
    if (handle_ != nullptr) {
      EXPECT_OK(aclrtFreePhysical(handle_));
    }
  }
  Physical(Physical&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Physical& operator=(Physical&&) = delete;

  operator aclrtDrvMemHandle() const { return handle_; }  // can be used like the handle
  aclrtDrvMemHandle give_up() { return std::exchange(handle_, nullptr); }

 private:
  aclrtDrvMemHandle handle_ = nullptr;
};

// A handle that is not alive any more.
inline aclrtDrvMemHandle dead_handle() {
  aclrtDrvMemHandle handle = nullptr;
  const aclrtPhysicalMemProp prop = prop_of(on_device());
  EXPECT_OK(aclrtMallocPhysical(&handle, kGranule, &prop, 0));
  EXPECT_OK(aclrtFreePhysical(handle));
  return handle;
}

// One mapping, which undoes itself.
class Mapping {
 public:
  Mapping(void* address, size_t size, aclrtDrvMemHandle handle) : address_(address) {
    EXPECT_OK(aclrtMapMem(address, size, 0, handle, 0));
  }
  ~Mapping() {
    if (address_ != nullptr) {
      EXPECT_OK(aclrtUnmapMem(address_));
    }
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  // The caller undoes it.
  void give_up() { address_ = nullptr; }

 private:
  void* address_;
};

// A reservation of `count` granules; each has its own handle, mapped where it belongs.
class Region {
 public:
  explicit Region(size_t count, const aclrtPhysicalMemProp& prop = prop_of(on_device()))
      : reservation_(count * kGranule), is_mapped_(count, false) {
    handles_.reserve(count);
    for (size_t i = 0; i < count; ++i) {
      handles_.emplace_back(kGranule, prop);
      map(i);
    }
  }
  ~Region() {
    for (size_t i = 0; i < is_mapped_.size(); ++i) {
      if (is_mapped_[i]) unmap(i);
    }
  }
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

  char* at(size_t offset = 0) const { return reservation_.at(offset); }
  size_t size() const { return reservation_.size(); }
  aclrtDrvMemHandle handle(size_t i) const { return handles_[i]; }

  void map(size_t i) { map(i, handles_[i]); }
  void map(size_t i, aclrtDrvMemHandle handle) {
    EXPECT_OK(aclrtMapMem(at(i * kGranule), kGranule, 0, handle, 0));
    is_mapped_[i] = true;
  }
  void unmap(size_t i) {
    EXPECT_OK(aclrtUnmapMem(at(i * kGranule)));
    is_mapped_[i] = false;
  }

  // Writes all of it, granule by granule.
  void fill(uint8_t seed) {
    const std::vector<uint8_t> bytes = pattern(size(), seed);
    for (size_t offset = 0; offset < size(); offset += kGranule) {
      EXPECT_OK(aclrtMemcpy(at(offset), kGranule, bytes.data() + offset, kGranule,
                            ACL_MEMCPY_HOST_TO_DEVICE));
    }
  }
  // All of it, read granule by granule.
  std::vector<uint8_t> read() const {
    std::vector<uint8_t> bytes;
    for (size_t offset = 0; offset < size(); offset += kGranule) {
      const std::vector<uint8_t> part = bytes_at(at(offset), kGranule);
      bytes.insert(bytes.end(), part.begin(), part.end());
    }
    return bytes;
  }

 private:
  Reservation reservation_;
  std::vector<Physical> handles_;
  std::vector<bool> is_mapped_;
};

}  // namespace conformance::virtual_memory
