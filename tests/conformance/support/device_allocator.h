// SPDX-License-Identifier: Apache-2.0
// The rules common to all functions that allocate device memory, as checks that the test of each
// function calls. Rules of a single function are in its own test.
#pragma once

#include "support/at_once.h"
#include "support/conformance.h"

#include <algorithm>
#include <utility>

namespace conformance::memory {

// One of these functions; those that take a configuration get none.
struct DeviceAllocator {
  const char* name;
  aclError (*allocate)(void** devPtr, size_t size, aclrtMemMallocPolicy policy);
  size_t extra;  // accessible bytes beyond the size rounded up to a multiple of 32
};

inline constexpr aclrtMemMallocPolicy kAnyPolicy = ACL_MEM_MALLOC_HUGE_FIRST;

// Like EXPECT_FAILS where the call does not contain the name of the function.
inline ::testing::AssertionResult fails(const char* function, aclError code,
                                        const char* message_code, aclError actual) {
  return fails_as("", "", function, code, message_code, actual);
}

// The location of an address, as the library sees it.
inline aclrtMemLocation location_of(const void* address) {
  aclrtPtrAttributes attributes = {};
  EXPECT_OK(aclrtPointerGetAttributes(address, &attributes));
  return attributes.location;
}

// The value of a pointer before a call that must not change it.
inline void* untouched() {
  return reinterpret_cast<void*>(uintptr_t{0x5a5a5a5a});
}

inline void expect_refuses_null_and_zero(const DeviceAllocator& function) {
  void* address = untouched();
  EXPECT_TRUE(fails(function.name, ACL_ERROR_INVALID_PARAM, "EH0008",
                    function.allocate(nullptr, 64, kAnyPolicy)));
  EXPECT_TRUE(fails(function.name, ACL_ERROR_INVALID_PARAM, "EH0008",
                    function.allocate(nullptr, 0, kAnyPolicy)));
  EXPECT_TRUE(fails(function.name, ACL_ERROR_INVALID_PARAM, "",
                    function.allocate(&address, 0, kAnyPolicy)));
  EXPECT_EQ(address, untouched());
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
}

// The largest size that can still be padded is refused for lack of memory, the next one because it
// is not a valid size.
inline void expect_refuses_sizes_that_overflow(const DeviceAllocator& function) {
  void* address = untouched();
  const size_t largest = SIZE_MAX - 31 - function.extra;
  for (const size_t size : {largest + 1, SIZE_MAX - 1, SIZE_MAX}) {
    EXPECT_TRUE(fails(function.name, ACL_ERROR_INVALID_PARAM, "",
                      function.allocate(&address, size, kAnyPolicy)))
        << size;
  }
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
  EXPECT_TRUE(fails(function.name, ACL_ERROR_RT_MEMORY_ALLOCATION, "",
                    function.allocate(&address, largest, kAnyPolicy)));
  EXPECT_EQ(address, untouched());
}

inline void expect_refuses_more_than_the_device_has(const DeviceAllocator& function) {
  for (const size_t size :
       {size_t{1} << 50, (size_t{1} << 50) + 1, size_t{1} << 62, size_t{1} << 63}) {
    clear_errors();
    void* address = untouched();
    EXPECT_TRUE(fails(function.name, ACL_ERROR_RT_MEMORY_ALLOCATION, "",
                      function.allocate(&address, size, kAnyPolicy)))
        << size;
    EXPECT_EQ(address, untouched());
    EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_MEMORY_ALLOCATION);
  }
}

inline void expect_needs_a_context(const DeviceAllocator& function) {
  on_new_thread([&] {
    void* address = untouched();
    EXPECT_TRUE(fails(function.name, ACL_ERROR_INVALID_PARAM, "EH0008",
                      function.allocate(nullptr, 64, kAnyPolicy)));
    EXPECT_TRUE(fails(function.name, ACL_ERROR_INVALID_PARAM, "",
                      function.allocate(&address, 0, kAnyPolicy)));
    EXPECT_TRUE(fails(function.name, ACL_ERROR_INVALID_PARAM, "",
                      function.allocate(&address, SIZE_MAX, kAnyPolicy)));
    EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
    EXPECT_TRUE(fails(function.name, ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
                      function.allocate(&address, size_t{1} << 62, kAnyPolicy)));
    EXPECT_TRUE(fails(function.name, ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
                      function.allocate(&address, 64, kAnyPolicy)));
    EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_CONTEXT_NULL);
    EXPECT_EQ(address, untouched());
  });
}

// A destroyed context counts as none. The thread has no context afterwards.
inline void expect_takes_a_destroyed_context_for_none(const DeviceAllocator& function) {
  on_new_thread([&] {
    aclrtContext context = nullptr;
    void* address = nullptr;
    ASSERT_OK(aclrtCreateContext(&context, 0));
    EXPECT_TRUE(succeeds(function.name, function.allocate(&address, 64, kAnyPolicy)));
    EXPECT_OK(aclrtDestroyContext(context));
    EXPECT_OK(aclrtFree(address));
    EXPECT_TRUE(fails(function.name, ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
                      function.allocate(&address, 64, kAnyPolicy)));
  });
}

