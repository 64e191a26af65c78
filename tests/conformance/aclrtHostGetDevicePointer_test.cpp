// SPDX-License-Identifier: Apache-2.0
// aclrtHostGetDevicePointer: the device's address for registered host memory.
#include "support/at_once.h"
#include "support/device_allocator.h"
#include "support/host_pages.h"

namespace conformance::memory::aclrtHostGetDevicePointer_test {
namespace {

using AclrtHostGetDevicePointer = WithDevice;

TEST_F(AclrtHostGetDevicePointer, AgreesWithAclrtHostRegister) {
  HostPages pages;
  void* mapped = nullptr;
  void* asked = nullptr;
  ASSERT_OK(aclrtHostRegister(pages.get(), pages.size(), ACL_HOST_REGISTER_MAPPED, &mapped));
  EXPECT_OK(aclrtHostGetDevicePointer(pages.get(), &asked, 0));
  EXPECT_EQ(asked, mapped);
  EXPECT_OK(aclrtHostUnregister(pages.get()));
}

TEST_F(AclrtHostGetDevicePointer, TranslatesEveryByteOfTheRange) {
  HostPages pages;
  ASSERT_OK(aclrtHostRegisterV2(pages.get(), pages.size(), ACL_HOST_REG_MAPPED));
  void* first = nullptr;
  ASSERT_OK(aclrtHostGetDevicePointer(pages.get(), &first, 0));
  for (const size_t offset : {size_t{1}, size_t{100}, size_t{4096}, pages.size() - 1}) {
    void* inside = nullptr;
    EXPECT_OK(aclrtHostGetDevicePointer(pages.bytes() + offset, &inside, 0));
    EXPECT_EQ(inside, static_cast<char*>(first) + offset);
  }
  EXPECT_OK(aclrtHostUnregister(pages.get()));
}

TEST_F(AclrtHostGetDevicePointer, GivesAnAddressThatReachesTheBytes) {
  HostPages pages;
  pages.fill(pattern(pages.size()));
  ASSERT_OK(aclrtHostRegisterV2(pages.bytes() + 10, 1000, ACL_HOST_REG_MAPPED));
  void* mapped = nullptr;
  ASSERT_OK(aclrtHostGetDevicePointer(pages.bytes() + 20, &mapped, 0));
  EXPECT_NE(mapped, pages.bytes() + 20);
  const DeviceBuffer device(64);
  EXPECT_OK(aclrtMemcpy(device.get(), 64, mapped, 64, ACL_MEMCPY_DEVICE_TO_DEVICE));
  EXPECT_EQ(device.read(), std::vector(pages.bytes() + 20, pages.bytes() + 84));
  EXPECT_OK(aclrtHostUnregister(pages.bytes() + 10));
}

TEST_F(AclrtHostGetDevicePointer, RefusesNullAndFlagsBeforeAnythingElse) {
  HostPages pages;
  void* mapped = untouched();
  on_new_thread([&] {
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtHostGetDevicePointer(nullptr, nullptr, 1));
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtHostGetDevicePointer(nullptr, &mapped, 0));
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
                 aclrtHostGetDevicePointer(pages.get(), nullptr, 1));
    for (const uint32_t flag : {1u, 2u, 0xffffffffu}) {
      EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0009",
                   aclrtHostGetDevicePointer(pages.get(), &mapped, flag));
    }
    EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
  });
  EXPECT_EQ(mapped, untouched());
}

TEST_F(AclrtHostGetDevicePointer, NeedsAContext) {
  HostPages pages;
  void* mapped = untouched();
  ASSERT_OK(aclrtHostRegisterV2(pages.get(), pages.size(), ACL_HOST_REG_MAPPED));
  on_new_thread([&] {
    char foreign = 0;
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
                 aclrtHostGetDevicePointer(pages.get(), &mapped, 0));
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
                 aclrtHostGetDevicePointer(&foreign, &mapped, 0));
    EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_CONTEXT_NULL);
  });
  EXPECT_EQ(mapped, untouched());
  EXPECT_OK(aclrtHostUnregister(pages.get()));
}

TEST_F(AclrtHostGetDevicePointer, RefusesWhatIsNotRegisteredAsMapped) {
  HostPages pages;
  const PinnedBuffer pinned(64);
  const DeviceBuffer device(64);
  ASSERT_OK(aclrtHostRegisterV2(pages.get(), 100, ACL_HOST_REG_PINNED));
  for (void* address : {pages.get(), static_cast<void*>(pages.bytes() + 100),
                        static_cast<void*>(pages.bytes() + 5000), pinned.get(), device.get()}) {
    void* mapped = untouched();
    clear_errors();
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1011",
                 aclrtHostGetDevicePointer(address, &mapped, 0));
    EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_PARAM_INVALID);
    EXPECT_EQ(mapped, untouched());
  }
  EXPECT_OK(aclrtHostUnregister(pages.get()));
}

TEST_F(AclrtHostGetDevicePointer, RefusesTheByteBehindTheRangeAndWhatWasUnregistered) {
  HostPages pages;
  void* mapped = untouched();
  ASSERT_OK(aclrtHostRegisterV2(pages.get(), 100, ACL_HOST_REG_MAPPED));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1011",
               aclrtHostGetDevicePointer(pages.bytes() + 100, &mapped, 0));
  EXPECT_OK(aclrtHostUnregister(pages.get()));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1011",
               aclrtHostGetDevicePointer(pages.get(), &mapped, 0));
  EXPECT_EQ(mapped, untouched());
}

TEST_F(AclrtHostGetDevicePointer, KnowsRegisteredMemoryOfAclrtMallocHost) {
  PinnedBuffer pinned(8192);
  pinned.fill(pattern(8192));
  ASSERT_OK(aclrtHostRegisterV2(pinned.get(), 8192, ACL_HOST_REG_MAPPED));
  void* mapped = nullptr;
  EXPECT_OK(aclrtHostGetDevicePointer(pinned.bytes() + 4096, &mapped, 0));
  const DeviceBuffer device(4096);
  EXPECT_OK(aclrtMemcpy(device.get(), 4096, mapped, 4096, ACL_MEMCPY_DEVICE_TO_DEVICE));
  EXPECT_EQ(device.read(), std::vector(pinned.bytes() + 4096, pinned.bytes() + 8192));
  EXPECT_OK(aclrtHostUnregister(pinned.get()));
}

TEST_F(AclrtHostGetDevicePointer, AnswersManyThreadsAlike) {
  HostPages pages;
  void* mapped = nullptr;
  ASSERT_OK(aclrtHostRegister(pages.get(), pages.size(), ACL_HOST_REGISTER_MAPPED, &mapped));
  at_once(4, [&](size_t) {
    EXPECT_OK(aclrtSetDevice(0));
    for (int round = 0; round < 100; ++round) {
      void* asked = nullptr;
      EXPECT_OK(aclrtHostGetDevicePointer(pages.get(), &asked, 0));
      EXPECT_EQ(asked, mapped);
    }
    EXPECT_OK(aclrtResetDevice(0));
  });
  EXPECT_OK(aclrtHostUnregister(pages.get()));
}

}  // namespace
}  // namespace conformance::memory::aclrtHostGetDevicePointer_test
