// SPDX-License-Identifier: Apache-2.0
// aclrtMemset: blocking fills.
#include "support/copies.h"

#include <algorithm>

namespace conformance::copies::aclrtMemset_test {
namespace {

using AclrtMemset = WithDevice;

TEST_F(AclrtMemset, FillsExactlyTheBytesAskedFor) {
  DeviceBuffer device(300);
  for (const size_t offset : {size_t{0}, size_t{1}, size_t{63}}) {
    for (const size_t count : {size_t{1}, size_t{7}, size_t{64}, size_t{200}}) {
      device.write(pattern(300));
      EXPECT_OK(aclrtMemset(device.at(offset), 237, 0x5e, count));
      std::vector<uint8_t> expected = pattern(300);
      std::fill_n(expected.begin() + static_cast<ptrdiff_t>(offset), count, uint8_t{0x5e});
      EXPECT_EQ(expected, device.read());
    }
  }
}

TEST_F(AclrtMemset, OnlyTheLowByteOfTheValueCounts) {
  const DeviceBuffer device(16);
  const std::pair<int32_t, uint8_t> cases[] = {{0, 0},           {255, 255}, {256, 0},
                                               {0x1234, 0x34},   {-1, 255},  {INT32_MIN, 0},
                                               {INT32_MAX, 255}, {-256, 0},  {-2, 254}};
  for (const auto& [value, byte] : cases) {
    EXPECT_OK(aclrtMemset(device.get(), 16, value, 16));
    EXPECT_EQ(std::vector<uint8_t>(16, byte), device.read());
  }
}

TEST_F(AclrtMemset, FillsHostMemory) {
  PinnedBuffer pinned(100);
  pinned.fill(pattern(100));
  EXPECT_OK(aclrtMemset(pinned.bytes() + 1, 99, 0x11, 98));
  EXPECT_EQ(pattern(100)[0], pinned.bytes()[0]);
  EXPECT_EQ(98, std::count(pinned.bytes() + 1, pinned.bytes() + 99, 0x11));
  EXPECT_EQ(pattern(100)[99], pinned.bytes()[99]);
  std::vector<uint8_t> pageable(100);
  EXPECT_OK(aclrtMemset(pageable.data(), 100, 0x22, 100));
  EXPECT_EQ(std::vector<uint8_t>(100, 0x22), pageable);
}

TEST_F(AclrtMemset, FillsMoreThanAnyBlock) {
  static constexpr size_t kSize = (size_t{1} << 20) + 3;
  const DeviceBuffer device(kSize);
  EXPECT_OK(aclrtMemset(device.get(), kSize, 0x7b, kSize));
  const std::vector<uint8_t> bytes = device.read();
  EXPECT_EQ(static_cast<ptrdiff_t>(kSize), std::count(bytes.begin(), bytes.end(), 0x7b));
}

TEST_F(AclrtMemset, ACountOfZeroSucceedsBeforeAnyOtherCheck) {
  EXPECT_OK(aclrtMemset(nullptr, 0, 0, 0));
  EXPECT_OK(aclrtMemset(unmapped_address(), 5, 0, 0));
  on_new_thread([] { EXPECT_OK(aclrtMemset(nullptr, 0, 0, 0)); });
}

TEST_F(AclrtMemset, RefusesNullBeforeTheCount) {
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtMemset(nullptr, 1, 0, 2));
  on_new_thread(
      [] { EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0008", aclrtMemset(nullptr, 2, 0, 2)); });
  EXPECT_EQ(ACL_SUCCESS, last_error());
}

TEST_F(AclrtMemset, RefusesACountAboveMaxCountBeforeTheContext) {
  DeviceBuffer device(64);
  device.write(pattern(64));
  const std::pair<size_t, size_t> cases[] = {{0, 1}, {31, 32}, {63, SIZE_MAX}};
  for (const auto& [max_count, count] : cases) {
    EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtMemset(device.get(), max_count, 0, count));
  }
  EXPECT_EQ(ACL_ERROR_RT_PARAM_INVALID, last_error());
  on_new_thread(
      [&] { EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtMemset(device.get(), 31, 0, 32)); });
  EXPECT_EQ(pattern(64), device.read());
}

TEST_F(AclrtMemset, NeedsAContextBeforeItLooksAtTheRange) {
  const DeviceBuffer device(64);
  on_new_thread([&] {
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018", aclrtMemset(device.get(), 64, 0, 64));
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "EE1018", aclrtMemset(unmapped_address(), 64, 0, 64));
    EXPECT_EQ(ACL_ERROR_RT_CONTEXT_NULL, last_error());
  });
}

TEST_F(AclrtMemset, RefusesARangeOutsideItsAllocation) {
  DeviceBuffer device(64);
  PinnedBuffer pinned(64);
  const size_t room = padded(64);
  device.write(pattern(64));
  pinned.fill(pattern(64));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtMemset(device.get(), SIZE_MAX, 0, room + 1));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtMemset(device.at(1), SIZE_MAX, 0, SIZE_MAX));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtMemset(pinned.get(), SIZE_MAX, 0, 65));
  EXPECT_EQ(pattern(64), device.read());
  EXPECT_EQ(pattern(64), pinned.copy());
  EXPECT_OK(aclrtMemset(device.get(), room, 0, room));
  EXPECT_OK(aclrtMemset(pinned.get(), 64, 0, 64));
}

TEST_F(AclrtMemset, RefusesMemoryThatIsFreedOrNotMapped) {
  void* freed = nullptr;
  ASSERT_OK(aclrtMalloc(&freed, 1 << 20, ACL_MEM_MALLOC_HUGE_FIRST));
  ASSERT_OK(aclrtFree(freed));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtMemset(freed, 64, 0, 64));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtMemset(unmapped_address(), 64, 0, 64));
  HostPages pages(2);
  pages.forbid(1);
  EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID,
                    aclrtMemset(pages.at(HostPages::page() - 1), 2, 1, 2));
  EXPECT_EQ(0, *pages.at(HostPages::page() - 1));
}

TEST_F(AclrtMemset, WaitsForNoStream) {
  DeviceBuffer device(64);
  PinnedBuffer pinned(64);
  pinned.fill(pattern(64));
  Gate gate(nullptr);
  EXPECT_OK(
      aclrtMemcpyAsync(device.get(), 64, pinned.get(), 64, ACL_MEMCPY_HOST_TO_DEVICE, nullptr));
  EXPECT_OK(aclrtMemset(device.get(), 64, 9, 64));
  EXPECT_EQ(std::vector<uint8_t>(64, 9), device.read());
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(pattern(64), device.read());
}

TEST_F(AclrtMemset, ThreadsFillAtOnce) {
  const DeviceBuffer device(4 * 1000);
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtGetCurrentContext(&context));
  std::vector<std::thread> threads;
  for (size_t index = 0; index < 4; ++index) {
    threads.emplace_back([&, index] {
      EXPECT_OK(aclrtSetCurrentContext(context));
      for (int32_t round = 0; round < 50; ++round) {
        EXPECT_OK(aclrtMemset(device.at(index * 1000), 1000, round, 1000));
        EXPECT_EQ(std::vector<uint8_t>(1000, static_cast<uint8_t>(round)),
                  device.read(index * 1000, 1000));
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
}

}  // namespace
}  // namespace conformance::copies::aclrtMemset_test
