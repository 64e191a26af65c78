// SPDX-License-Identifier: Apache-2.0
// aclrtMemcpy: what it refuses, and in which order.
#include "support/copies.h"

#include <algorithm>

namespace conformance::copies::aclrtMemcpy_errors_test {
namespace {

class AclrtMemcpyErrors : public WithDevice {
 protected:
  // The buffers belong to a test: they must be freed before the device is reset.
  struct Buffers {
    DeviceBuffer device{64};
    PinnedBuffer pinned{64};
    std::vector<uint8_t> pageable = std::vector<uint8_t>(64);
  };
};

TEST_F(AclrtMemcpyErrors, RefusesNullBeforeAnythingElse) {
  const Buffers buffers;
  void* const device = buffers.device.get();
  EXPECT_EQ(ACL_ERROR_INVALID_PARAM, aclrtMemcpy(nullptr, 0, nullptr, 1, kind_of(99)));
  EXPECT_TRUE(text_has("dst"));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
               aclrtMemcpy(nullptr, 0, device, 1, ACL_MEMCPY_DEFAULT));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtMemcpy(device, 0, nullptr, 1, kind_of(99)));
  on_new_thread([&] {
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
                 aclrtMemcpy(device, 1, nullptr, 1, ACL_MEMCPY_DEFAULT));
  });
}

TEST_F(AclrtMemcpyErrors, RefusesAKindOutOfRangeBeforeTheSizes) {
  const Buffers buffers;
  for (const int kind : {6, 7, 8, -1, 0x7FFFFFFF}) {
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0007",
                 aclrtMemcpy(buffers.device.get(), 0, buffers.pinned.get(), 64, kind_of(kind)));
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0007",
                 aclrtMemcpy(buffers.device.get(), 64, buffers.device.get(), 64, kind_of(kind)));
  }
}

TEST_F(AclrtMemcpyErrors, RefusesACountAboveDestMax) {
  const Buffers buffers;
  const auto copy = [&](size_t dest_max, size_t count) {
    return aclrtMemcpy(buffers.device.get(), dest_max, buffers.pinned.get(), count,
                       ACL_MEMCPY_HOST_TO_DEVICE);
  };
  EXPECT_TRUE(failed_as("aclrtMemcpy", ACL_ERROR_RT_PARAM_INVALID, "EE1003", copy(0, 1)));
  EXPECT_TRUE(failed_as("aclrtMemcpy", ACL_ERROR_RT_PARAM_INVALID, "EE1003", copy(0, 64)));
  EXPECT_TRUE(failed_as("aclrtMemcpy", ACL_ERROR_RT_PARAM_INVALID, "EE1003", copy(63, 64)));
  EXPECT_TRUE(failed_as("aclrtMemcpy", ACL_ERROR_RT_PARAM_INVALID, "EE1003", copy(64, SIZE_MAX)));
  EXPECT_OK(copy(64, 64));
}

TEST_F(AclrtMemcpyErrors, TheSizesAreCheckedBeforeEqualAddressesAndTheContext) {
  const Buffers buffers;
  void* const device = buffers.device.get();
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
               aclrtMemcpy(device, 63, device, 64, ACL_MEMCPY_DEVICE_TO_DEVICE));
  on_new_thread([&] {
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
                 aclrtMemcpy(device, 63, buffers.pinned.get(), 64, ACL_MEMCPY_HOST_TO_DEVICE));
  });
}

TEST_F(AclrtMemcpyErrors, NeedsAContextBeforeItLooksAtTheRanges) {
  const Buffers buffers;
  on_new_thread([&] {
    EXPECT_FAILS(
        ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
        aclrtMemcpy(buffers.device.get(), 64, buffers.pinned.get(), 64, ACL_MEMCPY_HOST_TO_DEVICE));
    EXPECT_FAILS(
        ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
        aclrtMemcpy(buffers.device.get(), 64, unmapped_address(), 64, ACL_MEMCPY_HOST_TO_DEVICE));
    EXPECT_EQ(ACL_ERROR_RT_CONTEXT_NULL, last_error());
  });
}

TEST_F(AclrtMemcpyErrors, ADestroyedContextCountsAsNone) {
  const Buffers buffers;
  on_new_thread([&] {
    aclrtContext context = nullptr;
    ASSERT_OK(aclrtCreateContext(&context, 0));
    ASSERT_OK(aclrtDestroyContext(context));
    EXPECT_FAILS(
        ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
        aclrtMemcpy(buffers.device.get(), 64, buffers.pinned.get(), 64, ACL_MEMCPY_HOST_TO_DEVICE));
  });
}

TEST_F(AclrtMemcpyErrors, RefusesARangeThatLeavesItsDeviceAllocation) {
  const Buffers buffers;
  void* const device = buffers.device.get();
  std::vector<uint8_t> host(padded(64) + 1, 5);
  const std::vector<uint8_t> before = host;
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID,
                    aclrtMemcpy(device, host.size(), host.data(), host.size(), ACL_MEMCPY_DEFAULT));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID,
                    aclrtMemcpy(host.data(), host.size(), device, host.size(), ACL_MEMCPY_DEFAULT));
  EXPECT_EQ(before, host);
  EXPECT_FAILS_WITH(
      ACL_ERROR_RT_PARAM_INVALID,
      aclrtMemcpy(buffers.device.at(padded(64) - 1), 2, host.data(), 2, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtMemcpy(device, SIZE_MAX, buffers.device.at(1),
                                                            SIZE_MAX, ACL_MEMCPY_DEVICE_TO_DEVICE));
}

