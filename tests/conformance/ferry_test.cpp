// SPDX-License-Identifier: Apache-2.0
// Ferry's own functions: fault injection, call counts, and lists. Device functions and the null
// backend have their own files.
#include "ferry/ferry.h"

#include "support/contract.h"
#include "support/devices.h"
#include "support/needs.h"

#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <string>

namespace conformance::ferry_test {
namespace {

constexpr aclError kInjected = ACL_ERROR_RT_DRV_INTERNAL_ERROR;

aclError count_devices() {
  uint32_t count = 0;
  return aclrtGetDeviceCount(&count);
}

TEST(FerryVersion, IsTheOneOfTheHeader) {
  EXPECT_STREQ(FERRY_VERSION, ferryVersion());
}

FERRY_PROCESS_TEST(FerryFailCall, FailsTheNthCallFromNowOn) {
  EXPECT_EQ(ACL_SUCCESS, count_devices());
  EXPECT_OK(ferryFailCall("aclrtGetDeviceCount", 3, kInjected));
  EXPECT_EQ(ACL_SUCCESS, count_devices());
  EXPECT_EQ(ACL_SUCCESS, count_devices());
  uint32_t count = 99;
  EXPECT_FAILS_WITH(kInjected, aclrtGetDeviceCount(&count));
  EXPECT_EQ(99u, count);  // the call did nothing
  for (int i = 0; i < 10; ++i)
    EXPECT_EQ(ACL_SUCCESS, count_devices());
}

FERRY_PROCESS_TEST(FerryFailCall, FailsEveryCall) {
  EXPECT_OK(ferryFailCall("aclrtGetDeviceCount", 0, kInjected));
  for (int i = 0; i < 10; ++i)
    EXPECT_EQ(kInjected, count_devices());
  on_new_thread([] { EXPECT_EQ(kInjected, count_devices()); });
}

FERRY_PROCESS_TEST(FerryFailCall, LetsTheFirstRuleThatAppliesDecide) {
  EXPECT_OK(ferryFailCall("aclrtGetDeviceCount", 2, ACL_ERROR_RT_MEMORY_ALLOCATION));
  EXPECT_OK(ferryFailCall("aclrtGetDeviceCount", 0, kInjected));
  EXPECT_OK(ferryFailCall("aclrtGetDeviceCount", 3, ACL_ERROR_RT_TS_ERROR));
  EXPECT_EQ(kInjected, count_devices());
  EXPECT_EQ(ACL_ERROR_RT_MEMORY_ALLOCATION, count_devices());
  EXPECT_EQ(kInjected, count_devices());
}

FERRY_PROCESS_TEST(FerryFailCall, LeavesOtherFunctionsAlone) {
  EXPECT_OK(ferryFailCall("aclrtMalloc", 0, kInjected));
  ASSERT_OK(aclrtSetDevice(0));
  void* memory = nullptr;
  EXPECT_FAILS_WITH(kInjected, aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_EQ(nullptr, memory);
  EXPECT_OK(aclrtMallocAlign32(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_OK(aclrtFree(memory));
}

FERRY_PROCESS_TEST(FerryFailCall, GivesNothingWhereNoCodeIsReturned) {
  EXPECT_OK(ferryFailCall("aclrtGetSocName", 1, kInjected));
  EXPECT_OK(ferryFailCall("aclDataTypeSize", 1, kInjected));
  EXPECT_EQ(nullptr, aclrtGetSocName());
  EXPECT_EQ(0u, recent_text().find("aclrtGetSocName: "));
  EXPECT_EQ(0u, aclDataTypeSize(ACL_FLOAT));
  EXPECT_STREQ("Ascend910B1", aclrtGetSocName());
  EXPECT_EQ(4u, aclDataTypeSize(ACL_FLOAT));
}

FERRY_PROCESS_TEST(FerryFailCall, KnowsEveryFunctionOfTheInterface) {
  NEEDS_THE_CONTRACT();
  for (const std::string& name : contract_functions())
    EXPECT_OK(ferryFailCall(name.c_str(), 1000, kInjected)) << name;
}

FERRY_PROCESS_TEST(FerryFailCall, FailsExactlyOneOfManyThreads) {
  EXPECT_OK(ferryFailCall("aclrtGetDeviceCount", 500, kInjected));
  std::atomic<int> failures{0};
  on_threads(8, [&] {
    for (int round = 0; round < 125; ++round)
      failures += count_devices() != ACL_SUCCESS ? 1 : 0;
  });
  EXPECT_EQ(1, failures);
}

TEST(FerryFailCallArguments, RefusesWhatItCannotDo) {
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, ferryFailCall(nullptr, 1, kInjected));
  for (const char* name : {"", "aclrtNoSuchFunction", "aclrt", "aclrtmalloc", "aclrtMalloc ",
                           "ferryVersion", "*", "malloc"}) {
    EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, ferryFailCall(name, 1, kInjected)) << name;
  }
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, ferryFailCall("aclrtMalloc", 1, ACL_SUCCESS));
}

FERRY_PROCESS_TEST(FerryClearFailures, TakesBackAllRules,
                   "FERRY_FAIL=aclrtGetDeviceCount:*=207001") {
  EXPECT_EQ(ACL_ERROR_RT_MEMORY_ALLOCATION, count_devices());
  EXPECT_OK(ferryFailCall("aclrtGetRunMode", 0, kInjected));
  EXPECT_OK(ferryClearFailures());
  EXPECT_EQ(ACL_SUCCESS, count_devices());
  aclrtRunMode mode = ACL_DEVICE;
  EXPECT_OK(aclrtGetRunMode(&mode));
  EXPECT_OK(ferryFailCall("aclrtGetDeviceCount", 1, kInjected));
  EXPECT_EQ(kInjected, count_devices());
}

FERRY_PROCESS_TEST(FerryClearFailures, IsFineWithoutRules) {
  EXPECT_OK(ferryClearFailures());
  EXPECT_OK(ferryClearFailures());
}

FERRY_PROCESS_TEST(FerryFail, FailsTheNthCall, "FERRY_FAIL=aclrtGetDeviceCount:2=207001") {
  EXPECT_EQ(ACL_SUCCESS, count_devices());
  EXPECT_EQ(ACL_ERROR_RT_MEMORY_ALLOCATION, count_devices());
  EXPECT_EQ(ACL_SUCCESS, count_devices());
}

FERRY_PROCESS_TEST(FerryFail, TakesAList,
                   "FERRY_FAIL=aclrtGetDeviceCount:1=207001,aclrtGetDeviceCount:3=507899,"
                   "aclrtGetRunMode:*=507053") {
  EXPECT_EQ(ACL_ERROR_RT_MEMORY_ALLOCATION, count_devices());
  EXPECT_EQ(ACL_SUCCESS, count_devices());
  EXPECT_EQ(kInjected, count_devices());
  aclrtRunMode mode = ACL_DEVICE;
  for (int i = 0; i < 3; ++i)
    EXPECT_FAILS_WITH(ACL_ERROR_RT_DEVICE_MEM_ERROR, aclrtGetRunMode(&mode));
}

FERRY_PROCESS_TEST(FerryFail, ReachesTheFirstCallOfTheProcess, "FERRY_FAIL=aclInit:1=500000") {
  EXPECT_FAILS_WITH(ACL_ERROR_INTERNAL_ERROR, aclInit(nullptr));
  EXPECT_OK(aclInit(nullptr));
}

TEST(FerryFail, IsRefusedWhenItIsNotUnderstood) {
  if (is_child()) {
    EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, aclInit(nullptr));
    return;
  }
  for (const char* value : {"nonsense",
                            "aclrtMalloc",
                            "aclrtMalloc:1",
                            "aclrtMalloc=1",
                            "aclrtMalloc:1=",
                            "aclrtMalloc::=1",
                            "aclrtMalloc:x=207001",
                            "aclrtMalloc:-1=207001",
                            "aclrtMalloc:0=207001",
                            "aclrtMalloc:1=0",
                            "aclrtMalloc:1=x",
                            "aclrtMalloc:1=207001x",
                            "aclrtMalloc:1x=207001",
                            "aclrtMalloc:1=99999999999999999999",
                            "aclrtMalloc:99999999999999999999=207001",
                            "aclrtNoSuchFunction:1=207001",
                            ":1=207001",
                            ",",
                            "aclrtMalloc:1=207001,",
                            ",aclrtMalloc:1=207001",
                            "aclrtMalloc:1=207001;aclrtFree:1=207001",
                            "aclrtMalloc:1=207001,nonsense",
                            "aclrtMalloc :1=207001"}) {
    EXPECT_EQ(0, run_in_process("FerryFail.IsRefusedWhenItIsNotUnderstood",
                                {std::string("FERRY_FAIL=") + value}))
        << value;
  }
}

FERRY_PROCESS_TEST(FerryCallCount, CountsFromTheReset) {
  EXPECT_EQ(FERRY_NOT_COUNTED, ferryCallCount("aclrtGetDeviceCount"));
  EXPECT_NE("", recent_text());
  count_devices();
  EXPECT_OK(ferryResetCallCounts());
  EXPECT_EQ(0u, ferryCallCount("aclrtGetDeviceCount"));
  for (int i = 0; i < 3; ++i)
    count_devices();
  aclrtGetDeviceCount(nullptr);  // a call that fails counts too
  EXPECT_EQ(4u, ferryCallCount("aclrtGetDeviceCount"));
  EXPECT_EQ(0u, ferryCallCount("aclrtGetRunMode"));
  EXPECT_OK(ferryResetCallCounts());
  EXPECT_EQ(0u, ferryCallCount("aclrtGetDeviceCount"));
}

FERRY_PROCESS_TEST(FerryCallCount, CountsCallsThatFailOnPurpose) {
  EXPECT_OK(ferryResetCallCounts());
  EXPECT_OK(ferryFailCall("aclrtGetDeviceCount", 0, kInjected));
  count_devices();
  count_devices();
  EXPECT_EQ(2u, ferryCallCount("aclrtGetDeviceCount"));
  EXPECT_OK(ferryClearFailures());
  EXPECT_EQ(2u, ferryCallCount("aclrtGetDeviceCount"));
}

FERRY_PROCESS_TEST(FerryCallCount, CountsTheCallsOfTheProgramOnly) {
  ASSERT_OK(aclrtSetDevice(0));
  EXPECT_OK(ferryResetCallCounts());
  void* memory = nullptr;
  EXPECT_OK(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_OK(aclrtFreeWithDevSync(memory));
  EXPECT_EQ(1u, ferryCallCount("aclrtFreeWithDevSync"));
  EXPECT_EQ(0u, ferryCallCount("aclrtFree"));
  EXPECT_EQ(0u, ferryCallCount("aclrtSynchronizeDevice"));
}

FERRY_PROCESS_TEST(FerryCallCount, LosesNoneOfManyThreads) {
  EXPECT_OK(ferryResetCallCounts());
  on_threads(8, [] {
    for (int round = 0; round < 1000; ++round)
      count_devices();
  });
  EXPECT_EQ(8000u, ferryCallCount("aclrtGetDeviceCount"));
}

FERRY_PROCESS_TEST(FerryCallCount, RefusesWhatIsNoFunction) {
  EXPECT_OK(ferryResetCallCounts());
  for (const char* name : {static_cast<const char*>(nullptr), "", "nonsense", "ferryVersion"}) {
    clear_errors();
    EXPECT_EQ(FERRY_NOT_COUNTED, ferryCallCount(name));
    EXPECT_EQ(0u, recent_text().find("ferryCallCount: "));
  }
}

TEST(FerryGetVariable, ListsTheVariablesOnce) {
  std::set<std::string> names;
  size_t count = 0;
  ferryVariable variable = {};
  for (; ferryGetVariable(count, &variable) == ACL_SUCCESS; ++count) {
    names.insert(variable.name);
    EXPECT_NE(nullptr, variable.values) << variable.name;
    EXPECT_STRNE("", variable.meaning) << variable.name;
  }
  EXPECT_EQ(count, names.size());
  for (const char* name :
       {"FERRY_DEVICES", "FERRY_MEMORY", "FERRY_THREADS", "FERRY_SOC", "FERRY_SCHEDULE",
        "FERRY_FAIL", "FERRY_LOG", "ASCEND_RT_VISIBLE_DEVICES"}) {
    EXPECT_EQ(1u, names.count(name)) << name;
  }
  clear_errors();
}

TEST(FerryGetVariable, RefusesNullAndAnIndexPastTheEnd) {
  ferryVariable variable = {};
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, ferryGetVariable(0, nullptr));
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, ferryGetVariable(SIZE_MAX, &variable));
  EXPECT_EQ(nullptr, variable.name);
}

