// SPDX-License-Identifier: Apache-2.0
// The rules common to aclrtMallocHost and aclrtMallocHostWithCfg, as checks that the tests of both
// call.
#pragma once

#include "support/at_once.h"
#include "support/device_allocator.h"

namespace conformance::memory {

struct HostAllocator {
  const char* name;
  aclError (*allocate)(void** hostPtr, size_t size);
};

inline void expect_refuses_null_and_zero(const HostAllocator& function) {
  void* address = untouched();
  EXPECT_TRUE(
      fails(function.name, ACL_ERROR_INVALID_PARAM, "EH0008", function.allocate(nullptr, 64)));
  EXPECT_TRUE(
      fails(function.name, ACL_ERROR_INVALID_PARAM, "EH0008", function.allocate(nullptr, 0)));
  EXPECT_TRUE(fails(function.name, ACL_ERROR_INVALID_PARAM, "", function.allocate(&address, 0)));
  EXPECT_EQ(address, untouched());
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
}

inline void expect_needs_a_context(const HostAllocator& function) {
  on_new_thread([&] {
    void* address = untouched();
    EXPECT_TRUE(
        fails(function.name, ACL_ERROR_INVALID_PARAM, "EH0008", function.allocate(nullptr, 64)));
    EXPECT_TRUE(fails(function.name, ACL_ERROR_INVALID_PARAM, "", function.allocate(&address, 0)));
    EXPECT_TRUE(
        fails(function.name, ACL_ERROR_RT_CONTEXT_NULL, "EE1018", function.allocate(&address, 64)));
    EXPECT_TRUE(fails(function.name, ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
                      function.allocate(&address, SIZE_MAX)));
    EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_CONTEXT_NULL);
    EXPECT_EQ(address, untouched());
  });
}

inline void expect_refuses_more_than_the_host_has(const HostAllocator& function) {
  for (const size_t size :
       {size_t{1} << 50, size_t{1} << 63, SIZE_MAX - 4095, SIZE_MAX - 63, SIZE_MAX - 1, SIZE_MAX}) {
    void* address = untouched();
    clear_errors();
    EXPECT_TRUE(
        fails(function.name, ACL_ERROR_RT_MEMORY_ALLOCATION, "", function.allocate(&address, size)))
        << size;
    EXPECT_EQ(address, untouched());
    EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_MEMORY_ALLOCATION);
  }
}

// The host can write and read the memory in place; it is aligned and does not overlap.
inline void expect_gives_memory_the_host_can_use(const HostAllocator& function) {
  const std::vector<size_t> sizes = {1, 63, 64, 65, 4096, 4097, 3000000};
  std::vector<uint8_t*> addresses;
  for (size_t i = 0; i < sizes.size(); ++i) {
    void* address = nullptr;
    ASSERT_TRUE(succeeds(function.name, function.allocate(&address, sizes[i])));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(address) % 64, 0u);
    EXPECT_EQ(location_of(address).type, ACL_MEM_LOCATION_TYPE_HOST);
    EXPECT_EQ(location_of(address).id, 0u);
    addresses.push_back(static_cast<uint8_t*>(address));
    const std::vector<uint8_t> bytes = pattern(sizes[i], static_cast<uint8_t>(i));
    std::copy(bytes.begin(), bytes.end(), addresses[i]);
  }
  for (size_t i = 0; i < sizes.size(); ++i) {
    EXPECT_TRUE(std::vector(addresses[i], addresses[i] + sizes[i]) ==
                pattern(sizes[i], static_cast<uint8_t>(i)))
        << "size " << sizes[i];
    EXPECT_OK(aclrtFreeHost(addresses[i]));
  }
}

// A copy from it is queued behind a closed gate and the call returns: the source is read after the
// gate has opened.
inline void expect_gives_memory_that_is_pinned(const HostAllocator& function, aclrtStream stream) {
  void* address = nullptr;
  ASSERT_TRUE(succeeds(function.name, function.allocate(&address, 64)));
  DeviceBuffer device(64);
  device.write(std::vector<uint8_t>(64, 0));
  Gate gate(stream);
  EXPECT_OK(aclrtMemcpyAsync(device.get(), 64, address, 64, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  EXPECT_EQ(device.read(), std::vector<uint8_t>(64, 0));
  const std::vector<uint8_t> bytes = pattern(64);
  std::copy(bytes.begin(), bytes.end(), static_cast<uint8_t*>(address));
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(device.read(), bytes);
  EXPECT_OK(aclrtFreeHost(address));
}

// There is no padding: the range has exactly the requested size.
inline void expect_gives_exactly_the_size(const HostAllocator& function) {
  const DeviceBuffer device(8192);
  for (const size_t size : {size_t{1}, size_t{32}, size_t{100}, size_t{4096}}) {
    void* address = nullptr;
    ASSERT_TRUE(succeeds(function.name, function.allocate(&address, size)));
    EXPECT_OK(aclrtMemset(address, size, 3, size));
    EXPECT_OK(aclrtMemcpy(device.get(), 8192, address, size, ACL_MEMCPY_HOST_TO_DEVICE));
    EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtMemcpy(device.get(), 8192, address, size + 1,
                                                              ACL_MEMCPY_HOST_TO_DEVICE));
    EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtMemcpy(address, size + 1, device.get(),
                                                              size + 1, ACL_MEMCPY_DEVICE_TO_HOST));
    EXPECT_OK(aclrtFreeHost(address));
  }
}

inline void expect_serves_many_threads(const HostAllocator& function) {
  at_once(4, [&](size_t thread) {
    const auto value = static_cast<uint8_t>(thread);
    EXPECT_OK(aclrtSetDevice(0));
    for (size_t round = 1; round <= 50; ++round) {
      void* address = nullptr;
      EXPECT_TRUE(succeeds(function.name, function.allocate(&address, round * 100)));
      auto* bytes = static_cast<uint8_t*>(address);
      std::fill(bytes, bytes + round * 100, value);
      EXPECT_EQ(std::count(bytes, bytes + round * 100, value),
                static_cast<std::ptrdiff_t>(round * 100));
      EXPECT_OK(aclrtFreeHost(address));
    }
    EXPECT_OK(aclrtResetDevice(0));
  });
}

}  // namespace conformance::memory
