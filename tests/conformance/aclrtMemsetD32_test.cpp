// SPDX-License-Identifier: Apache-2.0
// aclrtMemsetD32: blocking fills with 32-bit words.
#include "support/memset_d32.h"

namespace conformance::copies::aclrtMemsetD32_test {
namespace {

using AclrtMemsetD32 = WithDevice;

TEST_F(AclrtMemsetD32, FillsExactlyTheWordsAskedFor) {
  DeviceBuffer device(400);
  for (const size_t offset : {size_t{0}, size_t{4}, size_t{60}}) {
    for (const size_t count : {size_t{1}, size_t{2}, size_t{17}, size_t{85}}) {
      device.write(pattern(400));
      EXPECT_OK(aclrtMemsetD32(device.at(offset), 340, 0x12345678, count));
      std::vector<uint32_t> expected = words_of(pattern(400));
      std::fill_n(expected.begin() + static_cast<ptrdiff_t>(offset / 4), count, 0x12345678u);
      EXPECT_EQ(expected, words_of(device.read()));
    }
  }
}

TEST_F(AclrtMemsetD32, AllBitsOfTheValueCount) {
  const DeviceBuffer device(40);
  for (const uint32_t value : {0u, 1u, 0xFFFFFFFFu, 0x80000001u}) {
    EXPECT_OK(aclrtMemsetD32(device.get(), 40, value, 10));
    EXPECT_EQ(std::vector<uint32_t>(10, value), words_of(device.read()));
  }
}

TEST_F(AclrtMemsetD32, FillsPinnedMemory) {
  PinnedBuffer pinned(64);
  EXPECT_OK(aclrtMemsetD32(pinned.get(), 64, 0xdeadbeef, 16));
  EXPECT_EQ(std::vector<uint32_t>(16, 0xdeadbeef), words_of(pinned.copy()));
}

TEST_F(AclrtMemsetD32, NoWordsSucceedsBeforeAnyOtherCheck) {
  std::vector<uint8_t> pageable(8);
  EXPECT_OK(aclrtMemsetD32(nullptr, 0, 0, 0));
  EXPECT_OK(aclrtMemsetD32(pageable.data() + 1, 0, 0, 0));
  on_new_thread([] { EXPECT_OK(aclrtMemsetD32(nullptr, 0, 0, 0)); });
}

TEST_F(AclrtMemsetD32, RefusesArgumentsInTheirOrder) {
  const DeviceBuffer device(64);
  std::vector<uint32_t> pageable(16);
  auto* const bytes = reinterpret_cast<uint8_t*>(pageable.data());  // NOLINT: to misalign it
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtMemsetD32(nullptr, 0, 0, 1));
  EXPECT_EQ(ACL_ERROR_INVALID_PARAM, aclrtMemsetD32(bytes + 1, 0, 0, 1));
  const std::string unaligned = recent_text();
  EXPECT_EQ(std::string::npos, unaligned.find("memSize")) << unaligned;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0009", aclrtMemsetD32(pageable.data(), 3, 0, 1));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH9999", aclrtMemsetD32(pageable.data(), 4, 0, 1));
  on_new_thread([&] {
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH9999", aclrtMemsetD32(pageable.data(), 4, 0, 1));
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018", aclrtMemsetD32(device.get(), 4, 0, 1));
    EXPECT_EQ(ACL_ERROR_RT_CONTEXT_NULL, last_error());
  });
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

TEST_F(AclrtMemsetD32, RefusesAnAddressThatIsNotAMultipleOf4) {
  const DeviceBuffer device(64);
  for (const size_t offset : {size_t{1}, size_t{2}, size_t{3}, size_t{5}}) {
    EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, aclrtMemsetD32(device.at(offset), 32, 0, 1));
  }
}

TEST_F(AclrtMemsetD32, RefusesMoreWordsThanMemSizeHolds) {
  DeviceBuffer device(64);
  device.write(pattern(64));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0009", aclrtMemsetD32(device.get(), 0, 0, 1));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0009", aclrtMemsetD32(device.get(), 63, 0, 16));
  for (const size_t count : kTooManyWords) {
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0009",
                 aclrtMemsetD32(device.get(), SIZE_MAX, 0, count));
  }
  EXPECT_EQ(pattern(64), device.read());
  EXPECT_OK(aclrtMemsetD32(device.get(), 64, 0, 16));
}

TEST_F(AclrtMemsetD32, RefusesMemoryThatIsFreedOrNotMapped) {
  void* freed = nullptr;
  ASSERT_OK(aclrtMalloc(&freed, 1 << 20, ACL_MEM_MALLOC_HUGE_FIRST));
  ASSERT_OK(aclrtFree(freed));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH9999", aclrtMemsetD32(freed, 64, 0, 16));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH9999", aclrtMemsetD32(unmapped_address(), 64, 0, 16));
}

TEST_F(AclrtMemsetD32, RefusesARangeOutsideItsAllocation) {
  DeviceBuffer device(64);
  PinnedBuffer pinned(64);
  device.write(pattern(64));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID,
                    aclrtMemsetD32(device.get(), SIZE_MAX, 0, padded(64) / 4 + 1));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtMemsetD32(pinned.get(), SIZE_MAX, 0, 17));
  EXPECT_EQ(pattern(64), device.read());
  EXPECT_OK(aclrtMemsetD32(device.get(), SIZE_MAX, 0, padded(64) / 4));
}

TEST_F(AclrtMemsetD32, WaitsForNoStream) {
  const DeviceBuffer device(64);
  Gate gate(nullptr);
  EXPECT_OK(aclrtMemsetAsync(device.get(), 64, 0, 64, nullptr));
  EXPECT_OK(aclrtMemsetD32(device.get(), 64, 0x01020304, 16));
  EXPECT_EQ(std::vector<uint32_t>(16, 0x01020304), words_of(device.read()));
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
}

TEST_F(AclrtMemsetD32, ThreadsFillAtOnce) {
  const DeviceBuffer device(4 * 400);
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtGetCurrentContext(&context));
  std::vector<std::thread> threads;
  for (uint32_t index = 0; index < 4; ++index) {
    threads.emplace_back([&, index] {
      EXPECT_OK(aclrtSetCurrentContext(context));
      for (uint32_t round = 0; round < 50; ++round) {
        EXPECT_OK(aclrtMemsetD32(device.at(index * 400), 400, index * 1000 + round, 100));
        EXPECT_EQ(std::vector<uint32_t>(100, index * 1000 + round),
                  words_of(device.read(index * 400, 400)));
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
}

FERRY_PROCESS_TEST(AclrtMemsetD32Products, EarlierOnesLackIt, "FERRY_SOC=Ascend310P3") {
  ASSERT_OK(aclrtSetDevice(0));
  {
    const DeviceBuffer device(64);
    std::vector<uint32_t> pageable(16);
    EXPECT_FAILS_WITH(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclrtMemsetD32(device.get(), 64, 0, 16));
    // Checked after the arguments and before the context.
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH9999", aclrtMemsetD32(pageable.data(), 64, 0, 16));
    EXPECT_OK(aclrtMemsetD32(device.get(), 64, 0, 0));
    on_new_thread([&] {
      EXPECT_FAILS_WITH(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclrtMemsetD32(device.get(), 64, 0, 16));
    });
  }
  EXPECT_OK(aclrtResetDevice(0));
}

}  // namespace
}  // namespace conformance::copies::aclrtMemsetD32_test
