// SPDX-License-Identifier: Apache-2.0
// aclrtHostRegister: pins host memory of the program and gives it an address on the device.
#include "support/at_once.h"
#include "support/device_allocator.h"
#include "support/host_pages.h"

namespace conformance::memory::aclrtHostRegister_test {
namespace {

using AclrtHostRegister = WithStream;

aclrtHostRegisterType type(int bits) {
  return static_cast<aclrtHostRegisterType>(bits);
}

TEST_F(AclrtHostRegister, MakesMemoryPinnedUntilItIsUnregistered) {
  HostPages pages;
  void* mapped = nullptr;
  EXPECT_FALSE(is_pinned(pages.get()));
  EXPECT_OK(aclrtHostRegister(pages.get(), pages.size(), ACL_HOST_REGISTER_MAPPED, &mapped));
  EXPECT_TRUE(is_pinned(pages.get()));
  EXPECT_TRUE(is_pinned(pages.bytes() + pages.size() - 1));
  EXPECT_EQ(location_of(pages.get()).type, ACL_MEM_LOCATION_TYPE_HOST);
  EXPECT_EQ(location_of(pages.get()).id, 0u);
  EXPECT_OK(aclrtHostUnregister(pages.get()));
  EXPECT_FALSE(is_pinned(pages.get()));
  EXPECT_EQ(location_of(pages.get()).type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
}

TEST_F(AclrtHostRegister, TakesEveryTypeItKnows) {
  for (const int bits : {0, 4, 8, 12}) {
    HostPages pages;
    void* mapped = nullptr;
    EXPECT_OK(aclrtHostRegister(pages.get(), pages.size(), type(bits), &mapped)) << bits;
    EXPECT_NE(mapped, nullptr);
    EXPECT_TRUE(is_pinned(pages.get()));
    EXPECT_OK(aclrtHostUnregister(pages.get()));
  }
}

TEST_F(AclrtHostRegister, GivesAnAddressForTheSameBytes) {
  HostPages pages;
  pages.fill(pattern(pages.size(), 1));
  void* mapped = nullptr;
  ASSERT_OK(aclrtHostRegister(pages.get(), pages.size(), ACL_HOST_REGISTER_MAPPED, &mapped));
  DeviceBuffer device(pages.size());
  EXPECT_OK(
      aclrtMemcpy(device.get(), device.size(), mapped, pages.size(), ACL_MEMCPY_DEVICE_TO_DEVICE));
  EXPECT_EQ(device.read(), pattern(pages.size(), 1));
  device.write(pattern(pages.size(), 2));
  EXPECT_OK(
      aclrtMemcpy(mapped, pages.size(), device.get(), pages.size(), ACL_MEMCPY_DEVICE_TO_DEVICE));
  EXPECT_EQ(pages.copy(), pattern(pages.size(), 2));
  EXPECT_OK(aclrtHostUnregister(pages.get()));
}

TEST_F(AclrtHostRegister, TakesSizesThatAreNotWholePages) {
  for (const size_t size : {size_t{1}, size_t{4095}, size_t{4097}}) {
    HostPages pages;
    void* mapped = nullptr;
    ASSERT_OK(aclrtHostRegister(pages.get(), size, ACL_HOST_REGISTER_MAPPED, &mapped));
    const DeviceBuffer device(8192);
    EXPECT_OK(aclrtMemcpy(device.get(), 8192, pages.get(), size, ACL_MEMCPY_HOST_TO_DEVICE));
    EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtMemcpy(device.get(), 8192, pages.get(),
                                                              size + 1, ACL_MEMCPY_HOST_TO_DEVICE));
    EXPECT_OK(aclrtMemcpy(device.get(), 8192, mapped, size, ACL_MEMCPY_DEVICE_TO_DEVICE));
    EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtMemcpy(device.get(), 8192, mapped, size + 1,
                                                              ACL_MEMCPY_DEVICE_TO_DEVICE));
    EXPECT_OK(aclrtHostUnregister(pages.get()));
  }
}

TEST_F(AclrtHostRegister, TakesMemoryOfAclrtMallocHost) {
  PinnedBuffer pinned(8192);
  pinned.fill(pattern(8192));
  void* mapped = nullptr;
  ASSERT_EQ(reinterpret_cast<uintptr_t>(pinned.get()) % 4096, 0u);
  EXPECT_OK(aclrtHostRegister(pinned.get(), 8192, ACL_HOST_REGISTER_MAPPED, &mapped));
  const DeviceBuffer device(8192);
  EXPECT_OK(aclrtMemcpy(device.get(), 8192, mapped, 8192, ACL_MEMCPY_DEVICE_TO_DEVICE));
  EXPECT_EQ(device.read(), pattern(8192));
  EXPECT_OK(aclrtHostUnregister(pinned.get()));
  EXPECT_TRUE(is_pinned(pinned.get()));
  EXPECT_EQ(location_of(pinned.get()).type, ACL_MEM_LOCATION_TYPE_HOST);
}

TEST_F(AclrtHostRegister, RefusesNullAndSizeZeroBeforeAnythingElse) {
  HostPages pages;
  void* mapped = untouched();
  on_new_thread([&] {
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
                 aclrtHostRegister(nullptr, 0, type(1), nullptr));
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
                 aclrtHostRegister(pages.get(), 0, type(1), nullptr));
    EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, aclrtHostRegister(pages.get(), 0, type(1), &mapped));
    EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
  });
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
               aclrtHostRegister(nullptr, 4096, ACL_HOST_REGISTER_MAPPED, &mapped));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
               aclrtHostRegister(pages.get(), 4096, ACL_HOST_REGISTER_MAPPED, nullptr));
  EXPECT_EQ(mapped, untouched());
}

