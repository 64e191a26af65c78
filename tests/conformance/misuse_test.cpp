// SPDX-License-Identifier: Apache-2.0
// Misuse never crashes the process: zeros for all arguments of every working function. The script
// check_refused.py compares the table with the interface. Wrong handles, addresses and sizes have
// their own files.
#include "support/devices.h"
#include "support/zero_call.h"

#include <cstring>

namespace conformance::misuse_test {
namespace {

// clang-format off
constexpr ZeroCall kWorking[] = {
    {"aclFloat16ToFloat", zeros<aclFloat16ToFloat>},
    {"aclFloatToFloat16", zeros<aclFloatToFloat16>},
    {"aclCreateDataBuffer", zeros<aclCreateDataBuffer>},
    {"aclDestroyDataBuffer", zeros<aclDestroyDataBuffer>},
    {"aclUpdateDataBuffer", zeros<aclUpdateDataBuffer>},
    {"aclGetDataBufferAddr", zeros<aclGetDataBufferAddr>},
    {"aclGetDataBufferSize", zeros<aclGetDataBufferSize>},
    {"aclGetDataBufferSizeV2", zeros<aclGetDataBufferSizeV2>},
    {"aclDataTypeSize", zeros<aclDataTypeSize>},
    {"aclrtGetSocName", zeros<aclrtGetSocName>},
    {"aclGetCannAttributeList", zeros<aclGetCannAttributeList>},
    {"aclGetCannAttribute", zeros<aclGetCannAttribute>},
    {"aclGetDeviceCapability", zeros<aclGetDeviceCapability>},
    {"aclInit", zeros<aclInit>},
    {"aclFinalize", zeros<aclFinalize>},
    {"aclFinalizeReference", zeros<aclFinalizeReference>},
    {"aclGetRecentErrMsg", zeros<aclGetRecentErrMsg>},
    {"aclsysGetCANNVersion", zeros<aclsysGetCANNVersion>},
    {"aclsysGetVersionStr", zeros<aclsysGetVersionStr>},
    {"aclsysGetVersionNum", zeros<aclsysGetVersionNum>},
    {"aclrtPeekAtLastError", zeros<aclrtPeekAtLastError>},
    {"aclrtGetLastError", zeros<aclrtGetLastError>},
    {"aclrtSetExceptionInfoCallback", zeros<aclrtSetExceptionInfoCallback>},
    {"aclrtGetTaskIdFromExceptionInfo", zeros<aclrtGetTaskIdFromExceptionInfo>},
    {"aclrtGetStreamIdFromExceptionInfo", zeros<aclrtGetStreamIdFromExceptionInfo>},
    {"aclrtGetThreadIdFromExceptionInfo", zeros<aclrtGetThreadIdFromExceptionInfo>},
    {"aclrtGetDeviceIdFromExceptionInfo", zeros<aclrtGetDeviceIdFromExceptionInfo>},
    {"aclrtGetErrorCodeFromExceptionInfo", zeros<aclrtGetErrorCodeFromExceptionInfo>},
    {"aclrtSubscribeReport", zeros<aclrtSubscribeReport>},
    {"aclrtLaunchCallback", zeros<aclrtLaunchCallback>},
    {"aclrtProcessReport", zeros<aclrtProcessReport>},
    {"aclrtUnSubscribeReport", zeros<aclrtUnSubscribeReport>},
    {"aclrtCreateContext", zeros<aclrtCreateContext>},
    {"aclrtDestroyContext", zeros<aclrtDestroyContext>},
    {"aclrtSetCurrentContext", zeros<aclrtSetCurrentContext>},
    {"aclrtGetCurrentContext", zeros<aclrtGetCurrentContext>},
    {"aclrtSetDevice", zeros<aclrtSetDevice>},
    {"aclrtResetDevice", zeros<aclrtResetDevice>},
    {"aclrtResetDeviceForce", zeros<aclrtResetDeviceForce>},
    {"aclrtGetDevice", zeros<aclrtGetDevice>},
    {"aclrtSetStreamFailureMode", zeros<aclrtSetStreamFailureMode>},
    {"aclrtGetRunMode", zeros<aclrtGetRunMode>},
    {"aclrtSynchronizeDevice", zeros<aclrtSynchronizeDevice>},
    {"aclrtSynchronizeDeviceWithTimeout", zeros<aclrtSynchronizeDeviceWithTimeout>},
    {"aclrtSetTsDevice", zeros<aclrtSetTsDevice>},
    {"aclrtGetDeviceUtilizationRate", zeros<aclrtGetDeviceUtilizationRate>},
    {"aclrtGetDeviceCount", zeros<aclrtGetDeviceCount>},
    {"aclrtCreateEvent", zeros<aclrtCreateEvent>},
    {"aclrtCreateEventWithFlag", zeros<aclrtCreateEventWithFlag>},
    {"aclrtCreateEventExWithFlag", zeros<aclrtCreateEventExWithFlag>},
    {"aclrtDestroyEvent", zeros<aclrtDestroyEvent>},
    {"aclrtRecordEvent", zeros<aclrtRecordEvent>},
    {"aclrtRecordEventWithFlag", zeros<aclrtRecordEventWithFlag>},
    {"aclrtResetEvent", zeros<aclrtResetEvent>},
    {"aclrtQueryEvent", zeros<aclrtQueryEvent>},
    {"aclrtQueryEventStatus", zeros<aclrtQueryEventStatus>},
    {"aclrtQueryEventWaitStatus", zeros<aclrtQueryEventWaitStatus>},
    {"aclrtSynchronizeEvent", zeros<aclrtSynchronizeEvent>},
    {"aclrtSynchronizeEventWithTimeout", zeros<aclrtSynchronizeEventWithTimeout>},
    {"aclrtEventElapsedTime", zeros<aclrtEventElapsedTime>},
    {"aclrtEventGetTimestamp", zeros<aclrtEventGetTimestamp>},
    {"aclrtMalloc", zeros<aclrtMalloc>},
    {"aclrtMallocAlign32", zeros<aclrtMallocAlign32>},
    {"aclrtMallocCached", zeros<aclrtMallocCached>},
    {"aclrtMallocWithCfg", zeros<aclrtMallocWithCfg>},
    {"aclrtMallocForTaskScheduler", zeros<aclrtMallocForTaskScheduler>},
    {"aclrtMallocHostWithCfg", zeros<aclrtMallocHostWithCfg>},
    {"aclrtPointerGetAttributes", zeros<aclrtPointerGetAttributes>},
    {"aclrtHostRegister", zeros<aclrtHostRegister>},
    {"aclrtHostRegisterV2", zeros<aclrtHostRegisterV2>},
    {"aclrtHostGetDevicePointer", zeros<aclrtHostGetDevicePointer>},
    {"aclrtHostUnregister", zeros<aclrtHostUnregister>},
    {"aclrtHostMemMapCapabilities", zeros<aclrtHostMemMapCapabilities>},
    {"aclrtStreamGetId", zeros<aclrtStreamGetId>},
    {"aclrtMemFlush", zeros<aclrtMemFlush>},
    {"aclrtMemInvalidate", zeros<aclrtMemInvalidate>},
    {"aclrtFree", zeros<aclrtFree>},
    {"aclrtMallocHost", zeros<aclrtMallocHost>},
    {"aclrtFreeHost", zeros<aclrtFreeHost>},
    {"aclrtFreeWithDevSync", zeros<aclrtFreeWithDevSync>},
    {"aclrtFreeHostWithDevSync", zeros<aclrtFreeHostWithDevSync>},
    {"aclrtMemcpy", zeros<aclrtMemcpy>},
    {"aclrtMemset", zeros<aclrtMemset>},
    {"aclrtMemcpyAsync", zeros<aclrtMemcpyAsync>},
    {"aclrtMemsetD32", zeros<aclrtMemsetD32>},
    {"aclrtMemsetD32Async", zeros<aclrtMemsetD32Async>},
    {"aclrtMemcpyAsyncWithCondition", zeros<aclrtMemcpyAsyncWithCondition>},
    {"aclrtMemcpy2d", zeros<aclrtMemcpy2d>},
    {"aclrtMemcpy2dAsync", zeros<aclrtMemcpy2dAsync>},
    {"aclrtMemsetAsync", zeros<aclrtMemsetAsync>},
    {"aclrtCreateStreamConfigHandle", zeros<aclrtCreateStreamConfigHandle>},
    {"aclrtDestroyStreamConfigHandle", zeros<aclrtDestroyStreamConfigHandle>},
    {"aclrtSetStreamConfigOpt", zeros<aclrtSetStreamConfigOpt>},
    {"aclrtCreateStream", zeros<aclrtCreateStream>},
    {"aclrtCreateStreamV2", zeros<aclrtCreateStreamV2>},
    {"aclrtCreateStreamWithConfig", zeros<aclrtCreateStreamWithConfig>},
    {"aclrtDestroyStream", zeros<aclrtDestroyStream>},
    {"aclrtDestroyStreamForce", zeros<aclrtDestroyStreamForce>},
    {"aclrtSynchronizeStream", zeros<aclrtSynchronizeStream>},
    {"aclrtSynchronizeStreamWithTimeout", zeros<aclrtSynchronizeStreamWithTimeout>},
    {"aclrtStreamQuery", zeros<aclrtStreamQuery>},
    {"aclrtStreamGetPriority", zeros<aclrtStreamGetPriority>},
    {"aclrtStreamGetFlags", zeros<aclrtStreamGetFlags>},
    {"aclrtStreamWaitEvent", zeros<aclrtStreamWaitEvent>},
    {"aclrtStreamWaitEventWithFlag", zeros<aclrtStreamWaitEventWithFlag>},
    {"aclrtStreamWaitEventWithTimeout", zeros<aclrtStreamWaitEventWithTimeout>},
    {"aclrtDeviceCanAccessPeer", zeros<aclrtDeviceCanAccessPeer>},
    {"aclrtDeviceEnablePeerAccess", zeros<aclrtDeviceEnablePeerAccess>},
    {"aclrtDeviceDisablePeerAccess", zeros<aclrtDeviceDisablePeerAccess>},
    {"aclrtGetMemInfo", zeros<aclrtGetMemInfo>},
    {"aclrtGetMemUsageInfo", zeros<aclrtGetMemUsageInfo>},
    {"aclrtSetOpWaitTimeout", zeros<aclrtSetOpWaitTimeout>},
    {"aclrtSetOpExecuteTimeOut", zeros<aclrtSetOpExecuteTimeOut>},
    {"aclrtSetOpExecuteTimeOutV2", zeros<aclrtSetOpExecuteTimeOutV2>},
    {"aclrtSetStreamOverflowSwitch", zeros<aclrtSetStreamOverflowSwitch>},
    {"aclrtGetStreamOverflowSwitch", zeros<aclrtGetStreamOverflowSwitch>},
    {"aclrtSetDeviceSatMode", zeros<aclrtSetDeviceSatMode>},
    {"aclrtGetDeviceSatMode", zeros<aclrtGetDeviceSatMode>},
    {"aclrtQueryDeviceStatus", zeros<aclrtQueryDeviceStatus>},
    {"aclrtDeviceGetBareTgid", zeros<aclrtDeviceGetBareTgid>},
    {"aclrtStreamAbort", zeros<aclrtStreamAbort>},
    {"aclrtGetMemcpyDescSize", zeros<aclrtGetMemcpyDescSize>},
    {"aclrtSetMemcpyDesc", zeros<aclrtSetMemcpyDesc>},
    {"aclrtMemcpyAsyncWithOffset", zeros<aclrtMemcpyAsyncWithOffset>},
    {"aclrtMemcpyAsyncWithDesc", zeros<aclrtMemcpyAsyncWithDesc>},
    {"aclrtGetStreamAvailableNum", zeros<aclrtGetStreamAvailableNum>},
    {"aclrtSetStreamAttribute", zeros<aclrtSetStreamAttribute>},
    {"aclrtGetStreamAttribute", zeros<aclrtGetStreamAttribute>},
    {"aclrtCreateNotify", zeros<aclrtCreateNotify>},
    {"aclrtDestroyNotify", zeros<aclrtDestroyNotify>},
    {"aclrtRecordNotify", zeros<aclrtRecordNotify>},
    {"aclrtWaitAndResetNotify", zeros<aclrtWaitAndResetNotify>},
    {"aclrtGetNotifyId", zeros<aclrtGetNotifyId>},
    {"aclrtGetEventId", zeros<aclrtGetEventId>},
    {"aclrtGetEventAvailNum", zeros<aclrtGetEventAvailNum>},
    {"aclrtGetDeviceInfo", zeros<aclrtGetDeviceInfo>},
    {"aclrtDeviceGetStreamPriorityRange", zeros<aclrtDeviceGetStreamPriorityRange>},
    {"aclrtGetDeviceCapability", zeros<aclrtGetDeviceCapability>},
    {"aclrtDeviceGetUuid", zeros<aclrtDeviceGetUuid>},
    {"aclrtCtxGetCurrentDefaultStream", zeros<aclrtCtxGetCurrentDefaultStream>},
    {"aclrtGetPrimaryCtxState", zeros<aclrtGetPrimaryCtxState>},
    {"aclrtGetDevicesTopo", zeros<aclrtGetDevicesTopo>},
    {"aclrtMemcpyBatch", zeros<aclrtMemcpyBatch>},
    {"aclrtMemcpyBatchV2", zeros<aclrtMemcpyBatchV2>},
    {"aclrtMemcpyBatchAsync", zeros<aclrtMemcpyBatchAsync>},
    {"aclrtMemcpyBatchAsyncV2", zeros<aclrtMemcpyBatchAsyncV2>},
    {"aclrtNotifyBatchReset", zeros<aclrtNotifyBatchReset>},
    {"aclrtGetVersion", zeros<aclrtGetVersion>},
    {"aclInitCallbackRegister", zeros<aclInitCallbackRegister>},
    {"aclInitCallbackUnRegister", zeros<aclInitCallbackUnRegister>},
    {"aclFinalizeCallbackRegister", zeros<aclFinalizeCallbackRegister>},
    {"aclFinalizeCallbackUnRegister", zeros<aclFinalizeCallbackUnRegister>},
    {"aclrtGetLogicDevIdByUserDevId", zeros<aclrtGetLogicDevIdByUserDevId>},
    {"aclrtGetUserDevIdByLogicDevId", zeros<aclrtGetUserDevIdByLogicDevId>},
    {"aclrtGetLogicDevIdByPhyDevId", zeros<aclrtGetLogicDevIdByPhyDevId>},
    {"aclrtGetPhyDevIdByLogicDevId", zeros<aclrtGetPhyDevIdByLogicDevId>},
    {"aclrtLaunchHostFunc", zeros<aclrtLaunchHostFunc>},
    {"aclrtDevicePeerAccessStatus", zeros<aclrtDevicePeerAccessStatus>},
    {"aclrtGetErrorVerbose", zeros<aclrtGetErrorVerbose>},
    {"aclrtAllocatorCreateDesc", zeros<aclrtAllocatorCreateDesc>},
    {"aclrtAllocatorDestroyDesc", zeros<aclrtAllocatorDestroyDesc>},
    {"aclrtAllocatorSetObjToDesc", zeros<aclrtAllocatorSetObjToDesc>},
    {"aclrtAllocatorSetAllocFuncToDesc", zeros<aclrtAllocatorSetAllocFuncToDesc>},
    {"aclrtAllocatorSetFreeFuncToDesc", zeros<aclrtAllocatorSetFreeFuncToDesc>},
    {"aclrtAllocatorSetAllocAdviseFuncToDesc", zeros<aclrtAllocatorSetAllocAdviseFuncToDesc>},
    {"aclrtAllocatorSetGetAddrFromBlockFuncToDesc", zeros<aclrtAllocatorSetGetAddrFromBlockFuncToDesc>},
    {"aclrtAllocatorRegister", zeros<aclrtAllocatorRegister>},
    {"aclrtAllocatorGetByStream", zeros<aclrtAllocatorGetByStream>},
    {"aclrtAllocatorUnregister", zeros<aclrtAllocatorUnregister>},
    {"aclrtMemPoolCreate", zeros<aclrtMemPoolCreate>},
    {"aclrtMemPoolDestroy", zeros<aclrtMemPoolDestroy>},
    {"aclrtMemPoolSetAttr", zeros<aclrtMemPoolSetAttr>},
    {"aclrtMemPoolGetAttr", zeros<aclrtMemPoolGetAttr>},
    {"aclrtMemPoolMallocAsync", zeros<aclrtMemPoolMallocAsync>},
    {"aclrtMemPoolFreeAsync", zeros<aclrtMemPoolFreeAsync>},
    {"aclrtMemPoolTrimTo", zeros<aclrtMemPoolTrimTo>},
    {"aclrtReserveMemAddress", zeros<aclrtReserveMemAddress>},
    {"aclrtReserveMemAddressNoUCMemory", zeros<aclrtReserveMemAddressNoUCMemory>},
    {"aclrtReleaseMemAddress", zeros<aclrtReleaseMemAddress>},
    {"aclrtMallocPhysical", zeros<aclrtMallocPhysical>},
    {"aclrtFreePhysical", zeros<aclrtFreePhysical>},
    {"aclrtMapMem", zeros<aclrtMapMem>},
    {"aclrtUnmapMem", zeros<aclrtUnmapMem>},
    {"aclrtMemMapNoAccess", zeros<aclrtMemMapNoAccess>},
    {"aclrtMemMapSelectedLink", zeros<aclrtMemMapSelectedLink>},
    {"aclrtMemMapSetLink", zeros<aclrtMemMapSetLink>},
    {"aclrtMemSetAccess", zeros<aclrtMemSetAccess>},
    {"aclrtMemGetAccess", zeros<aclrtMemGetAccess>},
    {"aclrtMemGetAllocationGranularity", zeros<aclrtMemGetAllocationGranularity>},
    {"aclrtMemRetainAllocationHandle", zeros<aclrtMemRetainAllocationHandle>},
    {"aclrtMemGetAllocationPropertiesFromHandle", zeros<aclrtMemGetAllocationPropertiesFromHandle>},
    {"aclrtMemGetAddressRange", zeros<aclrtMemGetAddressRange>},
    {"aclrtMemAllocManaged", zeros<aclrtMemAllocManaged>},
    {"aclrtMemManagedAdvise", zeros<aclrtMemManagedAdvise>},
    {"aclrtMemManagedGetAttr", zeros<aclrtMemManagedGetAttr>},
    {"aclrtMemManagedGetAttrs", zeros<aclrtMemManagedGetAttrs>},
    {"aclrtMemManagedPrefetchAsync", zeros<aclrtMemManagedPrefetchAsync>},
    {"aclrtMemManagedPrefetchBatchAsync", zeros<aclrtMemManagedPrefetchBatchAsync>},
    {"aclrtMemP2PMap", zeros<aclrtMemP2PMap>},
    {"aclrtCheckMemType", zeros<aclrtCheckMemType>},
    {"aclrtCmoAsync", zeros<aclrtCmoAsync>},
    {"aclrtCmoAsyncWithBarrier", zeros<aclrtCmoAsyncWithBarrier>},
    {"aclrtCmoWaitBarrier", zeros<aclrtCmoWaitBarrier>},
    {"aclrtCmoGetDescSize", zeros<aclrtCmoGetDescSize>},
    {"aclrtCmoSetDesc", zeros<aclrtCmoSetDesc>},
    {"aclrtCmoAsyncWithDesc", zeros<aclrtCmoAsyncWithDesc>},
    {"aclrtDeviceL2CacheFlush", zeros<aclrtDeviceL2CacheFlush>},
    {"aclrtIpcGetEventHandle", zeros<aclrtIpcGetEventHandle>},
    {"aclrtIpcMemClose", zeros<aclrtIpcMemClose>},
    {"aclrtIpcMemGetExportKey", zeros<aclrtIpcMemGetExportKey>},
    {"aclrtIpcMemImportByKey", zeros<aclrtIpcMemImportByKey>},
    {"aclrtIpcMemImportPidInterServer", zeros<aclrtIpcMemImportPidInterServer>},
    {"aclrtIpcMemSetAttr", zeros<aclrtIpcMemSetAttr>},
    {"aclrtIpcMemSetImportPid", zeros<aclrtIpcMemSetImportPid>},
    {"aclrtIpcOpenEventHandle", zeros<aclrtIpcOpenEventHandle>},
    {"aclrtMemExportToShareableHandle", zeros<aclrtMemExportToShareableHandle>},
    {"aclrtMemExportToShareableHandleV2", zeros<aclrtMemExportToShareableHandleV2>},
    {"aclrtMemImportFromShareableHandle", zeros<aclrtMemImportFromShareableHandle>},
    {"aclrtMemImportFromShareableHandleV2", zeros<aclrtMemImportFromShareableHandleV2>},
    {"aclrtMemSetPidToShareableHandle", zeros<aclrtMemSetPidToShareableHandle>},
    {"aclrtMemSetPidToShareableHandleV2", zeros<aclrtMemSetPidToShareableHandleV2>},
    {"aclrtNotifyGetExportKey", zeros<aclrtNotifyGetExportKey>},
    {"aclrtNotifyImportByKey", zeros<aclrtNotifyImportByKey>},
    {"aclrtNotifySetImportPid", zeros<aclrtNotifySetImportPid>},
    {"aclrtNotifySetImportPidInterServer", zeros<aclrtNotifySetImportPidInterServer>},
};
// clang-format on

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
