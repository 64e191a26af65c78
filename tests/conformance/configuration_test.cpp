// SPDX-License-Identifier: Apache-2.0
// The library's environment variables: what they change, and which values are refused. FERRY_FAIL
// has more tests in ferry_test.cpp.
#include "support/config_file.h"
#include "support/devices.h"
#include "support/fifo.h"
#include "support/needs.h"

#include "ferry/ferry.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <iterator>

namespace conformance::configuration_test {
namespace {

struct Setting {
  const char* name;
  const char* value;
  const char* hint;  // a part of what the text must say about allowed values
};

// The text about an unknown name lists the known ones.
constexpr const char* kKnownNames = "FERRY_DEVICES";

constexpr Setting kWrong[] = {
    {"FERRY_FOO", "1", kKnownNames},
    {"FERRY_FOO", "", kKnownNames},
    {"FERRY_", "1", kKnownNames},
    {"FERRY_DEVICE", "cpu", kKnownNames},
    {"FERRY_devices", "cpu", kKnownNames},
    {"FERRY_DEVICES", "gpu", "cpu"},
    {"FERRY_DEVICES", "CPU", "cpu"},
    {"FERRY_DEVICES", "cpu:", "1 to"},
    {"FERRY_DEVICES", "cpu:x", "1 to"},
    {"FERRY_DEVICES", "cpu:0", "1 to"},
    {"FERRY_DEVICES", "cpu:-1", "1 to"},
    {"FERRY_DEVICES", "cpu:1x", "1 to"},
    {"FERRY_DEVICES", "cpu:99999999999999999999", "1 to"},
    {"FERRY_DEVICES", "cpu,", "cpu"},
    {"FERRY_DEVICES", ",cpu", "cpu"},
    {"FERRY_DEVICES", "cpu;null", "cpu"},
    {"FERRY_DEVICES", "cpu null", "cpu"},
    {"FERRY_DEVICES", "null:x", "1 to"},
    {"FERRY_MEMORY", "0", "512M"},
    {"FERRY_MEMORY", "-1", "512M"},
    {"FERRY_MEMORY", "G", "512M"},
    {"FERRY_MEMORY", "8Q", "512M"},
    {"FERRY_MEMORY", "8GG", "512M"},
    {"FERRY_MEMORY", "1.5G", "512M"},
    {"FERRY_MEMORY", "8 G", "512M"},
    {"FERRY_MEMORY", "much", "512M"},
    {"FERRY_MEMORY", "99999999999999999999", "512M"},
    {"FERRY_MEMORY", "99999999999999G", "512M"},
    {"FERRY_THREADS", "0", "1 to 256"},
    {"FERRY_THREADS", "-1", "1 to 256"},
    {"FERRY_THREADS", "257", "1 to 256"},
    {"FERRY_THREADS", "1.5", "1 to 256"},
    {"FERRY_THREADS", "4x", "1 to 256"},
    {"FERRY_THREADS", "many", "1 to 256"},
    {"FERRY_SOC", "Ascend", "Ascend910B1"},
    {"FERRY_SOC", "ascend910b1", "Ascend910B1"},
    {"FERRY_SOC", "Ascend910B1 ", "Ascend910B1"},
    {"FERRY_SOC", "910B1", "Ascend910B1"},
    {"FERRY_CANN", "9", "8.5, 9.0 or 9.1"},
    {"FERRY_CANN", "9.2", "8.5, 9.0 or 9.1"},
    {"FERRY_CANN", "8.5.0", "8.5, 9.0 or 9.1"},
    {"FERRY_CANN", "newest", "8.5, 9.0 or 9.1"},
    {"FERRY_SCHEDULE", "fast", "shuffle:<seed>"},
    {"FERRY_SCHEDULE", "EAGER", "shuffle:<seed>"},
    {"FERRY_SCHEDULE", "eager:1", "shuffle:<seed>"},
    {"FERRY_SCHEDULE", "lazy:1", "shuffle:<seed>"},
    {"FERRY_SCHEDULE", "shuffle:", "shuffle:<seed>"},
    {"FERRY_SCHEDULE", "shuffle:x", "shuffle:<seed>"},
    {"FERRY_SCHEDULE", "shuffle:-1", "shuffle:<seed>"},
    {"FERRY_SCHEDULE", "shuffle:99999999999999999999", "shuffle:<seed>"},
    {"FERRY_FAIL", "nonsense", "function:when=what"},
    {"FERRY_LOG", "loud", "debug"},
    {"FERRY_LOG", "ERROR", "debug"},
    {"FERRY_CUDA_BATCH", "fast", "engine"},
    {"FERRY_CUDA_SMS", "0", "1"},
    {"FERRY_CUDA_SMS", "x", "1"},
    {"ASCEND_RT_VISIBLE_DEVICES", "x", "numbers"},
    {"ASCEND_RT_VISIBLE_DEVICES", "0,x", "numbers"},
    {"ASCEND_RT_VISIBLE_DEVICES", "-1", "numbers"},
    {"ASCEND_RT_VISIBLE_DEVICES", "0,0", "twice"},
    {"ASCEND_RT_VISIBLE_DEVICES", "0;1", "numbers"},
    {"ASCEND_RT_VISIBLE_DEVICES", "99999999999999999999", "numbers"},
};

// The variable for which this child process must be refused; see run_for_each_wrong_setting.
Setting wrong_setting() {
  return kWrong[std::strtoul(std::getenv("CONFORMANCE_ROW"), nullptr, 10)];
}

void run_for_each_wrong_setting(const char* test) {
  for (size_t row = 0; row < std::size(kWrong); ++row) {
    const std::string setting = std::string(kWrong[row].name) + "=" + kWrong[row].value;
    EXPECT_EQ(0, run_in_process(test, {setting, "CONFORMANCE_ROW=" + std::to_string(row)}))
        << setting;
  }
}

::testing::AssertionResult names(const std::string& text, const Setting& setting) {
  if (text.find(setting.name) == std::string::npos) {
    return ::testing::AssertionFailure() << "the text does not name the variable: " << text;
  }
  if (setting.hint != kKnownNames && text.find(setting.value) == std::string::npos) {
    return ::testing::AssertionFailure() << "the text does not name the value: " << text;
  }
  if (text.find(setting.hint) == std::string::npos) {
    return ::testing::AssertionFailure() << "the text does not say what is allowed: " << text;
  }
  return ::testing::AssertionSuccess();
}

TEST(Configuration, IsRefusedByAclInit) {
  if (!is_child()) return run_for_each_wrong_setting("Configuration.IsRefusedByAclInit");
  EXPECT_EQ(ACL_ERROR_INVALID_PARAM, aclInit(nullptr));
  const std::string text = recent_text();
  EXPECT_EQ(0u, text.find("aclInit: ")) << text;
  EXPECT_TRUE(names(text, wrong_setting()));
  EXPECT_EQ(ACL_SUCCESS, last_error());
  EXPECT_EQ(ACL_ERROR_INVALID_PARAM, aclInit(nullptr));  // the same code again, not "repeated"
}

TEST(Configuration, IsRefusedByTheFirstCallThatNeedsADevice) {
  if (!is_child()) {
    return run_for_each_wrong_setting("Configuration.IsRefusedByTheFirstCallThatNeedsADevice");
  }
  clear_errors();
  EXPECT_FAILS_WITH(ACL_ERROR_RT_DEV_SETUP_ERROR, aclrtSetDevice(0));
  EXPECT_EQ(ACL_ERROR_RT_DEV_SETUP_ERROR, last_error());
  EXPECT_EQ(ACL_ERROR_RT_DEV_SETUP_ERROR, aclrtSetDevice(0));  // the text is given every time
  EXPECT_TRUE(names(recent_text(), wrong_setting()));
  aclrtContext context = nullptr;
  EXPECT_FAILS_WITH(ACL_ERROR_RT_DEV_SETUP_ERROR, aclrtCreateContext(&context, 0));
  uint32_t count = 99;
  EXPECT_FAILS_WITH(ACL_ERROR_RT_DEV_SETUP_ERROR, aclrtGetDeviceCount(&count));
  EXPECT_EQ(99u, count);
}

FERRY_PROCESS_TEST(Configuration, IsLookedAtBeforeTheFile, "FERRY_FOO=1") {
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, aclInit("/nonexistent/file.json"));
}

FERRY_PROCESS_TEST(Configuration, DoesNotStopCallsThatNeedNoDevice, "FERRY_FOO=1") {
  int32_t major = 0, minor = 0, patch = 0;
  EXPECT_OK(aclrtGetVersion(&major, &minor, &patch));
  EXPECT_EQ(4u, aclDataTypeSize(ACL_FLOAT));
  EXPECT_EQ(nullptr, aclGetRecentErrMsg());
  EXPECT_OK(aclFinalize());
}

FERRY_PROCESS_TEST(Configuration, IgnoresNamesOfOthers, "FERRYBOAT=1", "ferry_devices=x",
                   "MY_FERRY_FOO=1", "FERR=1") {
  EXPECT_OK(aclInit(nullptr));
  EXPECT_OK(aclrtSetDevice(0));
}

FERRY_PROCESS_TEST(Configuration, IsReadOnce, "FERRY_DEVICES=cpu:2") {
  EXPECT_EQ(2u, device_count());
  setenv("FERRY_DEVICES", "nonsense", 1);
  setenv("FERRY_FOO", "1", 1);
  EXPECT_OK(aclrtSetDevice(1));
  EXPECT_EQ(2u, device_count());
  EXPECT_OK(aclInit(nullptr));
}

FERRY_PROCESS_TEST(FerryDevices, MakesDevicesWithMemoryOfTheirOwn, "FERRY_DEVICES=cpu:3",
                   "FERRY_MEMORY=16M") {
  for (int32_t device = 0; device < 3; ++device) {
    ASSERT_OK(aclrtSetDevice(device));
    size_t free = 0, total = 0;
    EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total));
    EXPECT_EQ(size_t{16} << 20, total);
    EXPECT_GE(free, size_t{15} << 20);  // what earlier devices use is not deducted here
    void* memory = nullptr;
    EXPECT_OK(aclrtMalloc(&memory, size_t{12} << 20, ACL_MEM_MALLOC_HUGE_FIRST));
  }
}

