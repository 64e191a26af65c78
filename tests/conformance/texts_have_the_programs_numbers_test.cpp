// SPDX-License-Identifier: Apache-2.0
// Numbers in error texts are those that the program has passed: sizes without padding, and time
// limits, not what is left of them.
#include "support/devices.h"
#include "support/streams.h"

#include "ferry/ferry.h"

namespace conformance::texts_have_the_programs_numbers_test {
namespace {

using TextsHaveTheProgramsNumbers = WithStream;

::testing::AssertionResult has(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "no \"" << part << "\" in: " << text;
}

constexpr size_t kSize = 32768;

TEST_F(TextsHaveTheProgramsNumbers, OfARangeThatLeavesItsAllocation) {
  const DeviceBuffer device(kSize);
  std::vector<uint8_t> host(2 * kSize);
  EXPECT_EQ(107000, aclrtMemcpy(device.get(), 2 * kSize, host.data(), 2 * kSize,
                                ACL_MEMCPY_HOST_TO_DEVICE));
  const std::string text = recent_text();
  EXPECT_TRUE(has(text, "leaves its allocation of 32768 bytes"));
  EXPECT_TRUE(has(text, "allowed with padding are 32800"));
}

TEST_F(TextsHaveTheProgramsNumbers, OfATaskThatLeavesItsAllocation) {
  const DeviceBuffer device(kSize);
  const PinnedBuffer host(2 * kSize);
  EXPECT_OK(aclrtMemcpyAsync(device.get(), 2 * kSize, host.get(), 2 * kSize,
                             ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  EXPECT_EQ(507001, aclrtSynchronizeStream(stream_));
  EXPECT_TRUE(has(recent_text(), "leaves its allocation of 32768 bytes"));
}

TEST_F(TextsHaveTheProgramsNumbers, OfMemoryThatCannotBeFreed) {
  DeviceBuffer device(kSize);
  EXPECT_EQ(107000, aclrtFree(device.at(1)));
  EXPECT_TRUE(has(recent_text(), "inside memory of device 0 (32768 bytes at "));
  void* freed = nullptr;
  EXPECT_OK(aclrtMalloc(&freed, kSize, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_OK(aclrtFree(freed));
  EXPECT_EQ(107000, aclrtFree(freed));
  EXPECT_TRUE(has(recent_text(), "memory of device 0 (32768 bytes at "));
}

TEST_F(TextsHaveTheProgramsNumbers, OfAnAllocationThatDoesNotFit) {
  void* address = nullptr;
  const size_t size = size_t{1} << 50;
  EXPECT_EQ(207001, aclrtMalloc(&address, size, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_TRUE(has(recent_text(), "size is 1125899906842624, "));
}

TEST_F(TextsHaveTheProgramsNumbers, OfAWaitThatTimesOut) {
  aclrtEvent event = nullptr;
  ASSERT_OK(aclrtCreateEvent(&event));
  Gate gate(stream_);
  EXPECT_OK(aclrtRecordEvent(event, stream_));
  for (const int32_t limit : {1, 3}) {
    const std::string part = "after " + std::to_string(limit) + " ms";
    EXPECT_EQ(507046, aclrtSynchronizeStreamWithTimeout(stream_, limit));
    EXPECT_TRUE(has(recent_text(), part));
    EXPECT_EQ(507046, aclrtSynchronizeDeviceWithTimeout(limit));
    EXPECT_TRUE(has(recent_text(), part));
    EXPECT_EQ(507047, aclrtSynchronizeEventWithTimeout(event, limit));
    EXPECT_TRUE(has(recent_text(), part));
  }
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_OK(aclrtDestroyEvent(event));
}

std::string findings() {
  std::string report(ferryCheckReport(nullptr, 0) + 1, '\0');
  static_cast<void>(ferryCheckReport(report.data(), report.size()));
  return report;
}

// The calls return the codes that the findings explain.
FERRY_PROCESS_TEST(TextsHaveTheProgramsNumbersProcess, OfMemoryInAFinding, "FERRY_CHECK=1") {
  ASSERT_OK(aclrtSetDevice(0));
  std::vector<uint8_t> host(2 * kSize);
  void* device = nullptr;
  ASSERT_OK(aclrtMalloc(&device, kSize, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_EQ(107000,
            aclrtMemcpy(device, 2 * kSize, host.data(), 2 * kSize, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_TRUE(has(findings(), "leaves its allocation (32768 bytes of device memory at "));
  EXPECT_TRUE(has(findings(), ", with padding 32800) by 32736 bytes"));
  EXPECT_OK(aclrtFree(device));
  EXPECT_EQ(107000, aclrtFree(device));
  EXPECT_TRUE(has(findings(), "lies in 32768 bytes of device memory at "));
}

FERRY_PROCESS_TEST(TextsHaveTheProgramsNumbersProcess, OfMemoryThatIsLeft, "FERRY_CHECK=1") {
  ASSERT_OK(aclInit(nullptr));
  ASSERT_OK(aclrtSetDevice(0));
  void* device = nullptr;
  for (int i = 0; i < 2; ++i)
    ASSERT_OK(aclrtMalloc(&device, kSize, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_OK(aclFinalize());
  EXPECT_TRUE(has(findings(), "2 pieces of device memory (65536 bytes in all) are"));
}

}  // namespace
}  // namespace conformance::texts_have_the_programs_numbers_test
