// SPDX-License-Identifier: Apache-2.0
// The small libraries: communication, profiling, marks, driver, management, platform, log.
#include "companions/types.h"
#include "hccl/hccl.h"
#include "ms_tools_ext.h"
#include "support.h"

#include "acl/acl_platform.h"
#include "acl/acl_prof.h"

#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <thread>
#include <vector>

// Programs find these with dlsym or declare them for themselves.
extern "C" {
uint64_t MsprofGetHashId(const char* hashInfo, size_t length);
uint64_t MsprofSysCycleTime();
int32_t MsprofReportApi(uint32_t flag, const MsprofApi* api);
int32_t MsprofReportCompactInfo(uint32_t flag, const void* data, uint32_t length);
int32_t MsprofReportAdditionalInfo(uint32_t flag, const void* data, uint32_t length);
int32_t MsprofRegisterCallback(uint32_t moduleId, ProfCommandHandle handle);
aclError aclprofWarmup(const aclprofConfig* config);
aclError aclprofGetSupportedFeatures(size_t* size, void** data);
aclError aclprofGetSupportedFeaturesV2(size_t* size, void** data);
aclError aclprofRegisterDeviceCallback();
drvError_t drvGetDevNum(uint32_t* count);
drvError_t halGetDeviceInfo(uint32_t device, int32_t module, int32_t info, int64_t* value);
drvError_t halGetAPIVersion(int* version);
drvError_t halHostRegister(void* address, UINT64 size, UINT32 flag, UINT32 device, void** result);
drvError_t halHostUnregisterEx(void* address, UINT32 device, UINT32 flag);
int dsmi_get_version(int device, char* version, unsigned int size, unsigned int* length);
int dcmi_init();
int dcmi_get_card_num_list(int* count, int* list, int size);
int dcmi_get_affinity_cpu_info_by_device_id(int card, int device, char* list, int* length);
int dcmi_get_device_id_in_card(int card, int* devices, int* mcu, int* cpu);
int dcmi_get_device_pcie_info_v2(int card, int device, dcmi_pcie_info_all* info);
int32_t AlogCheckDebugLevel(uint32_t module, int32_t level);
int32_t AlogRecord(uint32_t module, uint32_t type, int32_t level, const char* format, ...);
int32_t CheckLogLevel(int32_t module, int32_t level);
void DlogRecord(int32_t module, int32_t level, const char* format, ...);
int32_t dlog_getlevel(int32_t module, int32_t* event);
}

