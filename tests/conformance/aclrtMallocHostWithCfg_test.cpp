// SPDX-License-Identifier: Apache-2.0
// aclrtMallocHostWithCfg: pinned host memory with attributes.
#include "support/host_allocator.h"

namespace conformance::memory::aclrtMallocHostWithCfg_test {
namespace {

using AclrtMallocHostWithCfg = WithStream;

constexpr HostAllocator kFunction = {"aclrtMallocHostWithCfg", [](void** address, size_t size) {
                                       return aclrtMallocHostWithCfg(address, size, nullptr);
                                     }};

TEST_F(AclrtMallocHostWithCfg, RefusesNullAndSizeZero) {
  expect_refuses_null_and_zero(kFunction);
}

TEST_F(AclrtMallocHostWithCfg, NeedsAContext) {
  expect_needs_a_context(kFunction);
}

TEST_F(AclrtMallocHostWithCfg, RefusesMoreThanTheHostHas) {
  expect_refuses_more_than_the_host_has(kFunction);
}

TEST_F(AclrtMallocHostWithCfg, GivesMemoryTheHostCanUse) {
  expect_gives_memory_the_host_can_use(kFunction);
}

TEST_F(AclrtMallocHostWithCfg, GivesMemoryThatIsPinned) {
  expect_gives_memory_that_is_pinned(kFunction, stream_);
}

TEST_F(AclrtMallocHostWithCfg, GivesExactlyTheSize) {
  expect_gives_exactly_the_size(kFunction);
}

TEST_F(AclrtMallocHostWithCfg, ServesManyThreadsAtOnce) {
  expect_serves_many_threads(kFunction);
}

aclrtMallocAttribute attribute(int type, uint32_t value) {
  aclrtMallocAttribute result = {static_cast<aclrtMallocAttrType>(type), {}};
  result.value.vaFlag = value;
  return result;
}

TEST_F(AclrtMallocHostWithCfg, TakesTheAttributesItKnows) {
  for (std::vector<aclrtMallocAttribute> list :
       {std::vector{attribute(ACL_RT_MEM_ATTR_MODULE_ID, 5)},
        {attribute(ACL_RT_MEM_ATTR_VA_FLAG, 0)},
        {attribute(ACL_RT_MEM_ATTR_MODULE_ID, 65535), attribute(ACL_RT_MEM_ATTR_VA_FLAG, 0)}}) {
    aclrtMallocConfig config = {list.data(), list.size()};
    void* address = nullptr;
    EXPECT_OK(aclrtMallocHostWithCfg(&address, 64, &config));
    static_cast<uint8_t*>(address)[63] = 1;
    EXPECT_OK(aclrtFreeHost(address));
  }
}

TEST_F(AclrtMallocHostWithCfg, TakesAListOfLengthZero) {
  aclrtMallocAttribute other = attribute(ACL_RT_MEM_ATTR_DEVICE_ID, 0);
  aclrtMallocConfig config = {&other, 0};
  void* address = nullptr;
  EXPECT_OK(aclrtMallocHostWithCfg(&address, 64, &config));
  EXPECT_OK(aclrtFreeHost(address));
}

TEST_F(AclrtMallocHostWithCfg, RefusesAConfigurationWithoutAList) {
  for (const size_t length : {size_t{0}, size_t{1}}) {
    aclrtMallocConfig config = {nullptr, length};
    void* address = untouched();
    clear_errors();
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1004",
                 aclrtMallocHostWithCfg(&address, 64, &config));
    EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_PARAM_INVALID);
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtMallocHostWithCfg(nullptr, 64, &config));
    EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, aclrtMallocHostWithCfg(&address, 0, &config));
    on_new_thread([&] {
      EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1004",
                   aclrtMallocHostWithCfg(&address, 64, &config));
    });
    EXPECT_EQ(address, untouched());
  }
}

TEST_F(AclrtMallocHostWithCfg, RefusesOtherAttributes) {
  for (const int type : {0, 2, 4, 0x7fffffff}) {
    aclrtMallocAttribute list[] = {attribute(ACL_RT_MEM_ATTR_MODULE_ID, 1), attribute(type, 0)};
    aclrtMallocConfig config = {list, 2};
    void* address = untouched();
    clear_errors();
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
                 aclrtMallocHostWithCfg(&address, 64, &config));
    EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_PARAM_INVALID);
    on_new_thread([&] {
      EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
                   aclrtMallocHostWithCfg(&address, 64, &config));
    });
    EXPECT_EQ(address, untouched());
  }
}

TEST_F(AclrtMallocHostWithCfg, DoesNotSupportTheSameAddressOnTheDevice) {
  aclrtMallocAttribute flag = attribute(ACL_RT_MEM_ATTR_VA_FLAG, 1);
  aclrtMallocConfig config = {&flag, 1};
  void* address = untouched();
  EXPECT_FAILS_WITH(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                    aclrtMallocHostWithCfg(&address, 64, &config));
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_FAILS_WITH(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                    aclrtMallocHostWithCfg(&address, SIZE_MAX, &config));
  EXPECT_EQ(address, untouched());
}

}  // namespace
}  // namespace conformance::memory::aclrtMallocHostWithCfg_test