TEST(FerryGetProduct, ListsTheProductsOnce) {
  std::set<std::string> names;
  const std::set<std::string> families = {"A2", "A3", "950", "earlier"};
  size_t count = 0;
  ferryProduct product = {};
  for (; ferryGetProduct(count, &product) == ACL_SUCCESS; ++count) {
    names.insert(product.name);
    EXPECT_EQ(1u, families.count(product.family)) << product.name;
    EXPECT_EQ(std::string(product.family) != "earlier", product.batchCopy != 0) << product.name;
    EXPECT_EQ(product.batchCopy, product.descriptorCopy) << product.name;
  }
  EXPECT_EQ(count, names.size());
  for (const char* name : {"Ascend910B1", "Ascend910B2", "Ascend910B3", "Ascend910B4",
                           "Ascend910_9391", "Ascend310P3", "Ascend310B1"}) {
    EXPECT_EQ(1u, names.count(name)) << name;
  }
  clear_errors();
}

TEST(FerryGetProduct, RefusesNullAndAnIndexPastTheEnd) {
  ferryProduct product = {};
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, ferryGetProduct(0, nullptr));
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, ferryGetProduct(SIZE_MAX, &product));
  EXPECT_EQ(nullptr, product.name);
}

TEST(FerryGetFunction, ListsEveryFunctionOnceWithItsChapter) {
  std::map<std::string, ferryFunction> functions;
  ferryFunction function{};
  size_t count = 0;
  for (; ferryGetFunction(count, &function) == ACL_SUCCESS; ++count) {
    EXPECT_STRNE("", function.chapter);
    functions[function.name] = function;
  }
  EXPECT_EQ(count, functions.size());
  EXPECT_EQ(1, functions["aclrtMemcpyAsync"].works);
  EXPECT_STREQ("copy and set", functions["aclrtMemcpyAsync"].chapter);
  EXPECT_EQ(0, functions["aclprofGetOpNum"].works);
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, ferryGetFunction(0, nullptr));
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, ferryGetFunction(SIZE_MAX, &function));
}

