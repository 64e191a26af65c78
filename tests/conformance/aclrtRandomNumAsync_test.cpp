// SPDX-License-Identifier: Apache-2.0
// aclrtRandomNumAsync: generates random numbers in device memory.
#include "support/checks_with_context.h"
#include "support/needs.h"
#include "support/random.h"
#include "support/stream_checks.h"

#include <cmath>
#include <limits>
#include <vector>

namespace conformance::aclrtRandomNumAsync_test {
namespace {

class AclrtRandomNumAsync : public WithStream {
 protected:
  void SetUp() override {
    WithStream::SetUp();
    NEEDS_CPU_DEVICE("random numbers are generated on CPU devices");
  }
};

constexpr uint64_t kSeed = 0x299F31D0A4093822;

template <class T>
std::vector<T> generated(aclrtRandomNumTaskInfo info, size_t count, aclrtStream stream) {
  DeviceBuffer out(count * sizeof(T));
  info.randomResultAddr = out.get();
  EXPECT_OK(aclrtRandomNumAsync(&info, stream, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  const std::vector<uint8_t> bytes = out.read();
  std::vector<T> numbers(count);
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

struct Moments {
  double mean = 0;
  double deviation = 0;
};
Moments moments_of(const std::vector<float>& numbers) {
  Moments moments;
  for (const float number : numbers)
    moments.mean += number;
  moments.mean /= static_cast<double>(numbers.size());
  for (const float number : numbers)
    moments.deviation += (number - moments.mean) * (number - moments.mean);
  moments.deviation = std::sqrt(moments.deviation / static_cast<double>(numbers.size()));
  return moments;
}

TEST_F(AclrtRandomNumAsync, TheReferenceInTheTestsAgreesWithPublishedBlocks) {
  using Words = std::array<uint32_t, 4>;
  EXPECT_EQ((Words{0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8}), philox_block(0, {}));
  EXPECT_EQ((Words{0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD}),
            philox_block(UINT64_MAX, {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX}));
  EXPECT_EQ((Words{0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1}),
            philox_block(kSeed, {0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344}));
}

TEST_F(AclrtRandomNumAsync, TakesTheWordsOfPhiloxInOrder) {
  constexpr size_t kCount = 10;
  const std::vector<uint32_t> numbers = generated<uint32_t>(
      uniform<uint32_t>(ACL_UINT32, 0, UINT32_MAX, kSeed, kCount, nullptr), kCount, stream_);
  for (uint32_t i = 0; i < kCount; ++i) {
    const uint64_t word = philox_block(kSeed, {i / 4, 0, 0, 0})[i % 4];
    EXPECT_EQ(static_cast<uint32_t>(word * UINT32_MAX >> 32), numbers[i]);
  }
}

TEST_F(AclrtRandomNumAsync, SixtyFourBitsAreTwoWords) {
  const std::vector<uint64_t> numbers =
      generated<uint64_t>(uniform<uint64_t>(ACL_UINT64, 1000, 1001, kSeed, 3, nullptr), 3, stream_);
  EXPECT_EQ(std::vector<uint64_t>(3, 1000), numbers);  // the maximum is excluded
  const std::vector<int64_t> halves =
      generated<int64_t>(uniform<int64_t>(ACL_INT64, INT64_MIN, 0, kSeed, 3, nullptr), 3, stream_);
  for (uint32_t i = 0; i < 3; ++i) {
    const auto low = philox_block(kSeed, {i / 2, 0, 0, 0});
    const uint64_t pair = low[i % 2 * 2] | uint64_t{low[i % 2 * 2 + 1]} << 32;
    EXPECT_EQ(static_cast<int64_t>((pair >> 1) + (uint64_t{1} << 63)), halves[i]);
  }
}

TEST_F(AclrtRandomNumAsync, IntegersStayInTheirRange) {
  constexpr size_t kCount = 5000;
  std::vector<int> seen(7);
  for (const int32_t number : generated<int32_t>(
           uniform<int32_t>(ACL_INT32, -3, 4, 5, kCount, nullptr), kCount, stream_)) {
    ASSERT_GE(number, -3);
    ASSERT_LT(number, 4);
    ++seen[static_cast<size_t>(number + 3)];
  }
  for (const int times : seen)
    EXPECT_NEAR(kCount / 7.0, times, 150);
}

TEST_F(AclrtRandomNumAsync, UniformFloatsHaveTheMomentsOfTheirDistribution) {
  constexpr size_t kCount = 20000;
  const std::vector<float> numbers =
      generated<float>(uniform<float>(ACL_FLOAT, -1, 3, 42, kCount, nullptr), kCount, stream_);
  for (const float number : numbers) {
    ASSERT_GE(number, -1);
    ASSERT_LE(number, 3);
  }
  const Moments moments = moments_of(numbers);
  EXPECT_NEAR(1, moments.mean, 0.05);
  EXPECT_NEAR(4 / std::sqrt(12.0), moments.deviation, 0.05);
}

TEST_F(AclrtRandomNumAsync, HalvesAreTheFloatsRounded) {
  constexpr size_t kCount = 1000;
  const std::vector<float> floats =
      generated<float>(uniform<float>(ACL_FLOAT, -1, 3, 42, kCount, nullptr), kCount, stream_);
  const std::vector<uint16_t> halves =
      generated<uint16_t>(uniform<float>(ACL_FLOAT16, -1, 3, 42, kCount, nullptr), kCount, stream_);
  const std::vector<uint16_t> brains =
      generated<uint16_t>(uniform<float>(ACL_BF16, -1, 3, 42, kCount, nullptr), kCount, stream_);
  for (size_t i = 0; i < kCount; ++i) {
    EXPECT_EQ(aclFloatToFloat16(floats[i]), halves[i]);
    uint32_t bits = uint32_t{brains[i]} << 16;
    float wide = 0;
    std::memcpy(&wide, &bits, sizeof wide);
    EXPECT_NEAR(floats[i], wide, std::fabs(floats[i]) / 256 + 1e-30);
  }
}

TEST_F(AclrtRandomNumAsync, NormalNumbersHaveTheMomentsOfTheirDistribution) {
  constexpr size_t kCount = 20001;
  const std::vector<float> numbers = generated<float>(
      normal(ACL_RT_RANDOM_NUM_FUNC_TYPE_NORMAL_DIS, ACL_FLOAT, 10, 2, 7, kCount, nullptr), kCount,
      stream_);
  const Moments moments = moments_of(numbers);
  EXPECT_NEAR(10, moments.mean, 0.1);
  EXPECT_NEAR(2, moments.deviation, 0.1);
  const auto far = std::count_if(numbers.begin(), numbers.end(),
                                 [](float number) { return std::fabs(number - 10) > 4; });
  EXPECT_NEAR(0.0455 * kCount, static_cast<double>(far), 150);
}

TEST_F(AclrtRandomNumAsync, TruncatedNormalNumbersStayWithinTwoDeviations) {
  constexpr size_t kCount = 20000;
  const std::vector<float> numbers =
      generated<float>(normal(ACL_RT_RANDOM_NUM_FUNC_TYPE_TRUNCATED_NORMAL_DIS, ACL_FLOAT, -1, 0.5F,
                              7, kCount, nullptr),
                       kCount, stream_);
  for (const float number : numbers)
    ASSERT_LE(std::fabs(number + 1), 1.0001F);
  const Moments moments = moments_of(numbers);
  EXPECT_NEAR(-1, moments.mean, 0.03);
  EXPECT_NEAR(0.5 * 0.8796, moments.deviation, 0.02);
}

TEST_F(AclrtRandomNumAsync, AMaskKeepsTheShareThatIsNotDropped) {
  constexpr size_t kCount = 20000;
  for (const float ratio : {0.0F, 0.25F, 1.0F}) {
    const std::vector<uint8_t> mask =
        generated<uint8_t>(dropout(ratio, 3, kCount, nullptr), kCount / 8, stream_);
    size_t kept = 0;
    for (const uint8_t bits : mask)
      kept += static_cast<size_t>(__builtin_popcount(bits));
    EXPECT_NEAR((1 - ratio) * kCount, static_cast<double>(kept), ratio == 0.25F ? 300 : 0);
  }
}

TEST_F(AclrtRandomNumAsync, AMaskEndsWithTheByteOfTheLastElement) {
  DeviceBuffer out(8);
  out.write(std::vector<uint8_t>(8, 0xAA));
  const aclrtRandomNumTaskInfo info = dropout(0, 3, 11, out.get());
  EXPECT_OK(aclrtRandomNumAsync(&info, stream_, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(std::vector<uint8_t>({0xFF, 0x07, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA}), out.read());
}

TEST_F(AclrtRandomNumAsync, TheCounterContinuesWhereTheLastTaskEnded) {
  DeviceBuffer counter(16);
  counter.write(std::vector<uint8_t>(16, 0xFF));  // wraps to 0
  DeviceBuffer parts(40);
  aclrtRandomNumTaskInfo info = uniform<uint32_t>(ACL_UINT32, 0, UINT32_MAX, kSeed, 5, parts.get());
  info.randomCounterAddr = counter.get();
  const aclrtRandomNumTaskInfo before = info;
  EXPECT_OK(aclrtRandomNumAsync(&info, stream_, nullptr));
  info.randomResultAddr = parts.at(20);
  EXPECT_OK(aclrtRandomNumAsync(&info, stream_, nullptr));
  info.randomResultAddr = parts.get();
  EXPECT_EQ(0, std::memcmp(&before, &info, sizeof info));  // the structure is not changed
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  std::vector<uint32_t> numbers(10);
  std::memcpy(numbers.data(), parts.read().data(), 40);
  const std::array<uint32_t, 4> all{UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
  const auto expected = [](uint64_t word) {
    return static_cast<uint32_t>(word * UINT32_MAX >> 32);
  };
  EXPECT_EQ(expected(philox_block(kSeed, all)[3]), numbers[3]);
  EXPECT_EQ(expected(philox_block(kSeed, {})[0]), numbers[4]);
  EXPECT_EQ(expected(philox_block(kSeed, {1, 0, 0, 0})[0]), numbers[5]);
  EXPECT_EQ(expected(philox_block(kSeed, {2, 0, 0, 0})[0]), numbers[9]);
  std::vector<uint8_t> end(16, 0);
  end[0] = 3;
  EXPECT_EQ(end, counter.read());
}

TEST_F(AclrtRandomNumAsync, ReadsParametersInDeviceMemoryWhenItRuns) {
  DeviceBuffer cells(64);
  DeviceBuffer out(16);
  out.write(std::vector<uint8_t>(16, 0));
  PinnedBuffer values(32);
  const uint32_t range[] = {100, 104};
  const uint64_t seed = kSeed;
  const uint64_t count = 4;
  std::memcpy(values.bytes(), range, 8);
  std::memcpy(values.bytes() + 8, &seed, 8);
  std::memcpy(values.bytes() + 16, &count, 8);
  aclrtRandomNumTaskInfo info = uniform<uint32_t>(ACL_UINT32, 0, 0, 0, 0, out.get());
  info.randomNumFuncParaInfo.paramInfo.uniformDisInfo = {address_parameter(cells.at(0), 4),
                                                         address_parameter(cells.at(4), 4)};
  info.randomSeed = address_parameter(cells.at(8), 8);
  info.randomNum = address_parameter(cells.at(16), 8);
  EXPECT_OK(
      aclrtMemcpyAsync(cells.get(), 64, values.get(), 24, ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  EXPECT_OK(aclrtRandomNumAsync(&info, stream_, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  uint32_t numbers[4];
  std::memcpy(numbers, out.read().data(), 16);
  for (uint32_t i = 0; i < 4; ++i)
    EXPECT_EQ(100 + (uint64_t{philox_block(kSeed, {})[i]} * 4 >> 32), numbers[i]);
}

TEST_F(AclrtRandomNumAsync, RunsInStreamOrderAndTakesTheStructureDuringTheCall) {
  DeviceBuffer out(16);
  Gate gate(stream_);
  {
    aclrtRandomNumTaskInfo info = uniform<uint32_t>(ACL_UINT32, 7, 8, 1, 4, out.get());
    EXPECT_OK(aclrtMemsetAsync(out.get(), 16, 0, 16, stream_));
    EXPECT_OK(aclrtRandomNumAsync(&info, stream_, nullptr));
    info = {};
  }
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(7, out.read()[0]);
  EXPECT_EQ(7, out.read()[12]);
}

TEST_F(AclrtRandomNumAsync, NoNumbersAreNoWork) {
  DeviceBuffer out(4);
  out.write({1, 2, 3, 4});
  const aclrtRandomNumTaskInfo info = uniform<float>(ACL_FLOAT, 0, 1, 1, 0, out.get());
  EXPECT_OK(aclrtRandomNumAsync(&info, nullptr, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(std::vector<uint8_t>({1, 2, 3, 4}), out.read());
}

TEST_F(AclrtRandomNumAsync, FailsOnTheStreamWhenTheResultsDoNotFit) {
  DeviceBuffer out(64);
  const aclrtRandomNumTaskInfo info =
      uniform<float>(ACL_FLOAT, 0, 1, 1, uint64_t{1} << 40, out.get());
  EXPECT_OK(aclrtRandomNumAsync(&info, stream_, nullptr));
  EXPECT_EQ(507001, aclrtSynchronizeStream(stream_));
  EXPECT_NE(std::string::npos, recent_text().find("random numbers")) << recent_text();
  DeviceBuffer cell(8);
  const float range[] = {1, 0};
  std::vector<uint8_t> bytes(8);
  std::memcpy(bytes.data(), range, 8);
  cell.write(bytes);
  aclrtRandomNumTaskInfo bad = uniform<float>(ACL_FLOAT, 0, 1, 1, 4, out.get());
  bad.randomNumFuncParaInfo.paramInfo.uniformDisInfo = {address_parameter(cell.at(0), 4),
                                                        address_parameter(cell.at(4), 4)};
  EXPECT_OK(aclrtRandomNumAsync(&bad, stream_, nullptr));
  EXPECT_EQ(507001, aclrtSynchronizeStream(stream_));
  clear_errors();
}

struct Arguments {
  bool has_context = true;
  bool has_info = true;
  aclrtRandomNumTaskInfo info{};
  aclrtStream stream = nullptr;
  void* reserve = nullptr;
};

TEST_F(AclrtRandomNumAsync, ChecksItsArgumentsInOrder) {
  DeviceBuffer out(64);
  const streams::WrongHandles wrong;
  int behind_the_last = ACL_RT_RANDOM_NUM_FUNC_TYPE_TRUNCATED_NORMAL_DIS + 1;
  const auto unknown = static_cast<aclrtRandomNumFuncType>(behind_the_last);
  const auto parameters = [](Arguments& a) -> aclrtRandomNumFuncParaInfo& {
    return a.info.randomNumFuncParaInfo;
  };
  const std::vector<ArgumentCheck<Arguments>> checks = {
      {"taskInfo", [](Arguments& a) { a.has_info = false; }, 100000, "EH0008"},
      {"dataType", [](Arguments& a) { a.info.dataType = ACL_DOUBLE; }, 100000, "EH0007"},
      {"reserve", [](Arguments& a) { a.reserve = &a; }, 107000, "EE1003"},
      {"funcType", [&](Arguments& a) { parameters(a).funcType = unknown; }, 107000, "EE1003"},
      {"size", [&](Arguments& a) { parameters(a).paramInfo.uniformDisInfo.min.size = 8; }, 107000,
       "EE1003"},
      {"seed", [](Arguments& a) { a.info.randomSeed.size = 4; }, 107000, "EE1003"},
      {"count", [](Arguments& a) { a.info.randomNum.isAddr = 2; }, 107000, "EE1003"},
      {"result", [](Arguments& a) { a.info.randomResultAddr = nullptr; }, 107000, "EE1004"},
      {"stream", [&](Arguments& a) { a.stream = wrong.dead_stream(); }, 107017, "EE1017"},
      {"context", [](Arguments& a) { a.has_context = false; }, 107002, "EE1018"},
  };
  const auto call = [](const Arguments& a) {
    return aclrtRandomNumAsync(a.has_info ? &a.info : nullptr, a.stream, a.reserve);
  };
  const Arguments valid{.info = uniform<float>(ACL_FLOAT, 0, 1, 1, 4, out.get()),
                        .stream = stream_};
  expect_checked_with_context("aclrtRandomNumAsync", valid, call, checks);
  expect_stream_is_checked("aclrtRandomNumAsync", stream_, [&](aclrtStream any) {
    return aclrtRandomNumAsync(&valid.info, any, nullptr);
  });
}

TEST_F(AclrtRandomNumAsync, RefusesTypesAndParametersWithoutNumbers) {
  DeviceBuffer out(64);
  const auto refuses = [&](aclError code, const char* message, const aclrtRandomNumTaskInfo& info) {
    return fails_as("", "", "aclrtRandomNumAsync", code, message,
                    aclrtRandomNumAsync(&info, stream_, nullptr));
  };
  for (const aclDataType type : {ACL_INT8, ACL_INT16, ACL_UINT8, ACL_BOOL, ACL_DT_UNDEFINED})
    EXPECT_TRUE(refuses(100000, "EH0007", uniform<float>(type, 0, 1, 1, 4, out.get())));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto is_normal = ACL_RT_RANDOM_NUM_FUNC_TYPE_NORMAL_DIS;
  for (const aclrtRandomNumTaskInfo& info :
       {uniform<float>(ACL_FLOAT, 1, 0, 1, 4, out.get()),
        uniform<float>(ACL_FLOAT, nan, 0, 1, 4, out.get()),
        uniform<int32_t>(ACL_INT32, 0, -1, 1, 4, out.get()),
        uniform<uint64_t>(ACL_UINT64, 2, 1, 1, 4, out.get()),
        normal(is_normal, ACL_FLOAT, 0, -1, 1, 4, out.get()),
        normal(is_normal, ACL_FLOAT, nan, 1, 1, 4, out.get()),
        normal(is_normal, ACL_INT32, 0, 1, 1, 4, out.get()), dropout(1.5F, 1, 4, out.get()),
        dropout(-0.5F, 1, 4, out.get())}) {
    EXPECT_TRUE(refuses(107000, "EE1003", info));
  }
  clear_errors();
}

TEST_F(AclrtRandomNumAsync, RefusesHostMemory) {
  DeviceBuffer out(64);
  PinnedBuffer host(64);
  const auto valid = uniform<float>(ACL_FLOAT, 0, 1, 1, 4, out.get());
  std::vector<aclrtRandomNumTaskInfo> wrong(4, valid);
  wrong[0].randomResultAddr = host.get();
  wrong[1].randomCounterAddr = host.get();
  wrong[2].randomSeed = address_parameter(host.get(), 8);
  wrong[3].randomNum = address_parameter(nullptr, 8);
  for (const aclrtRandomNumTaskInfo& info : wrong)
    EXPECT_FAILS(107000, "EE1011", aclrtRandomNumAsync(&info, stream_, nullptr));
  clear_errors();
}

FERRY_PROCESS_TEST(AclrtRandomNumAsyncProcess, BelongsToTheProductsThatHaveIt,
                   "FERRY_SOC=Ascend310P3") {
  EXPECT_OK(aclrtSetDevice(0));
  {
    DeviceBuffer out(64);
    const aclrtRandomNumTaskInfo info = uniform<float>(ACL_FLOAT, 0, 1, 1, 4, out.get());
    EXPECT_FAILS(207000, "WE0001", aclrtRandomNumAsync(&info, nullptr, nullptr));
  }
  EXPECT_OK(aclrtResetDevice(0));
}

FERRY_PROCESS_TEST(AclrtRandomNumAsyncProcess, NeedsADeviceWhoseMemoryTheHostReaches,
                   "FERRY_DEVICES=null") {
  EXPECT_OK(aclrtSetDevice(0));
  void* out = nullptr;
  EXPECT_OK(aclrtMalloc(&out, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  const aclrtRandomNumTaskInfo info = uniform<float>(ACL_FLOAT, 0, 1, 1, 4, out);
  EXPECT_FAILS(207000, "WE0001", aclrtRandomNumAsync(&info, nullptr, nullptr));
  EXPECT_OK(aclrtFree(out));
}

}  // namespace
}  // namespace conformance::aclrtRandomNumAsync_test
