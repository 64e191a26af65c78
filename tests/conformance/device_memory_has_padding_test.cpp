// SPDX-License-Identifier: Apache-2.0
// The padding of device memory, for every kind of copy: copies up to its end succeed, one byte more
// is refused. What each allocator adds is in that allocator's test.
#include "support/device_allocator.h"

namespace conformance::memory::device_memory_has_padding_test {
namespace {

using DeviceMemoryHasPadding = WithStream;

// 100 bytes rounded up to a multiple of 32, plus 32.
constexpr size_t kSize = 100;
constexpr size_t kUsable = 160;

TEST_F(DeviceMemoryHasPadding, CopiesBetweenAllocationsReachItsEnd) {
  const DeviceBuffer from(kSize);
  const DeviceBuffer to(kSize);
  const DeviceBuffer large(1000);
  EXPECT_OK(aclrtMemset(from.get(), kUsable, 0, kUsable));
  EXPECT_OK(aclrtMemset(large.get(), 1000, 0, 1000));
  EXPECT_OK(aclrtMemcpy(to.get(), kUsable, from.get(), kUsable, ACL_MEMCPY_DEVICE_TO_DEVICE));
  EXPECT_FAILS_WITH(
      ACL_ERROR_RT_PARAM_INVALID,
      aclrtMemcpy(large.get(), 1000, from.get(), kUsable + 1, ACL_MEMCPY_DEVICE_TO_DEVICE));
  EXPECT_FAILS_WITH(
      ACL_ERROR_RT_PARAM_INVALID,
      aclrtMemcpy(to.get(), 1000, large.get(), kUsable + 1, ACL_MEMCPY_DEVICE_TO_DEVICE));
}

TEST_F(DeviceMemoryHasPadding, EveryStartIsJudgedByTheSameEnd) {
  const DeviceBuffer device(kSize);
  std::vector<uint8_t> host(kUsable + 1);
  for (size_t offset = 0; offset < kUsable; ++offset) {
    const size_t rest = kUsable - offset;
    EXPECT_OK(aclrtMemcpy(device.at(offset), rest, host.data(), rest, ACL_MEMCPY_HOST_TO_DEVICE));
    EXPECT_FAILS_WITH(
        ACL_ERROR_RT_PARAM_INVALID,
        aclrtMemcpy(device.at(offset), rest + 1, host.data(), rest + 1, ACL_MEMCPY_HOST_TO_DEVICE));
  }
}

TEST_F(DeviceMemoryHasPadding, HugeCountsDoNotWrapAround) {
  const DeviceBuffer device(kSize);
  std::vector<uint8_t> host(kSize);
  for (const size_t count : {SIZE_MAX, SIZE_MAX - 63, size_t{1} << 63, size_t{1} << 48}) {
    EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtMemcpy(host.data(), SIZE_MAX, device.get(),
                                                              count, ACL_MEMCPY_DEVICE_TO_HOST));
    EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID, aclrtMemset(device.get(), SIZE_MAX, 0, count));
  }
}

TEST_F(DeviceMemoryHasPadding, ARefusedCopyChangesNothing) {
  DeviceBuffer device(kSize);
  device.write(pattern(kSize));
  const std::vector<uint8_t> host(kUsable + 1, 0);
  EXPECT_FAILS_WITH(
      ACL_ERROR_RT_PARAM_INVALID,
      aclrtMemcpy(device.get(), kUsable + 1, host.data(), kUsable + 1, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_EQ(device.read(), pattern(kSize));
  std::vector<uint8_t> back(kUsable + 1, 9);
  EXPECT_FAILS_WITH(
      ACL_ERROR_RT_PARAM_INVALID,
      aclrtMemcpy(back.data(), kUsable + 1, device.get(), kUsable + 1, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_EQ(back, std::vector<uint8_t>(kUsable + 1, 9));
}

TEST_F(DeviceMemoryHasPadding, QueuedWorkIsJudgedWhenItRuns) {
  const DeviceBuffer device(kSize);
  const PinnedBuffer host(kUsable + 1);
  EXPECT_OK(aclrtMemsetAsync(device.get(), kUsable, 1, kUsable, stream_));
  EXPECT_OK(aclrtMemcpyAsync(host.get(), kUsable, device.get(), kUsable, ACL_MEMCPY_DEVICE_TO_HOST,
                             stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));

  EXPECT_OK(aclrtMemcpyAsync(host.get(), kUsable + 1, device.get(), kUsable + 1,
                             ACL_MEMCPY_DEVICE_TO_HOST, stream_));
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_ERROR_RT_TS_ERROR);
  EXPECT_NE(recent_text().find("aclrtMemcpyAsync"), std::string::npos);
  EXPECT_OK(aclrtMemsetAsync(device.get(), kUsable + 1, 1, kUsable + 1, stream_));
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_ERROR_RT_TS_ERROR);
  EXPECT_NE(recent_text().find("aclrtMemsetAsync"), std::string::npos);
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(DeviceMemoryHasPadding, ARangeMayNotSpanTwoAllocations) {
  // Many neighbours, so that some are adjacent if any can be.
  std::vector<void*> pieces(64);
  for (void*& piece : pieces)
    ASSERT_OK(aclrtMallocAlign32(&piece, 4096, kAnyPolicy));
  std::vector<uint8_t> host(8192);
  for (void* piece : pieces) {
    EXPECT_FAILS_WITH(ACL_ERROR_RT_PARAM_INVALID,
                      aclrtMemcpy(host.data(), 8192, piece, 8192, ACL_MEMCPY_DEVICE_TO_HOST));
  }
  for (void* piece : pieces)
    EXPECT_OK(aclrtFree(piece));
}

}  // namespace
}  // namespace conformance::memory::device_memory_has_padding_test