// Memory of all sizes is aligned, does not overlap, and keeps what is written to it.
inline void expect_gives_memory_that_keeps_bytes(const DeviceAllocator& function) {
  const std::vector<size_t> sizes = {1,    31,   32,   33,   64,      511,      512,
                                     4095, 4096, 4097, 8192, 2097152, 2097153u, 5000000};
  std::vector<char*> addresses;
  for (size_t i = 0; i < sizes.size(); ++i) {
    void* address = nullptr;
    ASSERT_TRUE(succeeds(function.name, function.allocate(&address, sizes[i], kAnyPolicy)));
    ASSERT_NE(address, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(address) % 64, 0u);
    EXPECT_EQ(location_of(address).type, ACL_MEM_LOCATION_TYPE_DEVICE);
    addresses.push_back(static_cast<char*>(address));
    const std::vector<uint8_t> bytes = pattern(sizes[i], static_cast<uint8_t>(i));
    EXPECT_OK(aclrtMemcpy(address, sizes[i], bytes.data(), sizes[i], ACL_MEMCPY_HOST_TO_DEVICE));
  }
  for (size_t i = 0; i < sizes.size(); ++i) {
    std::vector<uint8_t> bytes(sizes[i]);
    EXPECT_OK(
        aclrtMemcpy(bytes.data(), sizes[i], addresses[i], sizes[i], ACL_MEMCPY_DEVICE_TO_HOST));
    EXPECT_TRUE(bytes == pattern(sizes[i], static_cast<uint8_t>(i))) << "size " << sizes[i];
  }
  std::vector<std::pair<char*, char*>> ranges;
  for (size_t i = 0; i < sizes.size(); ++i)
    ranges.emplace_back(addresses[i], addresses[i] + sizes[i]);
  std::sort(ranges.begin(), ranges.end());
  for (size_t i = 1; i < ranges.size(); ++i)
    EXPECT_LE(ranges[i - 1].second, ranges[i].first);
  for (char* address : addresses)
    EXPECT_OK(aclrtFree(address));
}

inline void expect_takes_every_policy(const DeviceAllocator& function) {
  for (const int policy : {0, 1, 2, 3, 4, 5, 6, 7, 8, 0x55, 0x100, 0x1000, 0x1002, 0x100000,
                           0x101100, 0x7fffffff, -1}) {
    void* address = nullptr;
    EXPECT_TRUE(succeeds(
        function.name, function.allocate(&address, 100, static_cast<aclrtMemMallocPolicy>(policy))))
        << "policy " << policy;
    EXPECT_OK(aclrtFree(address));
  }
}

// The bytes of an allocation that a call may access: a range of this length succeeds, and one byte
// more is refused, by copies in both directions and by fills.
inline void expect_usable_bytes(void* address, size_t usable) {
  std::vector<uint8_t> host = pattern(usable + 1);
  EXPECT_OK(aclrtMemcpy(address, usable, host.data(), usable, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtMemcpy(address, usable + 1, host.data(),
                                                            usable + 1, ACL_MEMCPY_HOST_TO_DEVICE));
  std::vector<uint8_t> back(usable + 1);
  EXPECT_OK(aclrtMemcpy(back.data(), usable, address, usable, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_TRUE(std::equal(back.begin(), back.end() - 1, host.begin()));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtMemcpy(back.data(), usable + 1, address,
                                                            usable + 1, ACL_MEMCPY_DEVICE_TO_HOST));
  char* last = static_cast<char*>(address) + usable - 1;
  EXPECT_OK(aclrtMemset(last, 1, 7, 1));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtMemset(last, 2, 7, 2));
}

inline void expect_pads(const DeviceAllocator& function) {
  const std::vector<size_t> sizes = {1, 31, 32, 33, 63, 64, 65, 4096, 4097, 2097152};
  for (const size_t size : sizes) {
    void* address = nullptr;
    ASSERT_TRUE(succeeds(function.name, function.allocate(&address, size, kAnyPolicy)));
    expect_usable_bytes(address, (size + 31) / 32 * 32 + function.extra);
    EXPECT_OK(aclrtFree(address));
  }
}

// Several threads allocate, write, read and free at once; none gets memory that another one has.
inline void expect_serves_many_threads(const DeviceAllocator& function) {
  at_once(4, [&](size_t thread) {
    EXPECT_OK(aclrtSetDevice(0));
    for (size_t round = 1; round <= 50; ++round) {
      const size_t size = round * 100;
      const std::vector<uint8_t> sent = pattern(size, static_cast<uint8_t>(thread * 50 + round));
      std::vector<uint8_t> received(size);
      void* address = nullptr;
      EXPECT_TRUE(succeeds(function.name, function.allocate(&address, size, kAnyPolicy)));
      EXPECT_OK(aclrtMemcpy(address, size, sent.data(), size, ACL_MEMCPY_HOST_TO_DEVICE));
      EXPECT_OK(aclrtMemcpy(received.data(), size, address, size, ACL_MEMCPY_DEVICE_TO_HOST));
      EXPECT_EQ(sent, received);
      EXPECT_OK(aclrtFree(address));
    }
    EXPECT_OK(aclrtResetDevice(0));
  });
}

}  // namespace conformance::memory
