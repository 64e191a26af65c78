// SPDX-License-Identifier: Apache-2.0
// aclrtSetMemcpyDesc: writes a copy descriptor into device memory. Using it is tested in
// aclrtMemcpyAsyncWithDesc_test.cpp.
#include "support/copies.h"

#include <algorithm>
#include <cstring>

namespace conformance::copies::aclrtSetMemcpyDesc_test {
namespace {

constexpr aclrtMemcpyKind kKind = ACL_MEMCPY_INNER_DEVICE_TO_DEVICE;
constexpr size_t kLargest = size_t{1} << 32;

class AclrtSetMemcpyDesc : public WithDevice {
 protected:
  struct Buffers {
    DeviceBuffer desc{256};
    DeviceBuffer src{256};
    DeviceBuffer dst{256};
    PinnedBuffer pinned{256};
    std::vector<uint8_t> pageable = std::vector<uint8_t>(256);
  };
};

// The descriptor as the device sees it.
struct Descriptor {
  uint32_t reserved[3];
  uint32_t length;
  uint64_t src;
  uint64_t dst;
};
static_assert(sizeof(Descriptor) == 32);

Descriptor read(const DeviceBuffer& buffer) {
  Descriptor descriptor = {};
  const std::vector<uint8_t> bytes = buffer.read(0, sizeof descriptor);
  std::memcpy(&descriptor, bytes.data(), sizeof descriptor);
  return descriptor;
}

uint64_t number(const void* address) {
  return reinterpret_cast<uintptr_t>(address);  // NOLINT: the descriptor holds numbers
}

TEST_F(AclrtSetMemcpyDesc, WritesLengthAndAddresses) {
  Buffers buffers;
  buffers.desc.write(pattern(256));
  EXPECT_OK(aclrtSetMemcpyDesc(buffers.desc.get(), kKind, buffers.src.at(3), buffers.dst.at(5), 77,
                               nullptr));
  const Descriptor descriptor = read(buffers.desc);
  EXPECT_EQ(77u, descriptor.length);
  EXPECT_EQ(number(buffers.src.at(3)), descriptor.src);
  EXPECT_EQ(number(buffers.dst.at(5)), descriptor.dst);
  const std::vector<uint8_t> before = pattern(256);
  const std::vector<uint8_t> after = buffers.desc.read(32, 224);
  EXPECT_TRUE(std::equal(after.begin(), after.end(), before.begin() + 32));
}

TEST_F(AclrtSetMemcpyDesc, ALengthOf4GiBIsStoredAsZero) {
  const Buffers buffers;
  EXPECT_OK(aclrtSetMemcpyDesc(buffers.desc.get(), kKind, buffers.src.get(), buffers.dst.get(),
                               kLargest, nullptr));
  EXPECT_EQ(0u, read(buffers.desc).length);
  EXPECT_OK(aclrtSetMemcpyDesc(buffers.desc.get(), kKind, buffers.src.get(), buffers.dst.get(),
                               kLargest - 1, nullptr));
  EXPECT_EQ(UINT32_MAX, read(buffers.desc).length);
}

TEST_F(AclrtSetMemcpyDesc, WaitsForNoStream) {
  const Buffers buffers;
  Gate gate(nullptr);
  EXPECT_OK(aclrtMemsetAsync(buffers.desc.get(), 256, 0, 256, nullptr));
  EXPECT_OK(aclrtSetMemcpyDesc(buffers.desc.get(), kKind, buffers.src.get(), buffers.dst.get(), 9,
                               nullptr));
  EXPECT_EQ(9u, read(buffers.desc).length);
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
}

TEST_F(AclrtSetMemcpyDesc, TakesEveryPlaceThatIsAMultipleOf64) {
  const Buffers buffers;
  for (const size_t offset : {size_t{0}, size_t{64}, size_t{128}, size_t{192}}) {
    EXPECT_OK(aclrtSetMemcpyDesc(buffers.desc.at(offset), kKind, buffers.src.get(),
                                 buffers.dst.get(), 1, nullptr));
  }
}

TEST_F(AclrtSetMemcpyDesc, RefusesArgumentsInTheirOrder) {
  Buffers buffers;
  void* const desc = buffers.desc.get();
  void* const src = buffers.src.get();
  void* const dst = buffers.dst.get();
  int config = 0;
  // Each call corrects one argument; the next wrong one decides.
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
               aclrtSetMemcpyDesc(nullptr, kind_of(8), nullptr, nullptr, 0, &config));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0007",
               aclrtSetMemcpyDesc(desc, kind_of(8), nullptr, nullptr, 0, &config));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008",
               aclrtSetMemcpyDesc(desc, kind_of(3), nullptr, nullptr, 0, &config));
  EXPECT_EQ(ACL_ERROR_INVALID_PARAM,
            aclrtSetMemcpyDesc(desc, kind_of(3), nullptr, nullptr, 0, &config));
  EXPECT_TRUE(text_has("srcAddr"));
  EXPECT_EQ(ACL_ERROR_INVALID_PARAM,
            aclrtSetMemcpyDesc(desc, kind_of(3), src, nullptr, 0, &config));
  EXPECT_TRUE(text_has("dstAddr"));
  EXPECT_EQ(ACL_ERROR_INVALID_PARAM, aclrtSetMemcpyDesc(desc, kind_of(3), src, dst, 0, &config));
  EXPECT_TRUE(text_has("count"));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0012",
               aclrtSetMemcpyDesc(desc, kind_of(3), src, dst, kLargest + 1, &config));
  EXPECT_EQ(ACL_SUCCESS, last_error());
  EXPECT_FAILS_WITH(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                    aclrtSetMemcpyDesc(desc, kind_of(3), src, dst, kLargest + 1, nullptr));
  EXPECT_FAILS(
      ACL_ERROR_RT_PARAM_INVALID, "EE1003",
      aclrtSetMemcpyDesc(buffers.pinned.bytes() + 1, kKind, src, dst, kLargest + 1, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1011",
               aclrtSetMemcpyDesc(buffers.pinned.bytes() + 1, kKind, src, dst, kLargest, nullptr));
}