namespace {

using companion_tests::kBadArgument;
using companion_tests::recent_text;

TEST(Hccl, Refuses) {
  HcclRootInfo root;
  HcclComm comm = nullptr;
  uint32_t rank = 0;
  char name[128];
  EXPECT_FAILS(HCCL_E_NOT_SUPPORT, HcclGetRootInfo(&root));
  EXPECT_FAILS(HCCL_E_NOT_SUPPORT, HcclCommInitRootInfo(1, &root, 0, &comm));
  EXPECT_FAILS(HCCL_E_NOT_SUPPORT, HcclCommInitAll(1, nullptr, &comm));
  EXPECT_FAILS(HCCL_E_NOT_SUPPORT, HcclAllReduce(nullptr, nullptr, 0, HCCL_DATA_TYPE_FP32,
                                                 HCCL_REDUCE_SUM, nullptr, nullptr));
  EXPECT_FAILS(HCCL_E_NOT_SUPPORT, HcclGetRankId(nullptr, &rank));
  EXPECT_FAILS(HCCL_E_NOT_SUPPORT, HcclGetCommName(nullptr, name));
  EXPECT_FAILS(HCCL_E_NOT_SUPPORT, HcclCommDestroy(nullptr));
}

TEST(Hccl, AnswersWhatNeedsNoCommunicator) {
  HcclConfigValue value;
  value.value = 1;
  EXPECT_EQ(HCCL_SUCCESS, HcclSetConfig(HCCL_DETERMINISTIC, value));
  EXPECT_EQ(HCCL_E_PARA, HcclSetConfig(HCCL_CONFIG_RESERVED, value));
  EXPECT_EQ(0u, HcclGetCommConfigCapability());
  std::set<std::string> texts;
  for (int code = 0; code < HCCL_E_RESERVED; ++code)
    EXPECT_TRUE(texts.insert(HcclGetErrorString(companion_tests::as_enum<HcclResult>(code))).second)
        << code;
  EXPECT_NE(nullptr, HcclGetErrorString(companion_tests::as_enum<HcclResult>(-1)));
  EXPECT_NE(nullptr, HcclGetErrorString(HCCL_E_RESERVED));
}

TEST(Profapi, HasAClockAndAHash) {
  const uint64_t before = MsprofSysCycleTime();
  EXPECT_LE(before, MsprofSysCycleTime());
  EXPECT_EQ(MsprofGetHashId("kernel", 6), MsprofGetHashId("kernel_2", 6));
  EXPECT_NE(MsprofGetHashId("kernel", 6), MsprofGetHashId("kernel", 5));
  EXPECT_NE(0u, MsprofGetHashId("", 0));
  EXPECT_NE(0u, MsprofGetHashId(nullptr, 5));
  EXPECT_EQ(0, MsprofRegisterCallback(1, nullptr));
  const MsprofApi api{};
  EXPECT_EQ(0, MsprofReportApi(0, &api));
  EXPECT_EQ(0, MsprofReportCompactInfo(0, &api, sizeof api));
  EXPECT_EQ(0, MsprofReportAdditionalInfo(0, &api, sizeof api));
}

TEST(Msprofiler, HasWhatTorchAsksFor) {
  EXPECT_FAILS(kBadArgument, aclprofWarmup(nullptr));
  size_t size = 7;
  void* data = &size;
  EXPECT_OK(aclprofGetSupportedFeaturesV2(&size, &data));
  EXPECT_EQ(0u, size);
  EXPECT_OK(aclprofGetSupportedFeatures(&size, &data));
  EXPECT_FAILS(kBadArgument, aclprofGetSupportedFeatures(nullptr, &data));
  EXPECT_FAILS(kBadArgument, aclprofGetSupportedFeaturesV2(&size, nullptr));
  EXPECT_OK(aclprofRegisterDeviceCallback());
}

TEST(ToolsExt, RangesHaveIdsOfTheirOwn) {
  mstxMarkA("mark", nullptr);
  mstxMarkA(nullptr, nullptr);
  EXPECT_EQ(0u, mstxRangeStartA(nullptr, nullptr));
  const mstxRangeId one = mstxRangeStartA("one", nullptr);
  const mstxRangeId two = mstxRangeStartA("two", nullptr);
  EXPECT_NE(0u, one);
  EXPECT_NE(one, two);
  mstxRangeEnd(one);
  mstxRangeEnd(two);
  mstxRangeEnd(two);
  mstxRangeEnd(UINT64_MAX);
  mstxRangeEnd(0);
}

TEST(ToolsExt, DomainsAreFoundByName) {
  EXPECT_EQ(nullptr, mstxDomainCreateA(nullptr));
  mstxDomainHandle_t one = mstxDomainCreateA("one");
  ASSERT_NE(nullptr, one);
  EXPECT_EQ(one, mstxDomainCreateA("one"));
  mstxDomainHandle_t other = mstxDomainCreateA("other");
  EXPECT_NE(one, other);
  mstxDomainMarkA(one, "mark", nullptr);
  const mstxRangeId range = mstxDomainRangeStartA(one, "range", nullptr);
  EXPECT_NE(0u, range);
  EXPECT_EQ(0u, mstxDomainRangeStartA(nullptr, "range", nullptr));
  EXPECT_EQ(0u, mstxDomainRangeStartA(one, nullptr, nullptr));
  mstxDomainRangeEnd(one, range);
  mstxDomainDestroy(one);
  mstxDomainDestroy(one);  // ignored
  mstxDomainMarkA(one, "mark", nullptr);
  EXPECT_EQ(0u, mstxDomainRangeStartA(one, "range", nullptr));
  EXPECT_NE(nullptr, mstxDomainCreateA("one"));
  mstxDomainDestroy(other);
}

TEST(ToolsExt, MemoryGetsHandles) {
  EXPECT_EQ(nullptr, mstxMemHeapRegister(nullptr, nullptr));
  mstxMemHeapDesc_t desc{};
  mstxMemHeapHandle_t heap = mstxMemHeapRegister(nullptr, &desc);
  ASSERT_NE(nullptr, heap);
  mstxMemRegionHandle_t regions[3] = {};
  mstxMemRegionsRegisterBatch_t batch{};
  batch.heap = heap;
  batch.regionCount = 3;
  batch.regionHandleArrayOut = regions;
  mstxMemRegionsRegister(nullptr, &batch);
  for (mstxMemRegionHandle_t region : regions)
    EXPECT_NE(nullptr, region);
  EXPECT_NE(regions[0], regions[1]);
  mstxMemRegionsRegister(nullptr, nullptr);
  mstxMemRegionsUnregisterBatch_t gone{};
  mstxMemRegionsUnregister(nullptr, &gone);
  mstxMemHeapUnregister(nullptr, heap);
  mstxMemHeapUnregister(nullptr, heap);  // ignored
  mstxMemHeapUnregister(nullptr, nullptr);
}

TEST(ToolsExt, ManyThreadsAtOnce) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([] {
      for (int round = 0; round < 100; ++round) {
        mstxDomainHandle_t domain = mstxDomainCreateA("shared");
        mstxDomainRangeEnd(domain, mstxDomainRangeStartA(domain, "x", nullptr));
        mstxMemHeapDesc_t desc{};
        mstxMemHeapUnregister(domain, mstxMemHeapRegister(domain, &desc));
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
}

TEST(Hal, TellsAboutDevices) {
  uint32_t devices = 0;
  EXPECT_EQ(DRV_ERROR_NONE, drvGetDevNum(&devices));
  EXPECT_LE(1u, devices);
  EXPECT_EQ(DRV_ERROR_INVALID_VALUE, drvGetDevNum(nullptr));
  int version = 0;
  EXPECT_EQ(DRV_ERROR_NONE, halGetAPIVersion(&version));
  EXPECT_EQ(0x072419, version);
  EXPECT_EQ(DRV_ERROR_INVALID_VALUE, halGetAPIVersion(nullptr));
  int64_t value = -1;
  EXPECT_EQ(DRV_ERROR_NONE, halGetDeviceInfo(0, 0, 26, &value));
  EXPECT_EQ(0, value);
  EXPECT_EQ(DRV_ERROR_INVALID_VALUE, halGetDeviceInfo(0, 0, 26, nullptr));
  EXPECT_EQ(DRV_ERROR_NOT_SUPPORT, halGetDeviceInfo(0, 0, 24, &value));
  EXPECT_EQ(DRV_ERROR_NOT_SUPPORT, halGetDeviceInfo(0, 99, 26, &value));
  EXPECT_EQ(DRV_ERROR_INVALID_DEVICE, halGetDeviceInfo(devices, 0, 26, &value));
  aclrtGetLastError(ACL_RT_THREAD_LEVEL);
  recent_text();
}

TEST(Hal, RegistersHostMemory) {
  ASSERT_OK(aclrtSetDevice(0));
  constexpr size_t kPage = 4096;
  void* const memory = std::aligned_alloc(kPage, kPage);
  void* mapped = nullptr;
  EXPECT_EQ(DRV_ERROR_NONE, halHostRegister(memory, kPage, 3, 0, &mapped));
  EXPECT_NE(nullptr, mapped);
  EXPECT_EQ(DRV_ERROR_PARA_ERROR, halHostRegister(memory, kPage, 3, 0, &mapped));
  EXPECT_EQ(DRV_ERROR_NONE, halHostUnregisterEx(memory, 0, 3));
  EXPECT_EQ(DRV_ERROR_INVALID_VALUE, halHostUnregisterEx(memory, 0, 3));
  EXPECT_EQ(DRV_ERROR_INVALID_VALUE, halHostUnregisterEx(nullptr, 0, 3));
  EXPECT_EQ(DRV_ERROR_INVALID_VALUE, halHostRegister(memory, kPage, 8, 0, &mapped));
  EXPECT_EQ(DRV_ERROR_INVALID_VALUE, halHostRegister(nullptr, kPage, 3, 0, &mapped));
  EXPECT_EQ(DRV_ERROR_INVALID_VALUE, halHostRegister(memory, kPage, 3, 0, nullptr));
  std::free(memory);
  EXPECT_OK(aclrtResetDevice(0));
  aclrtGetLastError(ACL_RT_THREAD_LEVEL);
  recent_text();
}

TEST(Dsmi, TellsTheVersionOfTheDriver) {
  char version[16] = "";
  unsigned int length = 0;
  EXPECT_EQ(0, dsmi_get_version(0, version, sizeof version, &length));
  EXPECT_EQ(std::strlen(version), length);
  EXPECT_LE(25, std::atoi(version));
  EXPECT_EQ(0, dsmi_get_version(0, version, length + 1, &length));
  EXPECT_NE(0, dsmi_get_version(0, version, length, &length));
  EXPECT_NE(0, dsmi_get_version(0, nullptr, 16, &length));
  EXPECT_NE(0, dsmi_get_version(0, version, 16, nullptr));
}

TEST(Dcmi, EveryDeviceIsACard) {
  EXPECT_EQ(0, dcmi_init());
  uint32_t devices = 0;
  EXPECT_EQ(DRV_ERROR_NONE, drvGetDevNum(&devices));
  std::vector<int> cards(64, -1);
  int count = 0;
  EXPECT_EQ(0, dcmi_get_card_num_list(&count, cards.data(), 64));
  EXPECT_EQ(static_cast<int>(devices), count);
  EXPECT_EQ(0, cards[0]);
  int in_card = 0;
  int mcu = 0;
  int cpu = 0;
  EXPECT_EQ(0, dcmi_get_device_id_in_card(0, &in_card, &mcu, &cpu));
  EXPECT_EQ(1, in_card);
  EXPECT_EQ(-1, mcu);
  EXPECT_EQ(-1, cpu);
  char list[64] = "";
  int length = 0;
  EXPECT_EQ(0, dcmi_get_affinity_cpu_info_by_device_id(0, 0, list, &length));
  EXPECT_EQ(std::strlen(list), static_cast<size_t>(length));
  EXPECT_TRUE(length > 0 && list[0] >= '0' && list[0] <= '9') << list;
  EXPECT_NE(0, dcmi_get_affinity_cpu_info_by_device_id(0, 1, list, &length));
  EXPECT_NE(0, dcmi_get_affinity_cpu_info_by_device_id(count, 0, list, &length));
  EXPECT_NE(0, dcmi_get_affinity_cpu_info_by_device_id(0, 0, nullptr, &length));
  EXPECT_NE(0, dcmi_get_device_id_in_card(count, &in_card, &mcu, &cpu));
  EXPECT_NE(0, dcmi_get_card_num_list(nullptr, cards.data(), 64));
}

TEST(Dcmi, TellsTheAddressOnTheBus) {
  dcmi_pcie_info_all info{};
  char text[16] = "";
  const bool is_known = aclrtDeviceGetPCIBusId(0, text, sizeof text) == ACL_SUCCESS;
  EXPECT_EQ(is_known, dcmi_get_device_pcie_info_v2(0, 0, &info) == 0);
  if (is_known) {
    char again[32];
    std::snprintf(again, sizeof again, "%04x:%02x:%02x.%x", static_cast<unsigned>(info.domain),
                  info.bdf_busid, info.bdf_deviceid, info.bdf_funcid);
    EXPECT_STREQ(text, again);
  }
  EXPECT_NE(0, dcmi_get_device_pcie_info_v2(0, 0, nullptr));
  EXPECT_NE(0, dcmi_get_device_pcie_info_v2(-1, 0, &info));
  aclrtGetLastError(ACL_RT_THREAD_LEVEL);
  recent_text();
}

TEST(Platform, TellsFactsAboutTheProduct) {
  char text[64] = "";
  EXPECT_OK(aclplatformGetDeviceInfo(ACL_PLATFORM_SOC_VERSION, text, sizeof text));
  EXPECT_STREQ(aclrtGetSocName(), text);
  int64_t cores = 0;
  EXPECT_OK(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_VECTOR_CORE_NUM, &cores));
  EXPECT_OK(aclplatformGetDeviceInfo(ACL_PLATFORM_VECTOR_CORE_CNT, text, sizeof text));
  EXPECT_EQ(std::to_string(cores), text);
  EXPECT_OK(aclplatformGetDeviceInfo(ACL_PLATFORM_NPU_ARCH, text, 5));
  EXPECT_STREQ("2201", text);
  EXPECT_FAILS(kBadArgument, aclplatformGetDeviceInfo(ACL_PLATFORM_NPU_ARCH, text, 4));
  for (const auto fact : {ACL_PLATFORM_AICORE_CNT, ACL_PLATFORM_CUBE_CORE_CNT, ACL_PLATFORM_L2_SIZE,
                          ACL_PLATFORM_MEMORY_SIZE}) {
    EXPECT_OK(aclplatformGetDeviceInfo(fact, text, sizeof text));
    EXPECT_LT(0, std::atoll(text)) << fact;
  }
  EXPECT_FAILS(kBadArgument, aclplatformGetDeviceInfo(ACL_PLATFORM_CUBE_FREQ, text, 64));
  EXPECT_FAILS(kBadArgument, aclplatformGetDeviceInfo(
                                 companion_tests::as_enum<aclplatformDevInfo>(17), text, 64));
  EXPECT_FAILS(kBadArgument, aclplatformGetDeviceInfo(ACL_PLATFORM_L2_SIZE, nullptr, 64));
  EXPECT_FAILS(kBadArgument, aclplatformGetDeviceInfo(ACL_PLATFORM_L2_SIZE, text, 0));
  const auto core = ACL_PLATFORM_CORE_TYPE_AI_CORE;
  EXPECT_FAILS(kBadArgument, aclplatformGetInstructionInfo(core, "Intrinsic_vadd", text, 64));
  EXPECT_FAILS(kBadArgument, aclplatformGetInstructionInfo(core, nullptr, text, 64));
  EXPECT_FAILS(kBadArgument, aclplatformGetInstructionInfo(core, "x", nullptr, 64));
  EXPECT_FAILS(kBadArgument, aclplatformGetInstructionInfo(
                                 companion_tests::as_enum<aclplatformCoreType>(2), "x", text, 64));
}

// Without FERRY_LOG nothing is logged.
TEST(Alog, SaysWhatIsLogged) {
  EXPECT_EQ(0, AlogCheckDebugLevel(1, 0));
  EXPECT_EQ(0, CheckLogLevel(1, 3));
  EXPECT_EQ(0, AlogCheckDebugLevel(0, 100));
  EXPECT_EQ(0, AlogCheckDebugLevel(0, -1));
  int32_t event = 7;
  EXPECT_EQ(4, dlog_getlevel(1, &event));
  EXPECT_EQ(0, event);
  EXPECT_EQ(4, dlog_getlevel(1, nullptr));
  EXPECT_EQ(0, AlogRecord(1, 0, 3, "number %d", 7));
  EXPECT_EQ(0, AlogRecord(1, 0, 3, nullptr));
  DlogRecord(1, 3, "number %d", 7);
  DlogRecord(1, -1, "%s", "text");
}

// Also run with FERRY_LOG=warn: companions.log.
TEST(Alog, WritesWhatIsLogged) {
  const bool is_on = std::getenv("FERRY_LOG") != nullptr;
  testing::internal::CaptureStderr();
  EXPECT_EQ(0, AlogRecord(5, 0, 3, "number %d", 7));
  DlogRecord(6, 2, "text %s", "of a program");
  DlogRecord(6, 1, "too detailed");
  const std::string written = testing::internal::GetCapturedStderr();
  EXPECT_EQ(is_on, written.find("number 7") != std::string::npos) << written;
  EXPECT_EQ(is_on, written.find("text of a program") != std::string::npos) << written;
  EXPECT_EQ(std::string::npos, written.find("too detailed")) << written;
  EXPECT_EQ(is_on ? 2 : 4, dlog_getlevel(1, nullptr));
}

}  // namespace
