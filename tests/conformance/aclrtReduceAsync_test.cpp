// SPDX-License-Identifier: Apache-2.0
// aclrtReduceAsync: combines two arrays in device memory.
#include "support/checks_with_context.h"
#include "support/stream_checks.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace conformance::aclrtReduceAsync_test {
namespace {

using AclrtReduceAsync = WithStream;

constexpr aclrtReduceKind kSum = ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM;
constexpr aclrtReduceKind kMax = ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX;
constexpr aclrtReduceKind kMin = ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN;
constexpr aclrtReduceKind kEqual = ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL;

template <class T>
std::vector<uint8_t> bytes_of(const std::vector<T>& values) {
  std::vector<uint8_t> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

// Queues the reduction of two arrays and returns the first one afterwards.
template <class T>
std::vector<T> reduced(const std::vector<T>& dst, const std::vector<T>& src, aclrtReduceKind kind,
                       aclDataType type, aclrtStream stream) {
  const size_t size = dst.size() * sizeof(T);
  DeviceBuffer a(size);
  DeviceBuffer b(size);
  a.write(bytes_of(dst));
  b.write(bytes_of(src));
  EXPECT_OK(aclrtReduceAsync(a.get(), b.get(), size, kind, type, stream, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  const std::vector<uint8_t> bytes = a.read();
  std::vector<T> result(dst.size());
  std::memcpy(result.data(), bytes.data(), size);
  EXPECT_EQ(bytes_of(src), b.read());
  return result;
}

template <class T>
void expect_integers(aclDataType type, aclrtStream stream) {
  using Limits = std::numeric_limits<T>;
  const T least = Limits::min();
  const T most = Limits::max();
  const std::vector<T> a{0, 1, most, least, most, 5, static_cast<T>(-3)};
  const std::vector<T> b{0, 2, 1, static_cast<T>(-1), most, least, 4};
  std::vector<T> sum, larger, smaller;
  for (size_t i = 0; i < a.size(); ++i) {
    sum.push_back(static_cast<T>(static_cast<uint64_t>(a[i]) + static_cast<uint64_t>(b[i])));
    larger.push_back(std::max(a[i], b[i]));
    smaller.push_back(std::min(a[i], b[i]));
  }
  EXPECT_EQ(sum, reduced(a, b, kSum, type, stream));
  EXPECT_EQ(larger, reduced(a, b, kMax, type, stream));
  EXPECT_EQ(smaller, reduced(a, b, kMin, type, stream));
}

TEST_F(AclrtReduceAsync, IntegersAreExactAndWrap) {
  expect_integers<int8_t>(ACL_INT8, stream_);
  expect_integers<int16_t>(ACL_INT16, stream_);
  expect_integers<int32_t>(ACL_INT32, stream_);
  expect_integers<uint32_t>(ACL_UINT32, stream_);
  expect_integers<int32_t>(ACL_INT32, nullptr);
}

TEST_F(AclrtReduceAsync, FloatsAreOneOperationEach) {
  const float inf = std::numeric_limits<float>::infinity();
  const std::vector<float> a{1.5F, -2, 1e30F, 3e38F, 16777216, -0.0F, inf, 1e-45F};
  const std::vector<float> b{2.25F, 5, 1, 3e38F, 1, -0.0F, 7, 1e-45F};
  std::vector<float> sum, larger, smaller;
  for (size_t i = 0; i < a.size(); ++i) {
    sum.push_back(a[i] + b[i]);
    larger.push_back(std::max(a[i], b[i]));
    smaller.push_back(std::min(a[i], b[i]));
  }
  EXPECT_EQ(sum, reduced(a, b, kSum, ACL_FLOAT, stream_));
  EXPECT_EQ(larger, reduced(a, b, kMax, ACL_FLOAT, stream_));
  EXPECT_EQ(smaller, reduced(a, b, kMin, ACL_FLOAT, stream_));
}

TEST_F(AclrtReduceAsync, NanWinsOnEitherSide) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const aclrtReduceKind kind : {kSum, kMax, kMin}) {
    const std::vector<float> result =
        reduced<float>({nan, 1, nan}, {1, nan, nan}, kind, ACL_FLOAT, stream_);
    for (const float value : result)
      EXPECT_TRUE(std::isnan(value)) << kind;
  }
}

TEST_F(AclrtReduceAsync, HalvesAreRoundedToNearestEven) {
  const auto half = [](float value) { return aclFloatToFloat16(value); };
  const std::vector<uint16_t> a{half(1),     half(2048),  half(2048),
                                half(65504), half(6e-8F), half(0.1F)};
  const std::vector<uint16_t> b{half(2), half(1), half(3), half(65504), half(6e-8F), half(0.2F)};
  std::vector<uint16_t> sum;
  for (size_t i = 0; i < a.size(); ++i)
    sum.push_back(half(aclFloat16ToFloat(a[i]) + aclFloat16ToFloat(b[i])));
  EXPECT_EQ(half(2048), sum[1]);  // 2049 is a tie
  EXPECT_EQ(half(2052), sum[2]);  // 2051 is one, too
  EXPECT_EQ(sum, reduced(a, b, kSum, ACL_FLOAT16, stream_));
  const std::vector<uint16_t> larger{half(2),     half(2048),  half(2048),
                                     half(65504), half(6e-8F), half(0.2F)};
  EXPECT_EQ(larger, reduced(a, b, kMax, ACL_FLOAT16, stream_));
}

TEST_F(AclrtReduceAsync, EveryPairOfHalvesIsSummedAsFloats) {
  std::vector<uint16_t> a, b, sum;
  uint32_t state = 1;
  for (uint32_t value = 0; value < 65536; ++value) {
    state = state * 1664525 + 1013904223;
    a.push_back(static_cast<uint16_t>(value));
    b.push_back(static_cast<uint16_t>(state >> 16));
    const float exact = aclFloat16ToFloat(a.back()) + aclFloat16ToFloat(b.back());
    sum.push_back(aclFloatToFloat16(exact));
  }
  const std::vector<uint16_t> result = reduced(a, b, kSum, ACL_FLOAT16, stream_);
  for (size_t i = 0; i < sum.size(); ++i) {
    if (std::isnan(aclFloat16ToFloat(sum[i]))) {
      ASSERT_TRUE(std::isnan(aclFloat16ToFloat(result[i]))) << i;
    } else {
      ASSERT_EQ(sum[i], result[i]) << i;
    }
  }
}

TEST_F(AclrtReduceAsync, Bfloat16IsTheUpperHalfOfAFloat) {
  // 1, 256, 258, the largest finite number, -2; and what is added.
  const std::vector<uint16_t> a{0x3F80, 0x4380, 0x4381, 0x7F7F, 0xC000};
  const std::vector<uint16_t> b{0x3F80, 0x3F80, 0x3F80, 0x7F7F, 0x3F80};
  // 2; 257 is a tie and becomes 256; 259 is one and becomes 260; infinity; -1.
  const std::vector<uint16_t> sum{0x4000, 0x4380, 0x4382, 0x7F80, 0xBF80};
  EXPECT_EQ(sum, reduced(a, b, kSum, ACL_BF16, stream_));
  const std::vector<uint16_t> larger{0x3F80, 0x4380, 0x4381, 0x7F7F, 0x3F80};
  EXPECT_EQ(larger, reduced(a, b, kMax, ACL_BF16, stream_));
  const std::vector<uint16_t> smaller{0x3F80, 0x3F80, 0x3F80, 0x7F7F, 0xC000};
  EXPECT_EQ(smaller, reduced(a, b, kMin, ACL_BF16, stream_));
}

TEST_F(AclrtReduceAsync, LeavesATailShorterThanAnElement) {
  DeviceBuffer a(16);
  DeviceBuffer b(16);
  a.write(std::vector<uint8_t>(16, 1));
  b.write(std::vector<uint8_t>(16, 2));
  EXPECT_OK(aclrtReduceAsync(a.get(), b.get(), 11, kSum, ACL_INT32, stream_, nullptr));
  EXPECT_OK(aclrtReduceAsync(a.at(12), b.at(12), 3, kMax, ACL_FLOAT16, stream_, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(std::vector<uint8_t>({3, 3, 3, 3, 3, 3, 3, 3, 1, 1, 1, 1, 2, 2, 1, 1}), a.read());
}

TEST_F(AclrtReduceAsync, CombinesAnArrayWithItself) {
  DeviceBuffer a(8);
  a.write(bytes_of<int32_t>({21, -5}));
  EXPECT_OK(aclrtReduceAsync(a.get(), a.get(), 8, kSum, ACL_INT32, stream_, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(bytes_of<int32_t>({42, -10}), a.read());
}

TEST_F(AclrtReduceAsync, IsExactInLargeArrays) {
  constexpr size_t kCount = (size_t{12} << 20) / sizeof(int32_t) + 3;
  std::vector<int32_t> a(kCount), b(kCount), sum(kCount);
  for (size_t i = 0; i < kCount; ++i) {
    a[i] = static_cast<int32_t>(i);
    b[i] = static_cast<int32_t>(3 * i + 1);
    sum[i] = a[i] + b[i];
  }
  EXPECT_EQ(sum, reduced(a, b, kSum, ACL_INT32, stream_));
}

TEST_F(AclrtReduceAsync, RunsInStreamOrder) {
  DeviceBuffer a(4);
  DeviceBuffer b(4);
  Gate gate(stream_);
  PinnedBuffer one(4);
  one.fill(bytes_of<int32_t>({1}));
  EXPECT_OK(aclrtMemsetAsync(a.get(), 4, 0, 4, stream_));
  EXPECT_OK(aclrtMemcpyAsync(b.get(), 4, one.get(), 4, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  for (int i = 0; i < 10; ++i) {
    EXPECT_OK(aclrtReduceAsync(a.get(), b.get(), 4, kSum, ACL_INT32, stream_, nullptr));
    EXPECT_OK(aclrtReduceAsync(b.get(), a.get(), 4, kSum, ACL_INT32, stream_, nullptr));
  }
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(bytes_of<int32_t>({6765}), a.read());  // Fibonacci numbers
  EXPECT_EQ(bytes_of<int32_t>({10946}), b.read());
}

TEST_F(AclrtReduceAsync, ARangeOutsideItsAllocationFailsOnTheStream) {
  DeviceBuffer a(64);
  DeviceBuffer b(size_t{8} << 20);
  b.write(std::vector<uint8_t>(b.size(), 1));
  EXPECT_OK(aclrtReduceAsync(a.get(), b.get(), b.size(), kMax, ACL_INT8, stream_, nullptr));
  EXPECT_EQ(507001, aclrtSynchronizeStream(stream_));
  clear_errors();
}

struct Arguments {
  bool has_context = true;
  void* dst = nullptr;
  void* src = nullptr;
  uint64_t count = 64;
  aclrtReduceKind kind = kSum;
  aclDataType type = ACL_FLOAT;
  aclrtStream stream = nullptr;
  void* reserve = nullptr;
};

TEST_F(AclrtReduceAsync, ChecksItsArgumentsInOrder) {
  DeviceBuffer a(64);
  DeviceBuffer b(64);
  int host = 0;
  const streams::WrongHandles wrong;
  const std::vector<ArgumentCheck<Arguments>> checks = {
      {"dst", [](Arguments& a) { a.dst = nullptr; }, 100000, "EH0008"},
      {"src", [](Arguments& a) { a.src = nullptr; }, 100000, "EH0008"},
      {"reserve", [&](Arguments& a) { a.reserve = &host; }, 100000, "EH0012"},
      {"type", [](Arguments& a) { a.type = ACL_DOUBLE; }, 100000, "EH0007"},
      {"count", [](Arguments& a) { a.count = 0; }, 107000, "EE1003"},
      {"kind", [](Arguments& a) { a.kind = static_cast<aclrtReduceKind>(14); }, 107000, "EE1003"},
      {"stream", [&](Arguments& a) { a.stream = wrong.dead_stream(); }, 107017, "EE1017"},
      {"context", [](Arguments& a) { a.has_context = false; }, 107002, "EE1018"},
  };
  expect_checked_with_context(
      "aclrtReduceAsync", Arguments{.dst = a.get(), .src = b.get(), .stream = stream_},
      [](const Arguments& a) {
        return aclrtReduceAsync(a.dst, a.src, a.count, a.kind, a.type, a.stream, a.reserve);
      },
      checks);
  expect_stream_is_checked("aclrtReduceAsync", stream_, [&](aclrtStream any) {
    return aclrtReduceAsync(a.get(), b.get(), 64, kSum, ACL_FLOAT, any, nullptr);
  });
}

TEST_F(AclrtReduceAsync, RefusesWhatNoDeviceHereReduces) {
  DeviceBuffer a(64);
  DeviceBuffer b(64);
  const auto refuses = [&](aclError code, const char* message, uint64_t count, aclrtReduceKind kind,
                           aclDataType type) {
    return fails_as("", "", "aclrtReduceAsync", code, message,
                    aclrtReduceAsync(a.get(), b.get(), count, kind, type, stream_, nullptr));
  };
  for (const aclDataType type : {ACL_INT4, ACL_UINT8, ACL_UINT16})
    EXPECT_TRUE(refuses(207000, "WE0001", 64, kSum, type));
  EXPECT_TRUE(refuses(207000, "WE0001", 64, kEqual, ACL_FLOAT));
  for (const aclDataType type : {ACL_DT_UNDEFINED, ACL_INT64, ACL_UINT64, ACL_BOOL, ACL_STRING})
    EXPECT_TRUE(refuses(100000, "EH0007", 64, kSum, type));
  const uint64_t four_gib = uint64_t{4} << 30;
  EXPECT_TRUE(refuses(107000, "EE1003", four_gib + 1, kSum, ACL_FLOAT));
  EXPECT_TRUE(refuses(107000, "EE1003", 64, static_cast<aclrtReduceKind>(9), ACL_FLOAT));
  clear_errors();
}

TEST_F(AclrtReduceAsync, RefusesMemoryThatIsNotOnTheDevice) {
  DeviceBuffer a(64);
  PinnedBuffer pinned(64);
  std::vector<float> pageable(16);
  for (void* host : {pinned.get(), static_cast<void*>(pageable.data())}) {
    EXPECT_FAILS(107000, "EE1011",
                 aclrtReduceAsync(host, a.get(), 64, kSum, ACL_FLOAT, stream_, nullptr));
    EXPECT_FAILS(107000, "EE1011",
                 aclrtReduceAsync(a.get(), host, 64, kSum, ACL_FLOAT, stream_, nullptr));
  }
  clear_errors();
}

FERRY_PROCESS_TEST(AclrtReduceAsyncProcess, RefusesMemoryOfAnotherDevice, "FERRY_DEVICES=cpu:2") {
  EXPECT_OK(aclrtSetDevice(1));
  void* there = nullptr;
  EXPECT_OK(aclrtMalloc(&there, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_OK(aclrtSetDevice(0));
  {
    DeviceBuffer here(64);
    EXPECT_FAILS(107000, "EE1011",
                 aclrtReduceAsync(here.get(), there, 64, kSum, ACL_FLOAT, nullptr, nullptr));
  }
  EXPECT_OK(aclrtFree(there));
}

}  // namespace
}  // namespace conformance::aclrtReduceAsync_test