TEST(FerryGetProduct, TellsWhatTheProductsDo) {
  ferryProduct product = {};
  if (is_child()) {
    size_t index = 0;
    while (ferryGetProduct(index, &product) == ACL_SUCCESS &&
           std::strcmp(product.name, std::getenv("FERRY_SOC")) != 0)
      ++index;
    ASSERT_OK(aclrtSetDevice(0));
    DeviceBuffer device(64);
    PinnedBuffer host(64);
    void* destination = device.get();
    void* source = host.get();
    size_t size = 64, first = 0, fail_index = 0;
    aclrtMemcpyBatchAttr attribute = {};
    attribute.dstLoc.type = ACL_MEM_LOCATION_TYPE_DEVICE;
    EXPECT_EQ(product.batchCopy != 0 ? ACL_SUCCESS : ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
              aclrtMemcpyBatch(&destination, &size, &source, &size, 1, &attribute, &first, 1,
                               &fail_index));
    EXPECT_EQ(product.descriptorCopy != 0 ? ACL_SUCCESS : ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
              aclrtGetMemcpyDescSize(ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, &size));
    EXPECT_EQ(product.memsetD32 != 0 ? ACL_SUCCESS : ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
              aclrtMemsetD32(device.get(), 64, 1, 16));
    return;
  }
  for (size_t index = 0; ferryGetProduct(index, &product) == ACL_SUCCESS; ++index) {
    EXPECT_EQ(0, run_in_process("FerryGetProduct.TellsWhatTheProductsDo",
                                {std::string("FERRY_SOC=") + product.name}))
        << product.name;
  }
  clear_errors();
}

