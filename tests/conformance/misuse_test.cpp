// SPDX-License-Identifier: Apache-2.0
// Misuse never crashes the process: zeros for all arguments of every working function. Wrong
// handles, addresses and sizes have their own files.
#include "support/devices.h"
#include "support/working_functions.h"

#include <cstring>

namespace conformance::misuse_test {
namespace {

bool tells_the_last_error(const char* name) {
  return std::strcmp(name, "aclrtGetLastError") == 0 ||
         std::strcmp(name, "aclrtPeekAtLastError") == 0;
}

// Objects that a call created stay referenced, so that leak checkers do not report them.
std::vector<uint64_t>& results() {
  static std::vector<uint64_t> all;
  return all;
}

void expect_survival(const ZeroCall& function) {
  SCOPED_TRACE(function.name);
  clear_errors();
  const ZeroCallResult result = function.call();
  results().push_back(result.value);
  if (!result.is_code || result.value == 0 || tells_the_last_error(function.name)) return;
  const std::string text = recent_text();
  EXPECT_EQ(0u, text.find(std::string(function.name) + ": ")) << text;
}

// The library still works.
void expect_health() {
  ASSERT_OK(aclrtSetDevice(0));
  {
    DeviceBuffer device(4096);
    PinnedBuffer source(4096);
    source.fill(pattern(4096));
    EXPECT_OK(aclrtMemcpyAsync(device.get(), 4096, source.get(), 4096, ACL_MEMCPY_HOST_TO_DEVICE,
                               nullptr));
    EXPECT_OK(aclrtSynchronizeStream(nullptr));
    EXPECT_EQ(pattern(4096), device.read());
  }
  EXPECT_OK(aclrtResetDevice(0));
}

FERRY_PROCESS_TEST(Misuse, ZerosAreSurvivedOnThreadsWithoutAContext) {
  for (const ZeroCall& function : kWorking)
    on_new_thread([&] { expect_survival(function); });
  aclrtResetDeviceForce(0);  // the table has set the device
  expect_health();
}

FERRY_PROCESS_TEST(Misuse, ZerosAreSurvivedWithAContext) {
  for (const ZeroCall& function : kWorking) {
    ASSERT_OK(aclrtSetDevice(0));
    expect_survival(function);
  }
  aclrtResetDeviceForce(0);
  expect_health();
}

FERRY_PROCESS_TEST(Misuse, ZerosAreSurvivedAfterAclFinalize) {
  ASSERT_OK(aclInit(nullptr));
  ASSERT_OK(aclrtSetDevice(0));
  ASSERT_OK(aclFinalize());
  for (const ZeroCall& function : kWorking)
    expect_survival(function);
  aclrtResetDeviceForce(0);
  expect_health();
}

FERRY_PROCESS_TEST(Misuse, ZerosAreSurvivedInAWrongEnvironment, "FERRY_FOO=1") {
  for (const ZeroCall& function : kWorking)
    expect_survival(function);
}

FERRY_PROCESS_TEST(Misuse, ZerosAreSurvivedWithoutDevices, "ASCEND_RT_VISIBLE_DEVICES=") {
  for (const ZeroCall& function : kWorking)
    expect_survival(function);
}

FERRY_PROCESS_TEST(Misuse, ZerosAreSurvivedOnManyThreadsAtOnce) {
  on_threads(6, [] {
    for (int round = 0; round < 5; ++round) {
      for (const ZeroCall& function : kWorking)
        function.call();
    }
  });
  aclrtResetDeviceForce(0);
  expect_health();
}

TEST(MisuseAppLog, SurvivesNullAndUnknownLevels) {
  for (const int level : {0, -1, 99}) {
    aclAppLog(static_cast<aclLogLevel>(level), nullptr, nullptr, 0, nullptr);
    aclAppLog(static_cast<aclLogLevel>(level), nullptr, nullptr, 0, "%s", "text");
  }
}

}  // namespace
}  // namespace conformance::misuse_test