TEST_F(AclrtHostRegister, DoesNotSupportOtherTypes) {
  HostPages pages;
  void* mapped = untouched();
  for (const int bits : {1, 2, 3, 5, 13, 16, 0x10000000, 0x7fffffff, -1}) {
    clear_errors();
    EXPECT_FAILS_WITH(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                      aclrtHostRegister(pages.get(), pages.size(), type(bits), &mapped));
    EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  }
  on_new_thread([&] {
    EXPECT_FAILS_WITH(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                      aclrtHostRegister(pages.get(), pages.size(), type(1), &mapped));
  });
  EXPECT_EQ(mapped, untouched());
}

TEST_F(AclrtHostRegister, NeedsAContextBeforeItLooksAtTheRange) {
  HostPages pages;
  void* mapped = untouched();
  on_new_thread([&] {
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
                 aclrtHostRegister(pages.get(), 4096, ACL_HOST_REGISTER_MAPPED, &mapped));
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
                 aclrtHostRegister(pages.bytes() + 1, 4096, ACL_HOST_REGISTER_MAPPED, &mapped));
    EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_CONTEXT_NULL);
  });
  EXPECT_EQ(mapped, untouched());
  EXPECT_EQ(location_of(pages.get()).type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
}

TEST_F(AclrtHostRegister, RefusesARangeThatIsRegisteredInPartBeforeAnUnalignedOne) {
  HostPages pages(4);
  uint8_t* second = pages.bytes() + 4096;
  void* mapped = nullptr;
  ASSERT_OK(aclrtHostRegister(second, 8192, ACL_HOST_REGISTER_MAPPED, &mapped));
  struct Range {
    size_t offset;
    size_t size;
  };
  for (const Range range : {Range{4096, 8192}, Range{4096, 1}, Range{0, 4097}, Range{0, 16384},
                            Range{8192, 8192}, Range{4097, 10}, Range{4095, 2}}) {
    void* again = untouched();
    clear_errors();
    EXPECT_FAILS_WITH(ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
                      aclrtHostRegister(pages.bytes() + range.offset, range.size,
                                        ACL_HOST_REGISTER_MAPPED, &again));
    EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
    EXPECT_EQ(again, untouched());
  }
  void* before = nullptr;
  void* behind = nullptr;
  EXPECT_OK(aclrtHostRegister(pages.get(), 4096, ACL_HOST_REGISTER_MAPPED, &before));
  EXPECT_OK(aclrtHostRegister(pages.bytes() + 12288, 4096, ACL_HOST_REGISTER_MAPPED, &behind));
  for (uint8_t* start : {pages.bytes(), second, pages.bytes() + 12288})
    EXPECT_OK(aclrtHostUnregister(start));
}

