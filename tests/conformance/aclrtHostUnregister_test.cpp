// SPDX-License-Identifier: Apache-2.0
// aclrtHostUnregister: undoes a registration.
#include "support/at_once.h"
#include "support/device_allocator.h"
#include "support/host_pages.h"

namespace conformance::memory::aclrtHostUnregister_test {
namespace {

using AclrtHostUnregister = WithDevice;

TEST_F(AclrtHostUnregister, MakesMemoryPageableAgainAndKeepsItsBytes) {
  HostPages pages;
  pages.fill(pattern(pages.size()));
  ASSERT_OK(aclrtHostRegisterV2(pages.get(), pages.size(), ACL_HOST_REG_PINNED));
  EXPECT_TRUE(is_pinned(pages.get()));
  EXPECT_OK(aclrtHostUnregister(pages.get()));
  EXPECT_FALSE(is_pinned(pages.get()));
  EXPECT_EQ(pages.copy(), pattern(pages.size()));
}

TEST_F(AclrtHostUnregister, TakesTheDeviceAddressBack) {
  HostPages pages;
  void* mapped = nullptr;
  ASSERT_OK(aclrtHostRegister(pages.get(), pages.size(), ACL_HOST_REGISTER_MAPPED, &mapped));
  EXPECT_OK(aclrtHostUnregister(pages.get()));
  EXPECT_EQ(location_of(mapped).type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
  const DeviceBuffer device(64);
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID,
                    aclrtMemcpy(device.get(), 64, mapped, 64, ACL_MEMCPY_DEVICE_TO_DEVICE));
}

TEST_F(AclrtHostUnregister, LetsMemoryBeRegisteredAgain) {
  HostPages pages;
  for (int round = 0; round < 100; ++round) {
    void* mapped = nullptr;
    ASSERT_OK(aclrtHostRegister(pages.get(), pages.size(), ACL_HOST_REGISTER_MAPPED, &mapped));
    EXPECT_OK(aclrtHostUnregister(pages.get()));
  }
}

TEST_F(AclrtHostUnregister, RefusesNull) {
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtHostUnregister(nullptr));
  on_new_thread(
      [] { EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtHostUnregister(nullptr)); });
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
}

TEST_F(AclrtHostUnregister, NeedsAContextAndLeavesTheMemoryRegisteredWithoutOne) {
  HostPages pages;
  ASSERT_OK(aclrtHostRegisterV2(pages.get(), pages.size(), ACL_HOST_REG_PINNED));
  on_new_thread([&] {
    char foreign = 0;
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018", aclrtHostUnregister(pages.get()));
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018", aclrtHostUnregister(&foreign));
    EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_CONTEXT_NULL);
  });
  EXPECT_EQ(location_of(pages.get()).type, ACL_MEM_LOCATION_TYPE_HOST);
  EXPECT_OK(aclrtHostUnregister(pages.get()));
}

TEST_F(AclrtHostUnregister, WorksInAnotherContextThanTheOneOfTheRegistration) {
  HostPages pages;
  ASSERT_OK(aclrtHostRegisterV2(pages.get(), pages.size(), ACL_HOST_REG_PINNED));
  on_new_thread([&] {
    aclrtContext context = nullptr;
    ASSERT_OK(aclrtCreateContext(&context, 0));
    EXPECT_OK(aclrtHostUnregister(pages.get()));
    EXPECT_OK(aclrtDestroyContext(context));
  });
  EXPECT_EQ(location_of(pages.get()).type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
}

TEST_F(AclrtHostUnregister, RefusesAllButTheStartOfRegisteredMemory) {
  HostPages pages;
  const PinnedBuffer pinned(64);
  const DeviceBuffer device(64);
  void* mapped = nullptr;
  ASSERT_OK(aclrtHostRegister(pages.get(), 4096, ACL_HOST_REGISTER_MAPPED, &mapped));
  for (void* address :
       {static_cast<void*>(pages.bytes() + 1), static_cast<void*>(pages.bytes() + 4095),
        static_cast<void*>(pages.bytes() + 4096), mapped, pinned.get(), device.get()}) {
    clear_errors();
    EXPECT_FAILS(ACL_ERROR_HOST_MEMORY_NOT_REGISTERED, "EE1018", aclrtHostUnregister(address));
    EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_HOST_MEMORY_NOT_REGISTERED);
  }
  EXPECT_EQ(location_of(pages.get()).type, ACL_MEM_LOCATION_TYPE_HOST);
  EXPECT_OK(aclrtHostUnregister(pages.get()));
  EXPECT_FAILS(ACL_ERROR_HOST_MEMORY_NOT_REGISTERED, "EE1018", aclrtHostUnregister(pages.get()));
}

TEST_F(AclrtHostUnregister, SaysThatMemoryWasUnregisteredBefore) {
  const HostPages pages;
  ASSERT_OK(aclrtHostRegisterV2(pages.get(), pages.size(), ACL_HOST_REG_PINNED));
  ASSERT_OK(aclrtHostUnregister(pages.get()));
  EXPECT_EQ(aclrtHostUnregister(pages.get()), ACL_ERROR_HOST_MEMORY_NOT_REGISTERED);
  const std::string text = recent_text();
  EXPECT_NE(text.find("unregistered"), std::string::npos) << text;
}

TEST_F(AclrtHostUnregister, LeavesMemoryOfAclrtMallocHostPinned) {
  PinnedBuffer pinned(4096);
  pinned.fill(pattern(4096));
  ASSERT_OK(aclrtHostRegisterV2(pinned.get(), 4096, ACL_HOST_REG_MAPPED));
  EXPECT_OK(aclrtHostUnregister(pinned.get()));
  EXPECT_TRUE(is_pinned(pinned.get()));
  EXPECT_EQ(pinned.copy(), pattern(4096));
  EXPECT_FAILS(ACL_ERROR_HOST_MEMORY_NOT_REGISTERED, "EE1018", aclrtHostUnregister(pinned.get()));
}

TEST_F(AclrtHostUnregister, LetsExactlyOneOfManyThreadsUnregister) {
  HostPages pages;
  for (int round = 0; round < 20; ++round) {
    ASSERT_OK(aclrtHostRegisterV2(pages.get(), pages.size(), ACL_HOST_REG_PINNED));
    std::vector<aclError> results(4);
    at_once(results.size(), [&](size_t i) {
      aclError& result = results[i];
      EXPECT_OK(aclrtSetDevice(0));
      result = aclrtHostUnregister(pages.get());
      EXPECT_OK(aclrtResetDevice(0));
    });
    EXPECT_EQ(std::count(results.begin(), results.end(), ACL_SUCCESS), 1);
    EXPECT_EQ(std::count(results.begin(), results.end(), ACL_ERROR_HOST_MEMORY_NOT_REGISTERED), 3);
  }
}

}  // namespace
}  // namespace conformance::memory::aclrtHostUnregister_test