FERRY_PROCESS_TEST(FerryDevices, MixesKindsInTheOrderOfTheList, "FERRY_DEVICES=cpu,null:2,cpu") {
  EXPECT_EQ(4u, device_count());
  EXPECT_OK(ferryNullFail("memory_alloc", 0, ACL_ERROR_RT_MEMORY_ALLOCATION));
  const bool is_null[] = {false, true, true, false};
  for (int32_t device = 0; device < 4; ++device) {
    ASSERT_OK(aclrtSetDevice(device));
    void* memory = nullptr;
    EXPECT_EQ(is_null[device] ? ACL_ERROR_RT_MEMORY_ALLOCATION : ACL_SUCCESS,
              aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST))
        << device;
  }
}

FERRY_PROCESS_TEST(FerryDevices, RunsThemAllAtOnce, "FERRY_DEVICES=cpu:4", "FERRY_MEMORY=64M") {
  on_threads(4, [](int device) {
    ASSERT_OK(aclrtSetDevice(device));
    DeviceBuffer memory(4096);
    PinnedBuffer source(4096), sink(4096);
    for (uint8_t round = 0; round < 20; ++round) {
      source.fill(pattern(4096, round));
      EXPECT_OK(aclrtMemcpyAsync(memory.get(), 4096, source.get(), 4096, ACL_MEMCPY_HOST_TO_DEVICE,
                                 nullptr));
      EXPECT_OK(aclrtMemcpyAsync(sink.get(), 4096, memory.get(), 4096, ACL_MEMCPY_DEVICE_TO_HOST,
                                 nullptr));
      EXPECT_OK(aclrtSynchronizeStream(nullptr));
      EXPECT_EQ(pattern(4096, round), sink.copy());
    }
  });
}