TEST_F(AclrtHostRegister, RefusesAnUnalignedAddress) {
  HostPages pages;
  for (const size_t offset : {size_t{1}, size_t{64}, size_t{2048}, size_t{4095}}) {
    void* mapped = untouched();
    clear_errors();
    EXPECT_FAILS_WITH(
        ACL_ERROR_RT_PARAM_INVALID,
        aclrtHostRegister(pages.bytes() + offset, 4096, ACL_HOST_REGISTER_MAPPED, &mapped));
    EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_PARAM_INVALID);
    EXPECT_EQ(mapped, untouched());
  }
}

TEST_F(AclrtHostRegister, RefusesARangeThatIsNotMapped) {
  HostPages pages;
  void* mapped = untouched();
  for (const size_t size : {pages.size() + 1, size_t{1} << 50, SIZE_MAX}) {
    EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID,
                      aclrtHostRegister(pages.get(), size, ACL_HOST_REGISTER_MAPPED, &mapped));
  }
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID,
                    aclrtHostRegister(reinterpret_cast<void*>(uintptr_t{0x1000}), 4096,
                                      ACL_HOST_REGISTER_MAPPED, &mapped));
  EXPECT_EQ(mapped, untouched());
}

TEST_F(AclrtHostRegister, RefusesDeviceMemoryAndMoreThanOneAllocation) {
  const DeviceBuffer device(2 * 4096);
  const PinnedBuffer pinned(4096);
  void* mapped = untouched();
  // Device memory need not start at a page, but this much contains one.
  const size_t to_page = -reinterpret_cast<uintptr_t>(device.get()) % 4096;
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID,
                    aclrtHostRegister(device.at(to_page), 4096, ACL_HOST_REGISTER_MAPPED, &mapped));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID,
                    aclrtHostRegister(pinned.get(), 4097, ACL_HOST_REGISTER_MAPPED, &mapped));
  EXPECT_EQ(mapped, untouched());
}

FERRY_PROCESS_TEST(AclrtHostRegisterProcess, RefusesARangeThatRunsIntoMemoryOfTheLibrary) {
  ASSERT_OK(aclrtSetDevice(0));
  const PinnedBuffer pinned(4096);
  void* mapped = untouched();
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID,
                    aclrtHostRegister(static_cast<char*>(pinned.get()) - 4096, 8192,
                                      ACL_HOST_REGISTER_MAPPED, &mapped));
  EXPECT_EQ(mapped, untouched());
}

TEST_F(AclrtHostRegister, LetsExactlyOneOfManyThreadsRegister) {
  for (int round = 0; round < 20; ++round) {
    HostPages pages(1);
    std::vector<aclError> results(4);
    at_once(results.size(), [&](size_t i) {
      aclError& result = results[i];
      EXPECT_OK(aclrtSetDevice(0));
      void* mapped = nullptr;
      result = aclrtHostRegister(pages.get(), pages.size(), ACL_HOST_REGISTER_MAPPED, &mapped);
      EXPECT_OK(aclrtResetDevice(0));
    });
    EXPECT_EQ(std::count(results.begin(), results.end(), ACL_SUCCESS), 1);
    EXPECT_EQ(std::count(results.begin(), results.end(), ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED),
              3);
    EXPECT_OK(aclrtHostUnregister(pages.get()));
  }
}

}  // namespace
}  // namespace conformance::memory::aclrtHostRegister_test
