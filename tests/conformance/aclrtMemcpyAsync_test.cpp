// SPDX-License-Identifier: Apache-2.0
// aclrtMemcpyAsync and its twin: order, blocking and what is captured. Refusals are in
// aclrtMemcpyAsync_errors_test.cpp, the meaning of kinds in aclrtMemcpyAsync_matrix_test.cpp.
#include "support/copies.h"

#include <algorithm>
#include <cstring>

namespace conformance::copies::aclrtMemcpyAsync_test {
namespace {

using AclrtMemcpyAsync = WithAsyncCopy;

TEST_P(AclrtMemcpyAsync, CopiesEverySizeFromEveryAddress) {
  PinnedBuffer sent(5000);
  PinnedBuffer received(5000);
  const DeviceBuffer device(5000);
  sent.fill(pattern(5000));
  for (const size_t offset : {size_t{0}, size_t{1}, size_t{63}}) {
    for (const size_t count : {size_t{1}, size_t{2}, size_t{64}, size_t{4095}, size_t{4900}}) {
      std::fill_n(received.bytes(), 5000, uint8_t{0});
      EXPECT_OK(
          copy(device.at(offset), sent.bytes() + 3, count, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
      EXPECT_OK(
          copy(received.bytes() + 5, device.at(offset), count, ACL_MEMCPY_DEVICE_TO_HOST, stream_));
      EXPECT_OK(aclrtSynchronizeStream(stream_));
      EXPECT_TRUE(std::equal(sent.bytes() + 3, sent.bytes() + 3 + count, received.bytes() + 5));
      EXPECT_EQ(0, received.bytes()[4]);
      EXPECT_EQ(0, received.bytes()[5 + count]);
    }
  }
}

TEST_P(AclrtMemcpyAsync, KeepsTheOrderOfTheStream) {
  PinnedBuffer first(256);
  PinnedBuffer second(256);
  PinnedBuffer result(256);
  const DeviceBuffer a(256);
  const DeviceBuffer b(256);
  first.fill(pattern(256, 1));
  second.fill(pattern(256, 2));
  Gate gate(stream_);
  EXPECT_OK(copy(a.get(), first.get(), 256, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  EXPECT_OK(copy(b.get(), a.get(), 256, ACL_MEMCPY_DEVICE_TO_DEVICE, stream_));
  EXPECT_OK(copy(a.get(), second.get(), 256, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  EXPECT_OK(copy(result.get(), b.get(), 256, ACL_MEMCPY_DEVICE_TO_HOST, stream_));
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(pattern(256, 1), result.copy());
  EXPECT_EQ(pattern(256, 2), a.read());
}

TEST_P(AclrtMemcpyAsync, ReadsTheSourceWhenTheCopyRuns) {
  PinnedBuffer source(64);
  const DeviceBuffer device(64);
  source.fill(pattern(64, 1));
  Gate gate(stream_);
  EXPECT_OK(copy(device.get(), source.get(), 64, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  source.fill(pattern(64, 2));
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(pattern(64, 2), device.read());
}

TEST_P(AclrtMemcpyAsync, StreamsDoNotWaitForEachOther) {
  aclrtStream other = nullptr;
  ASSERT_OK(aclrtCreateStream(&other));
  {
    PinnedBuffer source(64);
    const DeviceBuffer a(64);
    DeviceBuffer b(64);
    source.fill(pattern(64, 1));
    b.write(pattern(64, 2));
    Gate gate(stream_);
    EXPECT_OK(copy(b.get(), source.get(), 64, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
    EXPECT_OK(copy(a.get(), source.get(), 64, ACL_MEMCPY_HOST_TO_DEVICE, other));
    EXPECT_OK(aclrtSynchronizeStream(other));
    EXPECT_EQ(pattern(64, 1), a.read());
    EXPECT_EQ(pattern(64, 2), b.read());
    gate.open();
    EXPECT_OK(aclrtSynchronizeStream(stream_));
  }
  EXPECT_OK(aclrtDestroyStream(other));
}

TEST_P(AclrtMemcpyAsync, NullNamesTheDefaultStreamOfTheContext) {
  PinnedBuffer source(64);
  DeviceBuffer device(64);
  source.fill(pattern(64, 1));
  device.write(pattern(64, 2));
  aclrtStream default_stream = nullptr;
  ASSERT_OK(aclrtCtxGetCurrentDefaultStream(&default_stream));
  Gate gate(default_stream);
  EXPECT_OK(copy(device.get(), source.get(), 64, ACL_MEMCPY_HOST_TO_DEVICE, nullptr));
  // An explicit stream is not blocked by the default stream.
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(pattern(64, 2), device.read());
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(pattern(64, 1), device.read());
}

TEST_P(AclrtMemcpyAsync, PageableMemoryWithNullWaitsForTheDefaultStream) {
  const DeviceBuffer device(64);
  std::vector<uint8_t> host(64);
  Gate gate(nullptr);
  EXPECT_OK(aclrtMemsetAsync(device.get(), 64, 0x77, 64, nullptr));
  CallOnThread call(
      [&] { return copy(host.data(), device.get(), 64, ACL_MEMCPY_DEFAULT, nullptr); });
  EXPECT_FALSE(call.has_returned());
  gate.open();
  EXPECT_EQ(ACL_SUCCESS, call.result()) << call.text();
  EXPECT_EQ(std::vector<uint8_t>(64, 0x77), host);
}

TEST_P(AclrtMemcpyAsync, PageableMemoryBelongsToTheCallerAgainAfterTheCall) {
  const DeviceBuffer device(200);
  {
    std::vector<uint8_t> source = pattern(200, 1);
    EXPECT_OK(copy(device.get(), source.data(), 200, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
    std::fill(source.begin(), source.end(), uint8_t{0});
  }
  EXPECT_EQ(pattern(200, 1), device.read());
}

TEST_P(AclrtMemcpyAsync, PageableMemoryGetsTheFailureOfAnEarlierTask) {
  DeviceBuffer device(64);
  device.write(pattern(64, 2));
  std::vector<uint8_t> host = pattern(64, 1);
  Gate gate(stream_);
  EXPECT_OK(aclrtMemsetAsync(device.get(), 1000, 0, 1000, stream_));
  gate.open();
  clear_errors();
  const aclError result = copy(device.get(), host.data(), 64, ACL_MEMCPY_HOST_TO_DEVICE, stream_);
  EXPECT_EQ(ACL_ERROR_RT_TS_ERROR, result);
  EXPECT_TRUE(text_has("aclrtMemsetAsync"));
  EXPECT_EQ(ACL_ERROR_RT_TS_ERROR, last_error());
  EXPECT_EQ(pattern(64, 2), device.read()) << "copied after a failure";
  // The call has fetched the failure, as a synchronisation would.
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_OK(copy(device.get(), host.data(), 64, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  EXPECT_EQ(pattern(64, 1), device.read());
}

TEST_P(AclrtMemcpyAsync, ThroughABufferTheSourceIsFreeAfterTheCall) {
  for (const size_t size : {size_t{1}, size_t{3000}, size_t{2} << 20}) {
    const DeviceBuffer from_pinned(size);
    const DeviceBuffer from_pageable(size);
    const std::vector<uint8_t> sent = pattern(size);
    Gate gate(stream_);
    {
      PinnedBuffer pinned(size);
      pinned.fill(sent);
      EXPECT_OK(
          copy(from_pinned.get(), pinned.get(), size, ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE, stream_));
      std::fill_n(pinned.bytes(), size, uint8_t{0});
      std::vector<uint8_t> pageable = sent;
      EXPECT_OK(copy(from_pageable.get(), pageable.data(), size, ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE,
                     stream_));
      std::fill(pageable.begin(), pageable.end(), uint8_t{0});
    }
    gate.open();
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_TRUE(sent == from_pinned.read());
    EXPECT_TRUE(sent == from_pageable.read());
  }
}

TEST_P(AclrtMemcpyAsync, ThroughABufferTheCopyIsQueuedLikeAnyOther) {
  DeviceBuffer device(64);
  device.write(pattern(64, 2));
  const std::vector<uint8_t> host = pattern(64, 1);
  Gate gate(stream_);
  EXPECT_OK(aclrtMemsetAsync(device.get(), 64, 0, 64, stream_));
  EXPECT_OK(copy(device.get(), host.data(), 64, ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE, stream_));
  EXPECT_EQ(pattern(64, 2), device.read());
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(host, device.read());
}

TEST_P(AclrtMemcpyAsync, ThroughABufferManyCopiesKeepTheirOwnBytes) {
  static constexpr size_t kCopies = 200;
  const DeviceBuffer device(kCopies * 32);
  std::vector<uint8_t> host(32);
  Gate gate(stream_);
  for (size_t index = 0; index < kCopies; ++index) {
    host = pattern(32, static_cast<uint8_t>(index));
    EXPECT_OK(
        copy(device.at(index * 32), host.data(), 32, ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE, stream_));
  }
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  for (size_t index = 0; index < kCopies; ++index)
    EXPECT_EQ(pattern(32, static_cast<uint8_t>(index)), device.read(index * 32, 32));
}

TEST_P(AclrtMemcpyAsync, CopiesMoreThanOneTaskHolds) {
  static constexpr size_t kSize = (size_t{64} << 20) + 4097;
  PinnedBuffer source(kSize);
  const DeviceBuffer device(kSize);
  const DeviceBuffer twin(kSize);
  PinnedBuffer result(kSize);
  // A prime number of bytes repeatedly, so that no two tasks hold the same bytes.
  const std::vector<uint8_t> piece = pattern(65537);
  for (size_t offset = 0; offset < kSize; offset += piece.size())
    std::copy_n(piece.begin(), std::min(piece.size(), kSize - offset), source.bytes() + offset);
  Gate gate(stream_);
  EXPECT_OK(copy(device.get(), source.get(), kSize, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  EXPECT_OK(copy(twin.get(), device.get(), kSize, ACL_MEMCPY_DEVICE_TO_DEVICE, stream_));
  EXPECT_OK(copy(result.get(), twin.get(), kSize, ACL_MEMCPY_DEVICE_TO_HOST, stream_));
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(0, std::memcmp(source.get(), result.get(), kSize));
}

TEST_P(AclrtMemcpyAsync, OverlappingRangesStayInsideTheDestination) {
  DeviceBuffer device(300);
  const std::vector<uint8_t> before = pattern(300);
  device.write(before);
  EXPECT_OK(copy(device.at(50), device.at(10), 200, ACL_MEMCPY_DEVICE_TO_DEVICE, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  const std::vector<uint8_t> after = device.read();
  EXPECT_TRUE(std::equal(before.begin(), before.begin() + 50, after.begin()));
  EXPECT_TRUE(std::equal(before.begin() + 250, before.end(), after.begin() + 250));
}

TEST_P(AclrtMemcpyAsync, ThreadsQueueOnOneStreamAtOnce) {
  static constexpr size_t kThreads = 4;
  static constexpr size_t kRounds = 100;
  static constexpr size_t kSize = 333;
  PinnedBuffer source(kThreads * kRounds * kSize);
  const DeviceBuffer device(source.size());
  source.fill(pattern(source.size()));
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtGetCurrentContext(&context));
  std::vector<std::thread> threads;
  for (size_t index = 0; index < kThreads; ++index) {
    threads.emplace_back([&, index] {
      EXPECT_OK(aclrtSetCurrentContext(context));
      for (size_t round = 0; round < kRounds; ++round) {
        const size_t offset = (index * kRounds + round) * kSize;
        EXPECT_OK(copy(device.at(offset), source.bytes() + offset, kSize, ACL_MEMCPY_HOST_TO_DEVICE,
                       stream_));
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(source.copy(), device.read());
}

TEST_P(AclrtMemcpyAsync, ThreadsCopyPageableMemoryOnOneStreamAtOnce) {
  static constexpr size_t kSize = 777;
  const DeviceBuffer device(4 * kSize);
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtGetCurrentContext(&context));
  std::vector<std::thread> threads;
  for (size_t index = 0; index < 4; ++index) {
    threads.emplace_back([&, index] {
      EXPECT_OK(aclrtSetCurrentContext(context));
      void* const place = device.at(index * kSize);
      std::vector<uint8_t> received(kSize);
      for (size_t round = 0; round < 30; ++round) {
        const std::vector<uint8_t> sent = pattern(kSize, static_cast<uint8_t>(index * 30 + round));
        EXPECT_OK(copy(place, sent.data(), kSize, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
        EXPECT_OK(copy(received.data(), place, kSize, ACL_MEMCPY_DEVICE_TO_HOST, stream_));
        EXPECT_EQ(sent, received);
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
}

TEST_P(AclrtMemcpyAsync, ManyCopiesCanBeQueuedBehindOne) {
  static constexpr size_t kCopies = 5000;
  PinnedBuffer source(kCopies);
  const DeviceBuffer device(kCopies);
  source.fill(pattern(kCopies));
  Gate gate(stream_);
  for (size_t index = 0; index < kCopies; ++index)
    ASSERT_OK(
        copy(device.at(index), source.bytes() + index, 1, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(source.copy(), device.read());
}

INSTANTIATE_TEST_SUITE_P(, AclrtMemcpyAsync, ::testing::ValuesIn(kAsyncCopyForms), FormName());

}  // namespace
}  // namespace conformance::copies::aclrtMemcpyAsync_test
