// SPDX-License-Identifier: Apache-2.0
// The rules for the configuration of aclrtMallocWithCfg and aclrtMallocForTaskScheduler, as checks
// that the tests of both call.
#pragma once

#include "support/device_allocator.h"

namespace conformance::memory {

struct ConfiguredAllocator {
  const char* name;
  aclError (*allocate)(void** devPtr, size_t size, aclrtMemMallocPolicy policy,
                       aclrtMallocConfig* cfg);
};

inline aclrtMallocAttribute module_attribute(uint16_t id) {
  aclrtMallocAttribute attribute = {ACL_RT_MEM_ATTR_MODULE_ID, {}};
  attribute.value.moduleId = id;
  return attribute;
}

inline aclrtMallocAttribute device_attribute(uint32_t id) {
  aclrtMallocAttribute attribute = {ACL_RT_MEM_ATTR_DEVICE_ID, {}};
  attribute.value.deviceId = id;
  return attribute;
}

inline void expect_takes_the_attributes_it_knows(const ConfiguredAllocator& function) {
  const aclrtMallocAttribute reserved = {ACL_RT_MEM_ATTR_RSV, {}};
  for (std::vector<aclrtMallocAttribute> list :
       {std::vector{reserved},
        {module_attribute(0)},
        {module_attribute(65535)},
        {device_attribute(0)},
        {reserved, module_attribute(7), device_attribute(0), reserved}}) {
    aclrtMallocConfig config = {list.data(), list.size()};
    void* address = nullptr;
    EXPECT_TRUE(succeeds(function.name, function.allocate(&address, 100, kAnyPolicy, &config)));
    expect_usable_bytes(address, 160);
    EXPECT_OK(aclrtFree(address));
  }
}

// Entries beyond the length of the list are ignored.
inline void expect_takes_a_list_of_length_zero(const ConfiguredAllocator& function) {
  aclrtMallocAttribute bad = {ACL_RT_MEM_ATTR_VA_FLAG, {}};
  aclrtMallocConfig config = {&bad, 0};
  void* address = nullptr;
  EXPECT_TRUE(succeeds(function.name, function.allocate(&address, 100, kAnyPolicy, &config)));
  EXPECT_OK(aclrtFree(address));
}

inline void expect_refuses_a_length_without_a_list(const ConfiguredAllocator& function) {
  aclrtMallocConfig config = {nullptr, 1};
  void* address = untouched();
  for (const size_t size : {size_t{0}, size_t{100}, SIZE_MAX}) {
    EXPECT_TRUE(fails(function.name, ACL_ERROR_INVALID_PARAM, "EH0009",
                      function.allocate(&address, size, kAnyPolicy, &config)));
    EXPECT_TRUE(fails(function.name, ACL_ERROR_INVALID_PARAM, "EH0008",
                      function.allocate(nullptr, size, kAnyPolicy, &config)));
  }
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
  EXPECT_EQ(address, untouched());
}

// Checked after the size and before the context.
inline void expect_refuses_a_configuration_without_a_list(const ConfiguredAllocator& function) {
  aclrtMallocConfig config = {nullptr, 0};
  void* address = untouched();
  for (const size_t size : {size_t{0}, SIZE_MAX}) {
    EXPECT_TRUE(fails(function.name, ACL_ERROR_INVALID_PARAM, "",
                      function.allocate(&address, size, kAnyPolicy, &config)));
  }
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
  EXPECT_TRUE(fails(function.name, ACL_ERROR_RT_PARAM_INVALID, "EE1004",
                    function.allocate(&address, 100, kAnyPolicy, &config)));
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_PARAM_INVALID);
  on_new_thread([&] {
    EXPECT_TRUE(fails(function.name, ACL_ERROR_RT_PARAM_INVALID, "EE1004",
                      function.allocate(&address, 100, kAnyPolicy, &config)));
  });
  EXPECT_EQ(address, untouched());
}

// Checked after the context.
inline void expect_refuses_other_attributes(const ConfiguredAllocator& function) {
  for (const int type : {3, 4, 0x7fffffff}) {
    aclrtMallocAttribute list[] = {module_attribute(1),
                                   {static_cast<aclrtMallocAttrType>(type), {}}};
    aclrtMallocConfig config = {list, 2};
    void* address = untouched();
    clear_errors();
    EXPECT_TRUE(fails(function.name, ACL_ERROR_RT_PARAM_INVALID, "EE1003",
                      function.allocate(&address, 100, kAnyPolicy, &config)));
    EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_PARAM_INVALID);
    on_new_thread([&] {
      EXPECT_TRUE(fails(function.name, ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
                        function.allocate(&address, 100, kAnyPolicy, &config)));
    });
    EXPECT_EQ(address, untouched());
  }
}

// Checked before memory is requested from the device.
inline void expect_refuses_another_device(const ConfiguredAllocator& function) {
  for (const uint32_t id : {1u, 0xffffffffu}) {
    aclrtMallocAttribute attribute = device_attribute(id);
    aclrtMallocConfig config = {&attribute, 1};
    void* address = untouched();
    for (const size_t size : {size_t{100}, size_t{1} << 62}) {
      EXPECT_TRUE(fails(function.name, ACL_ERROR_RT_PARAM_INVALID, "",
                        function.allocate(&address, size, kAnyPolicy, &config)));
    }
    EXPECT_EQ(address, untouched());
  }
}

// For a process with two devices.
inline void expect_compares_with_the_current_device(const ConfiguredAllocator& function) {
  ASSERT_OK(aclrtSetDevice(0));
  ASSERT_OK(aclrtSetDevice(1));
  aclrtMallocAttribute attribute = device_attribute(0);
  aclrtMallocConfig config = {&attribute, 1};
  void* address = untouched();
  EXPECT_TRUE(fails(function.name, ACL_ERROR_RT_PARAM_INVALID, "",
                    function.allocate(&address, 100, kAnyPolicy, &config)));
  attribute = device_attribute(1);
  EXPECT_TRUE(succeeds(function.name, function.allocate(&address, 100, kAnyPolicy, &config)));
  EXPECT_EQ(location_of(address).id, 1u);
  EXPECT_OK(aclrtFree(address));
}

}  // namespace conformance::memory