TEST(FerryGetRule, ListsEachRuleOnce) {
  std::set<std::string> names;
  ferryRule rule = {};
  for (size_t i = 0; ferryGetRule(i, &rule) == ACL_SUCCESS; ++i) {
    EXPECT_TRUE(names.insert(rule.name).second) << rule.name;
    EXPECT_TRUE(std::string("error") == rule.severity || std::string("note") == rule.severity);
    EXPECT_STRNE("", rule.summary) << rule.name;
    EXPECT_STRNE("", rule.advice) << rule.name;
    EXPECT_EQ(std::string("unaligned") == rule.name ? 1 : 0, rule.mutedByDefault) << rule.name;
  }
  EXPECT_EQ(1u, names.count("host-write-in-flight"));
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, ferryGetRule(names.size(), &rule));
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, ferryGetRule(0, nullptr));
}

FERRY_PROCESS_TEST(FerryGetSchedule, TellsNameAndSeed, "FERRY_SCHEDULE=shuffle:7") {
  uint64_t seed = 0;
  EXPECT_STREQ("shuffle", ferryGetSchedule(&seed));
  EXPECT_EQ(7u, seed);
  EXPECT_STREQ("shuffle", ferryGetSchedule(nullptr));
}

FERRY_PROCESS_TEST(FerryGetSchedule, HasNoSeedForOtherSchedules, "FERRY_SCHEDULE=lazy") {
  uint64_t seed = 1;
  EXPECT_STREQ("lazy", ferryGetSchedule(&seed));
  EXPECT_EQ(0u, seed);
}