TEST(FerryMemory, TakesSizesInSeveralForms) {
  NEEDS_CPU_DEVICE("FERRY_MEMORY applies to CPU devices only");
  if (is_child()) {
    ASSERT_OK(aclrtSetDevice(0));
    size_t free = 0, total = 0;
    EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total));
    EXPECT_EQ(size_t{64} << 20, total);
    return;
  }
  for (const char* value : {"64M", "65536K", "67108864"}) {
    EXPECT_EQ(0, run_in_process("FerryMemory.TakesSizesInSeveralForms",
                                {std::string("FERRY_MEMORY=") + value}))
        << value;
  }
}

FERRY_PROCESS_TEST(FerryMemory, LimitsTheDevice, "FERRY_MEMORY=64M") {
  NEEDS_CPU_DEVICE("FERRY_MEMORY applies to CPU devices only");
  ASSERT_OK(aclrtSetDevice(0));
  void* memory = nullptr;
  EXPECT_FAILS_WITH(ACL_ERROR_RT_MEMORY_ALLOCATION,
                    aclrtMalloc(&memory, size_t{65} << 20, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_OK(aclrtMalloc(&memory, size_t{60} << 20, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_OK(aclrtFree(memory));
}

TEST(FerryRightValues, AreAccepted) {
  if (is_child()) {
    EXPECT_OK(aclInit(nullptr));
    ASSERT_OK(aclrtSetDevice(0));
    DeviceBuffer device(4096);
    EXPECT_OK(aclrtMemsetAsync(device.get(), 4096, 3, 4096, nullptr));
    EXPECT_OK(aclrtSynchronizeStream(nullptr));
    EXPECT_EQ(std::vector<uint8_t>(4096, 3), device.read());
    return;
  }
  for (const char* setting :
       {"FERRY_DEVICES=cpu", "FERRY_DEVICES=cpu:1", "FERRY_DEVICES=cpu,cpu,cpu", "FERRY_MEMORY=1G",
        "FERRY_THREADS=1", "FERRY_THREADS=16", "FERRY_SCHEDULE=eager", "FERRY_SCHEDULE=lazy",
        "FERRY_SCHEDULE=shuffle:0", "FERRY_SCHEDULE=shuffle:18446744073709551615",
        "FERRY_SOC=Ascend310P3", "FERRY_CHECK=0", "FERRY_CHECK=1", "FERRY_CHECK=leak,overlap",
        "FERRY_MUTE=leak", "FERRY_CUDA_BATCH=auto", "FERRY_CUDA_SMS=8",
        "ASCEND_RT_VISIBLE_DEVICES=0"}) {
    EXPECT_EQ(0, run_in_process("FerryRightValues.AreAccepted", {setting})) << setting;
  }
}

TEST(FerryLog, WritesFailuresToAFile) {
  if (is_child()) {
    aclrtGetDeviceCount(nullptr);
    return;
  }
  for (const char* level : {"error", "warn", "info", "debug"}) {
    const ConfigFile file("");
    EXPECT_EQ(0, run_in_process("FerryLog.WritesFailuresToAFile",
                                {std::string("FERRY_LOG=") + level + ":" + file.path()}));
    std::ifstream stream(file.path());
    const std::string log((std::istreambuf_iterator<char>(stream)), {});
    EXPECT_NE(std::string::npos, log.find("aclrtGetDeviceCount: ")) << level << ": " << log;
  }
}

FERRY_PROCESS_TEST(FerryLog, RefusesAFileThatCannotBeOpened,
                   "FERRY_LOG=info:/nonexistent/folder/file") {
  EXPECT_EQ(ACL_ERROR_INVALID_PARAM, aclInit(nullptr));
  EXPECT_TRUE(names(recent_text(), {"FERRY_LOG", "/nonexistent/folder/file", "cannot be opened"}));
}

void expect_refusal_of_file(const char* variable, const char* reason) {
  EXPECT_EQ(ACL_ERROR_INVALID_PARAM, aclInit(nullptr));
  EXPECT_TRUE(names(recent_text(), {"aclInit: ", variable, reason}));
}

TEST(FerryLog, RefusesAFifoThatNobodyReads) {
  if (is_child()) return expect_refusal_of_file("FERRY_LOG", "is a FIFO without a reader");
  const Fifo fifo;
  EXPECT_EQ(0, run_in_process("FerryLog.RefusesAFifoThatNobodyReads",
                              {std::string("FERRY_LOG=info:") + fifo.path()}));
}

TEST(FerryLog, LosesLinesWhenNobodyReadsTheFifoAnyMore) {
  const char* const path = std::getenv("CONFORMANCE_FIFO");
  if (is_child()) {
    const int reader = open(path, O_RDONLY | O_NONBLOCK);
    ASSERT_GE(reader, 0);
    aclrtGetDeviceCount(nullptr);
    char line[1280] = {};
    EXPECT_GT(read(reader, line, sizeof line), 0);
    EXPECT_NE(nullptr, std::strstr(line, "aclrtGetDeviceCount: ")) << line;
    close(reader);
    // More than any FIFO holds. Neither blocks nor raises SIGPIPE.
    for (int i = 0; i < 20'000; ++i)
      aclrtGetDeviceCount(nullptr);
    return;
  }
  const Fifo fifo;
  EXPECT_EQ(0, run_in_process("FerryLog.LosesLinesWhenNobodyReadsTheFifoAnyMore",
                              {std::string("FERRY_LOG=error:") + fifo.path(),
                               std::string("CONFORMANCE_FIFO=") + fifo.path()}));
}

TEST(FerryLog, MayBeACharacterDevice) {
  if (is_child()) {
    EXPECT_OK(aclInit(nullptr));
    return;
  }
  EXPECT_EQ(0, run_in_process("FerryLog.MayBeACharacterDevice", {"FERRY_LOG=info:/dev/null"}));
}

TEST(FerrySuppressions, RefusesWhatIsNoRegularFile) {
  if (is_child()) return expect_refusal_of_file("FERRY_SUPPRESSIONS", "is not a regular file");
  const Fifo fifo;
  for (const std::string path : {fifo.path(), "/dev/zero"}) {
    EXPECT_EQ(0, run_in_process("FerrySuppressions.RefusesWhatIsNoRegularFile",
                                {"FERRY_CHECK=1", "FERRY_SUPPRESSIONS=" + path}))
        << path;
  }
}

FERRY_PROCESS_TEST(VisibleDevices, PicksAndReorders, "FERRY_DEVICES=cpu,null",
                   "ASCEND_RT_VISIBLE_DEVICES=1,0") {
  EXPECT_EQ(2u, device_count());
  EXPECT_OK(ferryNullFail("memory_alloc", 0, ACL_ERROR_RT_MEMORY_ALLOCATION));
  void* memory = nullptr;
  ASSERT_OK(aclrtSetDevice(0));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_MEMORY_ALLOCATION,
                    aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  ASSERT_OK(aclrtSetDevice(1));
  EXPECT_OK(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  aclrtPtrAttributes attributes = {};
  EXPECT_OK(aclrtPointerGetAttributes(memory, &attributes));
  EXPECT_EQ(1u, attributes.location.id);  // the program's number
}

FERRY_PROCESS_TEST(VisibleDevices, HidesTheOthers, "FERRY_DEVICES=cpu:4",
                   "ASCEND_RT_VISIBLE_DEVICES=2") {
  EXPECT_EQ(1u, device_count());
  EXPECT_OK(aclrtSetDevice(0));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_INVALID_DEVICEID, aclrtSetDevice(2));
}

// Frameworks call functions that need no device when they are imported, before the program chooses.
FERRY_PROCESS_TEST(VisibleDevices, MayBeSetUntilADeviceIsNeeded, "FERRY_DEVICES=cpu:4",
                   "ASCEND_RT_VISIBLE_DEVICES=0,1,2") {
  EXPECT_OK(aclInit(nullptr));
  EXPECT_OK(aclrtSetSysParamOpt(ACL_OPT_DETERMINISTIC, 0));
  EXPECT_NE(nullptr, aclrtGetSocName());
  ASSERT_EQ(0, setenv("ASCEND_RT_VISIBLE_DEVICES", "3,1", 1));
  EXPECT_EQ(2u, device_count());
  ASSERT_EQ(0, setenv("ASCEND_RT_VISIBLE_DEVICES", "0", 1));
  EXPECT_EQ(2u, device_count());
}

FERRY_PROCESS_TEST(VisibleDevices, MayBeUnsetUntilADeviceIsNeeded, "FERRY_DEVICES=cpu:4",
                   "ASCEND_RT_VISIBLE_DEVICES=0") {
  EXPECT_OK(aclInit(nullptr));
  ASSERT_EQ(0, unsetenv("ASCEND_RT_VISIBLE_DEVICES"));
  EXPECT_EQ(4u, device_count());
}

FERRY_PROCESS_TEST(VisibleDevices, IsRefusedWhenItIsSetLateAndWrong, "FERRY_DEVICES=cpu:2") {
  EXPECT_OK(aclInit(nullptr));
  ASSERT_EQ(0, setenv("ASCEND_RT_VISIBLE_DEVICES", "1,x", 1));
  uint32_t count = 7;
  EXPECT_EQ(ACL_ERROR_RT_DEV_SETUP_ERROR, aclrtGetDeviceCount(&count));
  EXPECT_TRUE(names(recent_text(), {"ASCEND_RT_VISIBLE_DEVICES", "1,x", "comma list"}));
}

FERRY_PROCESS_TEST(VisibleDevices, RefusesNumbersOutOfRange, "FERRY_DEVICES=cpu:2",
                   "ASCEND_RT_VISIBLE_DEVICES=0,2") {
  EXPECT_EQ(ACL_ERROR_INVALID_PARAM, aclInit(nullptr));
  EXPECT_TRUE(names(recent_text(), {"ASCEND_RT_VISIBLE_DEVICES", "2", "0 to 1"}));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_DEV_SETUP_ERROR, aclrtSetDevice(0));
}

FERRY_PROCESS_TEST(VisibleDevices, TakesAnEmptyValueForNoDevices, "ASCEND_RT_VISIBLE_DEVICES=") {
  EXPECT_OK(aclInit(nullptr));
  EXPECT_EQ(0u, device_count());
  EXPECT_FAILS_WITH(ACL_ERROR_RT_INVALID_DEVICEID, aclrtSetDevice(0));
  aclrtContext context = nullptr;
  EXPECT_FAILS_WITH(ACL_ERROR_RT_INVALID_DEVICEID, aclrtCreateContext(&context, 0));
}

}  // namespace
}  // namespace conformance::configuration_test