TEST_F(AclrtSetMemcpyDesc, RefusesACountOfZeroAndAConfiguration) {
  const Buffers buffers;
  int config = 0;
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM,
                    aclrtSetMemcpyDesc(buffers.desc.get(), kKind, buffers.src.get(),
                                       buffers.dst.get(), 0, nullptr));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0012",
               aclrtSetMemcpyDesc(buffers.desc.get(), kKind, buffers.src.get(), buffers.dst.get(),
                                  1, &config));
}

TEST_F(AclrtSetMemcpyDesc, RefusesAKindOutOfRange) {
  const Buffers buffers;
  for (const int kind : {8, -1, 0x7FFFFFFF}) {
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0007",
                 aclrtSetMemcpyDesc(buffers.desc.get(), kind_of(kind), buffers.src.get(),
                                    buffers.dst.get(), 1, nullptr));
  }
}

TEST_F(AclrtSetMemcpyDesc, OtherKindsAreNotSupported) {
  const Buffers buffers;
  clear_errors();
  for (const int kind : {0, 1, 2, 3, 4, 5, 7}) {
    EXPECT_FAILS_WITH(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                      aclrtSetMemcpyDesc(buffers.desc.get(), kind_of(kind), buffers.src.get(),
                                         buffers.dst.get(), 1, nullptr));
  }
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

TEST_F(AclrtSetMemcpyDesc, RefusesMoreThan4GiB) {
  const Buffers buffers;
  for (const size_t count : {kLargest + 1, SIZE_MAX}) {
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
                 aclrtSetMemcpyDesc(buffers.desc.get(), kKind, buffers.src.get(), buffers.dst.get(),
                                    count, nullptr));
  }
  EXPECT_EQ(ACL_ERROR_RT_PARAM_INVALID, last_error());
}

TEST_F(AclrtSetMemcpyDesc, RefusesADescriptorThatIsNotAMultipleOf64) {
  const Buffers buffers;
  for (const size_t offset : {size_t{1}, size_t{8}, size_t{32}, size_t{63}, size_t{65}}) {
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1011",
                 aclrtSetMemcpyDesc(buffers.desc.at(offset), kKind, buffers.src.get(),
                                    buffers.dst.get(), 1, nullptr));
  }
}