FERRY_PROCESS_TEST(FerryGetSchedule, FailsWhereTheConfigurationIsWrong, "FERRY_SCHEDULE=sideways") {
  EXPECT_EQ(nullptr, ferryGetSchedule(nullptr));
  EXPECT_NE(std::string::npos, recent_text().find("FERRY_SCHEDULE"));
}

TEST(FerryGetDevice, TellsKindMemoryAndName) {
  ferryDevice device = {};
  EXPECT_OK(ferryGetDevice(0, &device));
  EXPECT_GT(device.memory, 0u);
  ASSERT_NE(nullptr, device.kind);
  ASSERT_NE(nullptr, device.name);
  if (has_cpu_device()) {
    EXPECT_STREQ("cpu", device.kind);
    EXPECT_STREQ("", device.name);
  }
}

TEST(FerryGetDevice, RefusesNullAndDevicesThatAreNotThere) {
  ferryDevice device = {};
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, ferryGetDevice(0, nullptr));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_INVALID_DEVICEID, ferryGetDevice(-1, &device));
  EXPECT_EQ(nullptr, device.kind);
  clear_errors();
}

// How many bytes device 0 has moved, over all ways it lists.
uint64_t bytes_of_all_ways() {
  uint64_t bytes = 0;
  ferryCopyWay way = {};
  for (size_t index = 0; ferryGetCopyWay(0, index, &way) == ACL_SUCCESS; ++index) {
    EXPECT_STRNE("", way.name);
    EXPECT_NE(nullptr, way.reason);
    bytes += way.bytes;
  }
  clear_errors();
  return bytes;
}

using FerryGetCopyWay = WithDevice;

TEST_F(FerryGetCopyWay, ListsNoneForDevicesWithOnlyOne) {
  NEEDS_CPU_DEVICE("other devices may have several ways");
  ferryCopyWay way = {};
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, ferryGetCopyWay(0, 0, &way));
  EXPECT_EQ(nullptr, way.name);
  EXPECT_EQ(0u, bytes_of_all_ways());
}

TEST_F(FerryGetCopyWay, CountsWhatIsCopied) {
  ferryCopyWay first = {};
  if (ferryGetCopyWay(0, 0, &first) != ACL_SUCCESS) GTEST_SKIP() << "device 0 lists no ways";
  const uint64_t before = bytes_of_all_ways();
  const DeviceBuffer device(4096);
  const PinnedBuffer host(4096);
  EXPECT_OK(
      aclrtMemcpyAsync(device.get(), 4096, host.get(), 4096, ACL_MEMCPY_HOST_TO_DEVICE, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(before + 4096, bytes_of_all_ways());
}

TEST_F(FerryGetCopyWay, RefusesNullAndDevicesThatAreNotThere) {
  ferryCopyWay way = {};
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, ferryGetCopyWay(0, 0, nullptr));
  EXPECT_FAILS_WITH(ACL_ERROR_INVALID_PARAM, ferryGetCopyWay(0, SIZE_MAX, &way));
  EXPECT_FAILS_WITH(ACL_ERROR_RT_INVALID_DEVICEID, ferryGetCopyWay(-1, 0, &way));
  EXPECT_EQ(nullptr, way.name);
  clear_errors();
}

}  // namespace
}  // namespace conformance::ferry_test