TEST_F(AclrtMemcpyErrors, RefusesARangeThatLeavesItsPinnedAllocation) {
  Buffers buffers;
  buffers.device.write(pattern(64));
  EXPECT_FAILS_WITH(
      ACL_ERROR_RT_PARAM_INVALID,
      aclrtMemcpy(buffers.device.get(), 65, buffers.pinned.get(), 65, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID,
                    aclrtMemcpy(buffers.pinned.bytes() + 63, 2, buffers.device.get(), 2,
                                ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_OK(aclrtMemcpy(buffers.pinned.bytes() + 63, 1, buffers.device.get(), 1,
                        ACL_MEMCPY_DEVICE_TO_HOST));
}

TEST_F(AclrtMemcpyErrors, RefusesARangeThatLeavesRegisteredMemory) {
  HostPages pages(2);
  const size_t page = HostPages::page();
  const DeviceBuffer device(2 * page);
  ASSERT_OK(aclrtHostRegisterV2(pages.at(0), page, ACL_HOST_REG_PINNED));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtMemcpy(device.get(), 2 * page, pages.at(0),
                                                            page + 1, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_OK(aclrtMemcpy(device.get(), 2 * page, pages.at(0), page, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_OK(aclrtHostUnregister(pages.at(0)));
  EXPECT_OK(aclrtMemcpy(device.get(), 2 * page, pages.at(0), page + 1, ACL_MEMCPY_HOST_TO_DEVICE));
}

TEST_F(AclrtMemcpyErrors, RefusesFreedDeviceMemory) {
  const Buffers buffers;
  void* freed = nullptr;
  ASSERT_OK(aclrtMalloc(&freed, 1 << 20, ACL_MEM_MALLOC_HUGE_FIRST));
  ASSERT_OK(aclrtFree(freed));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID,
                    aclrtMemcpy(freed, 64, buffers.pinned.get(), 64, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID,
                    aclrtMemcpy(buffers.pinned.get(), 64, freed, 64, ACL_MEMCPY_DEVICE_TO_HOST));
}

TEST_F(AclrtMemcpyErrors, RefusesHostMemoryThatIsNotMapped) {
  const Buffers buffers;
  void* const device = buffers.device.get();
  void* const nowhere = unmapped_address();
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID,
                    aclrtMemcpy(device, 64, nowhere, 64, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID,
                    aclrtMemcpy(nowhere, 64, device, 64, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID,
                    aclrtMemcpy(nowhere, 64, buffers.pinned.get(), 64, ACL_MEMCPY_HOST_TO_HOST));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID,
                    aclrtMemcpy(buffers.pinned.get(), 64, nowhere, 64, ACL_MEMCPY_HOST_TO_HOST));
}

TEST_F(AclrtMemcpyErrors, RefusesPagesWithoutAccessAlsoAtTheEndOfARange) {
  HostPages pages(3);
  pages.forbid(1);
  DeviceBuffer device(3 * HostPages::page());
  device.write(pattern(device.size()));
  const size_t page = HostPages::page();
  EXPECT_FAILS_WITH(
      ACL_ERROR_RT_PARAM_INVALID,
      aclrtMemcpy(device.get(), device.size(), pages.at(page - 1), 2, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtMemcpy(pages.at(0), 3 * page, device.get(),
                                                            3 * page, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_EQ(0, *pages.at(0)) << "a part was copied";
  EXPECT_OK(aclrtMemcpy(pages.at(0), page, device.get(), page, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_OK(aclrtMemcpy(pages.at(2 * page), page, device.get(), page, ACL_MEMCPY_DEVICE_TO_HOST));
}

TEST_F(AclrtMemcpyErrors, PagesThatCannotBeWrittenAreSourcesOnly) {
  HostPages pages(2);
  const std::vector<uint8_t> sent = pattern(pages.size());
  std::copy(sent.begin(), sent.end(), pages.at(0));
  pages.protect(1);
  const DeviceBuffer device(pages.size());
  EXPECT_OK(aclrtMemcpy(device.get(), pages.size(), pages.at(0), pages.size(),
                        ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_EQ(sent, device.read());
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID,
                    aclrtMemcpy(pages.at(0), pages.size(), device.get(), pages.size(),
                                ACL_MEMCPY_DEVICE_TO_HOST));
}

TEST_F(AclrtMemcpyErrors, OnlyRuntimeCodesSetTheLastErrorAndSuccessKeepsIt) {
  Buffers buffers;
  void* const device = buffers.device.get();
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
               aclrtMemcpy(nullptr, 1, device, 1, ACL_MEMCPY_DEFAULT));
  EXPECT_EQ(ACL_SUCCESS, last_error());
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
               aclrtMemcpy(device, 1, buffers.pinned.get(), 2, ACL_MEMCPY_DEFAULT));
  EXPECT_EQ(ACL_ERROR_RT_PARAM_INVALID, last_error());
  EXPECT_OK(aclrtMemcpy(device, 2, buffers.pinned.get(), 2, ACL_MEMCPY_DEFAULT));
  EXPECT_EQ("", recent_text());
  EXPECT_EQ(ACL_ERROR_RT_PARAM_INVALID, aclrtGetLastError(ACL_RT_THREAD_LEVEL));
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

TEST_F(AclrtMemcpyErrors, TheTextNamesValueAndLimit) {
  const Buffers buffers;
  EXPECT_EQ(ACL_ERROR_RT_PARAM_INVALID, aclrtMemcpy(buffers.device.get(), 41, buffers.pinned.get(),
                                                    43, ACL_MEMCPY_HOST_TO_DEVICE));
  const std::string text = recent_text();
  for (const char* part : {"aclrtMemcpy", "count", "41", "43"})
    EXPECT_NE(std::string::npos, text.find(part)) << part << " is not in " << text;
  EXPECT_EQ(std::string::npos, text.find('\n'));
}

}  // namespace
}  // namespace conformance::copies::aclrtMemcpy_errors_test