TEST_F(AclrtSetMemcpyDesc, RefusesADescriptorOutsideDeviceMemory) {
  const Buffers buffers;
  const HostPages pages(1);
  const auto check = [&](void* desc) {
    EXPECT_FAILS_WITH(
        ACL_ERROR_RT_PARAM_INVALID,
        aclrtSetMemcpyDesc(desc, kKind, buffers.src.get(), buffers.dst.get(), 1, nullptr));
  };
  check(buffers.pinned.get());
  check(pages.at(0));
  check(unmapped_address());
  void* freed = nullptr;
  ASSERT_OK(aclrtMalloc(&freed, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  ASSERT_OK(aclrtFree(freed));
  check(freed);
}

TEST_F(AclrtSetMemcpyDesc, RefusesADescriptorPastTheEndOfItsAllocation) {
  const Buffers buffers;
  void* desc = nullptr;
  ASSERT_OK(aclrtMallocAlign32(&desc, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID,
                    aclrtSetMemcpyDesc(static_cast<char*>(desc) + 64, kKind, buffers.src.get(),
                                       buffers.dst.get(), 1, nullptr));
  EXPECT_OK(aclrtFree(desc));
}

TEST_F(AclrtSetMemcpyDesc, RefusesAddressesOutsideDeviceMemory) {
  Buffers buffers;
  for (void* const host :
       {buffers.pinned.get(), static_cast<void*>(buffers.pageable.data()), unmapped_address()}) {
    EXPECT_FAILS(
        ACL_ERROR_RT_PARAM_INVALID, "EE1017",
        aclrtSetMemcpyDesc(buffers.desc.get(), kKind, host, buffers.dst.get(), 1, nullptr));
    EXPECT_FAILS(
        ACL_ERROR_RT_PARAM_INVALID, "EE1017",
        aclrtSetMemcpyDesc(buffers.desc.get(), kKind, buffers.src.get(), host, 1, nullptr));
  }
}

TEST_F(AclrtSetMemcpyDesc, NeedsAContextAfterAllOtherChecks) {
  const Buffers buffers;
  on_new_thread([&] {
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
                 aclrtSetMemcpyDesc(buffers.desc.get(), kKind, buffers.src.get(), buffers.dst.get(),
                                    1, nullptr));
    EXPECT_EQ(ACL_ERROR_RT_CONTEXT_NULL, last_error());
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1017",
                 aclrtSetMemcpyDesc(buffers.desc.get(), kKind, buffers.pinned.get(),
                                    buffers.dst.get(), 1, nullptr));
  });
}

TEST_F(AclrtSetMemcpyDesc, AFailureLeavesTheDescriptorAsItWas) {
  Buffers buffers;
  buffers.desc.write(pattern(256));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID,
                    aclrtSetMemcpyDesc(buffers.desc.get(), kKind, buffers.pinned.get(),
                                       buffers.dst.get(), 1, nullptr));
  on_new_thread([&] {
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
                 aclrtSetMemcpyDesc(buffers.desc.get(), kKind, buffers.src.get(), buffers.dst.get(),
                                    1, nullptr));
  });
  EXPECT_EQ(pattern(256), buffers.desc.read());
}

TEST_F(AclrtSetMemcpyDesc, ThreadsWriteAtOnce) {
  const Buffers buffers;
  const DeviceBuffer descs(4 * 64);
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtGetCurrentContext(&context));
  std::vector<std::thread> threads;
  for (size_t index = 0; index < 4; ++index) {
    threads.emplace_back([&, index] {
      EXPECT_OK(aclrtSetCurrentContext(context));
      for (size_t count = 1; count <= 100; ++count) {
        EXPECT_OK(aclrtSetMemcpyDesc(descs.at(index * 64), kKind, buffers.src.get(),
                                     buffers.dst.get(), count, nullptr));
        uint32_t length = 0;
        EXPECT_OK(aclrtMemcpy(&length, 4, descs.at(index * 64 + 12), 4, ACL_MEMCPY_DEFAULT));
        EXPECT_EQ(count, length);
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
}

FERRY_PROCESS_TEST(AclrtSetMemcpyDescProducts, RefusesAddressesOnTwoDevices, "FERRY_DEVICES=cpu:2",
                   "FERRY_SOC=Ascend910_9391") {
  TwoDevices devices(64);
  const DeviceBuffer desc(64);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1017",
               aclrtSetMemcpyDesc(desc.get(), kKind, devices.buffer(1).get(),
                                  devices.buffer(0).get(), 1, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1017",
               aclrtSetMemcpyDesc(desc.get(), kKind, devices.buffer(0).get(),
                                  devices.buffer(1).get(), 1, nullptr));
}

FERRY_PROCESS_TEST(AclrtSetMemcpyDescProducts, EarlierOnesHaveNoDescriptors,
                   "FERRY_SOC=Ascend310B1") {
  ASSERT_OK(aclrtSetDevice(0));
  {
    const DeviceBuffer desc(64);
    const DeviceBuffer data(64);
    EXPECT_FAILS_WITH(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                      aclrtSetMemcpyDesc(desc.get(), kKind, data.get(), data.at(32), 32, nullptr));
    EXPECT_EQ(ACL_SUCCESS, last_error());
    EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM,
                      aclrtSetMemcpyDesc(desc.get(), kKind, data.get(), data.at(32), 0, nullptr));
  }
  EXPECT_OK(aclrtResetDevice(0));
}

}  // namespace
}  // namespace conformance::copies::aclrtSetMemcpyDesc_test
