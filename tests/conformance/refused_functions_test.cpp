// SPDX-License-Identifier: Apache-2.0
// The functions that exist only so that programs link and load, and refuse every call. The script
// check_refused.py compares the table with the interface.
#include "support/devices.h"
#include "support/zero_call.h"

#include "acl/acl_dump.h"
#include "acl/acl_prof.h"

#include <cstring>

namespace conformance::refused_functions_test {
namespace {

// clang-format off
constexpr ZeroCall kRefused[] = {
    {"aclrtExceptionInfoCallbackRegister", zeros<aclrtExceptionInfoCallbackRegister>},
    {"aclrtExceptionInfoCallbackUnregister", zeros<aclrtExceptionInfoCallbackUnregister>},
    {"aclrtGetArgsFromExceptionInfo", zeros<aclrtGetArgsFromExceptionInfo>},
    {"aclrtGetFuncHandleFromExceptionInfo", zeros<aclrtGetFuncHandleFromExceptionInfo>},
    {"aclrtBinarySetExceptionCallback", zeros<aclrtBinarySetExceptionCallback>},
    {"aclrtCtxGetSysParamOpt", zeros<aclrtCtxGetSysParamOpt>},
    {"aclrtCtxSetSysParamOpt", zeros<aclrtCtxSetSysParamOpt>},
    {"aclrtGetSysParamOpt", zeros<aclrtGetSysParamOpt>},
    {"aclrtSetSysParamOpt", zeros<aclrtSetSysParamOpt>},
    {"aclrtGetThreadLastTaskId", zeros<aclrtGetThreadLastTaskId>},
    {"aclrtGetSymbolAddress", zeros<aclrtGetSymbolAddress>},
    {"aclrtGetSymbolSize", zeros<aclrtGetSymbolSize>},
    {"aclrtMemcpyFromSymbol", zeros<aclrtMemcpyFromSymbol>},
    {"aclrtMemcpyFromSymbolAsync", zeros<aclrtMemcpyFromSymbolAsync>},
    {"aclrtMemcpyToSymbol", zeros<aclrtMemcpyToSymbol>},
    {"aclrtMemcpyToSymbolAsync", zeros<aclrtMemcpyToSymbolAsync>},
    {"aclrtSetGroup", zeros<aclrtSetGroup>},
    {"aclrtGetGroupCount", zeros<aclrtGetGroupCount>},
    {"aclrtCreateGroupInfo", zeros<aclrtCreateGroupInfo>},
    {"aclrtDestroyGroupInfo", zeros<aclrtDestroyGroupInfo>},
    {"aclrtGetAllGroupInfo", zeros<aclrtGetAllGroupInfo>},
    {"aclrtGetGroupInfoDetail", zeros<aclrtGetGroupInfoDetail>},
    {"aclrtSetOpExecuteTimeOutWithMs", zeros<aclrtSetOpExecuteTimeOutWithMs>},
    {"aclrtGetOpTimeOutInterval", zeros<aclrtGetOpTimeOutInterval>},
    {"aclrtGetOverflowStatus", zeros<aclrtGetOverflowStatus>},
    {"aclrtResetOverflowStatus", zeros<aclrtResetOverflowStatus>},
    {"aclrtSubscribeHostFunc", zeros<aclrtSubscribeHostFunc>},
    {"aclrtProcessHostFunc", zeros<aclrtProcessHostFunc>},
    {"aclrtUnSubscribeHostFunc", zeros<aclrtUnSubscribeHostFunc>},
    {"aclrtCreateBinary", zeros<aclrtCreateBinary>},
    {"aclrtDestroyBinary", zeros<aclrtDestroyBinary>},
    {"aclrtBinaryLoad", zeros<aclrtBinaryLoad>},
    {"aclrtBinaryUnLoad", zeros<aclrtBinaryUnLoad>},
    {"aclrtBinaryGetFunction", zeros<aclrtBinaryGetFunction>},
    {"aclrtLaunchKernel", zeros<aclrtLaunchKernel>},
    {"aclrtGetMemUceInfo", zeros<aclrtGetMemUceInfo>},
    {"aclrtDeviceTaskAbort", zeros<aclrtDeviceTaskAbort>},
    {"aclrtMemUceRepair", zeros<aclrtMemUceRepair>},
    {"aclrtBinaryLoadFromFile", zeros<aclrtBinaryLoadFromFile>},
    {"aclrtBinaryGetDevAddress", zeros<aclrtBinaryGetDevAddress>},
    {"aclrtBinaryGetFunctionByEntry", zeros<aclrtBinaryGetFunctionByEntry>},
    {"aclrtBinaryGetGlobal", zeros<aclrtBinaryGetGlobal>},
    {"aclrtGetFuncBySymbol", zeros<aclrtGetFuncBySymbol>},
    {"aclrtGetFunctionAddr", zeros<aclrtGetFunctionAddr>},
    {"aclrtGetFunctionSize", zeros<aclrtGetFunctionSize>},
    {"aclrtKernelArgsGetHandleMemSize", zeros<aclrtKernelArgsGetHandleMemSize>},
    {"aclrtKernelArgsGetMemSize", zeros<aclrtKernelArgsGetMemSize>},
    {"aclrtKernelArgsInit", zeros<aclrtKernelArgsInit>},
    {"aclrtKernelArgsInitByUserMem", zeros<aclrtKernelArgsInitByUserMem>},
    {"aclrtKernelArgsAppend", zeros<aclrtKernelArgsAppend>},
    {"aclrtKernelArgsAppendPlaceHolder", zeros<aclrtKernelArgsAppendPlaceHolder>},
    {"aclrtKernelArgsGetPlaceHolderBuffer", zeros<aclrtKernelArgsGetPlaceHolderBuffer>},
    {"aclrtKernelArgsParaUpdate", zeros<aclrtKernelArgsParaUpdate>},
    {"aclrtLaunchKernelWithConfig", zeros<aclrtLaunchKernelWithConfig>},
    {"aclmdlRITaskGetParams", zeros<aclmdlRITaskGetParams>},
    {"aclmdlRITaskSetParams", zeros<aclmdlRITaskSetParams>},
    {"aclmdlRIKernelTaskGetAttribute", zeros<aclmdlRIKernelTaskGetAttribute>},
    {"aclmdlRIUpdate", zeros<aclmdlRIUpdate>},
    {"aclmdlRITaskDisable", zeros<aclmdlRITaskDisable>},
    {"aclrtKernelArgsFinalize", zeros<aclrtKernelArgsFinalize>},
    {"aclrtValueWrite", zeros<aclrtValueWrite>},
    {"aclrtValueWait", zeros<aclrtValueWait>},
    {"aclrtCntNotifyCreate", zeros<aclrtCntNotifyCreate>},
    {"aclrtCntNotifyDestroy", zeros<aclrtCntNotifyDestroy>},
    {"aclrtDeviceSetLimit", zeros<aclrtDeviceSetLimit>},
    {"aclrtDeviceGetLimit", zeros<aclrtDeviceGetLimit>},
    {"aclrtDeviceGetPCIBusId", zeros<aclrtDeviceGetPCIBusId>},
    {"aclrtDeviceGetByPCIBusId", zeros<aclrtDeviceGetByPCIBusId>},
    {"aclrtDeviceGetHostAtomicCapabilities", zeros<aclrtDeviceGetHostAtomicCapabilities>},
    {"aclrtDeviceGetP2PAtomicCapabilities", zeros<aclrtDeviceGetP2PAtomicCapabilities>},
    {"aclrtReduceAsync", zeros<aclrtReduceAsync>},
    {"aclrtGetDeviceResLimit", zeros<aclrtGetDeviceResLimit>},
    {"aclrtSetDeviceResLimit", zeros<aclrtSetDeviceResLimit>},
    {"aclrtResetDeviceResLimit", zeros<aclrtResetDeviceResLimit>},
    {"aclrtGetStreamResLimit", zeros<aclrtGetStreamResLimit>},
    {"aclrtSetStreamResLimit", zeros<aclrtSetStreamResLimit>},
    {"aclrtResetStreamResLimit", zeros<aclrtResetStreamResLimit>},
    {"aclrtUseStreamResInCurrentThread", zeros<aclrtUseStreamResInCurrentThread>},
    {"aclrtUnuseStreamResInCurrentThread", zeros<aclrtUnuseStreamResInCurrentThread>},
    {"aclrtGetResInCurrentThread", zeros<aclrtGetResInCurrentThread>},
    {"aclrtCreateLabel", zeros<aclrtCreateLabel>},
    {"aclrtSetLabel", zeros<aclrtSetLabel>},
    {"aclrtDestroyLabel", zeros<aclrtDestroyLabel>},
    {"aclrtCreateLabelList", zeros<aclrtCreateLabelList>},
    {"aclrtDestroyLabelList", zeros<aclrtDestroyLabelList>},
    {"aclrtSwitchLabelByIndex", zeros<aclrtSwitchLabelByIndex>},
    {"aclrtActiveStream", zeros<aclrtActiveStream>},
    {"aclrtSwitchStream", zeros<aclrtSwitchStream>},
    {"aclrtGetFunctionName", zeros<aclrtGetFunctionName>},
    {"aclrtGetBufFromChain", zeros<aclrtGetBufFromChain>},
    {"aclrtGetBufChainNum", zeros<aclrtGetBufChainNum>},
    {"aclrtAppendBufChain", zeros<aclrtAppendBufChain>},
    {"aclrtCopyBufRef", zeros<aclrtCopyBufRef>},
    {"aclrtGetBufUserData", zeros<aclrtGetBufUserData>},
    {"aclrtSetBufUserData", zeros<aclrtSetBufUserData>},
    {"aclrtGetBufData", zeros<aclrtGetBufData>},
    {"aclrtGetBufDataLen", zeros<aclrtGetBufDataLen>},
    {"aclrtSetBufDataLen", zeros<aclrtSetBufDataLen>},
    {"aclrtFreeBuf", zeros<aclrtFreeBuf>},
    {"aclrtAllocBuf", zeros<aclrtAllocBuf>},
    {"aclrtBinaryLoadFromData", zeros<aclrtBinaryLoadFromData>},
    {"aclrtRegisterCpuFunc", zeros<aclrtRegisterCpuFunc>},
    {"aclmdlRICaptureBegin", zeros<aclmdlRICaptureBegin>},
    {"aclmdlRICaptureGetInfo", zeros<aclmdlRICaptureGetInfo>},
    {"aclmdlRICaptureEnd", zeros<aclmdlRICaptureEnd>},
    {"aclmdlRIDebugPrint", zeros<aclmdlRIDebugPrint>},
    {"aclmdlRIDebugJsonPrint", zeros<aclmdlRIDebugJsonPrint>},
    {"aclmdlRICaptureThreadExchangeMode", zeros<aclmdlRICaptureThreadExchangeMode>},
    {"aclmdlRIExecuteAsync", zeros<aclmdlRIExecuteAsync>},
    {"aclmdlRIExecute", zeros<aclmdlRIExecute>},
    {"aclmdlRIDestroy", zeros<aclmdlRIDestroy>},
    {"aclmdlRICaptureTaskGrpBegin", zeros<aclmdlRICaptureTaskGrpBegin>},
    {"aclmdlRICaptureTaskGrpEnd", zeros<aclmdlRICaptureTaskGrpEnd>},
    {"aclmdlRICaptureTaskUpdateBegin", zeros<aclmdlRICaptureTaskUpdateBegin>},
    {"aclmdlRICaptureTaskUpdateEnd", zeros<aclmdlRICaptureTaskUpdateEnd>},
    {"aclmdlRIBuildBegin", zeros<aclmdlRIBuildBegin>},
    {"aclmdlRIBindStream", zeros<aclmdlRIBindStream>},
    {"aclmdlRIEndTask", zeros<aclmdlRIEndTask>},
    {"aclmdlRIBuildEnd", zeros<aclmdlRIBuildEnd>},
    {"aclmdlRIUnbindStream", zeros<aclmdlRIUnbindStream>},
    {"aclmdlRISetName", zeros<aclmdlRISetName>},
    {"aclmdlRIGetName", zeros<aclmdlRIGetName>},
    {"aclmdlRIGetId", zeros<aclmdlRIGetId>},
    {"aclmdlRIDestroyRegisterCallback", zeros<aclmdlRIDestroyRegisterCallback>},
    {"aclmdlRIDestroyUnregisterCallback", zeros<aclmdlRIDestroyUnregisterCallback>},
    {"aclmdlInitDump", zeros<aclmdlInitDump>},
    {"aclmdlSetDump", zeros<aclmdlSetDump>},
    {"aclmdlFinalizeDump", zeros<aclmdlFinalizeDump>},
    {"aclmdlRIGetStreams", zeros<aclmdlRIGetStreams>},
    {"aclmdlRIGetTasksByStream", zeros<aclmdlRIGetTasksByStream>},
    {"aclmdlRITaskGetType", zeros<aclmdlRITaskGetType>},
    {"aclmdlRITaskGetSeqId", zeros<aclmdlRITaskGetSeqId>},
    {"aclrtGetUserDevIdByPhyDevId", zeros<aclrtGetUserDevIdByPhyDevId>},
    {"aclrtGetPhyDevIdByUserDevId", zeros<aclrtGetPhyDevIdByUserDevId>},
    {"aclrtProfTrace", zeros<aclrtProfTrace>},
    {"aclrtLaunchKernelV2", zeros<aclrtLaunchKernelV2>},
    {"aclrtLaunchKernelWithHostArgs", zeros<aclrtLaunchKernelWithHostArgs>},
    {"aclrtLaunchKernelWithArgsArray", zeros<aclrtLaunchKernelWithArgsArray>},
    {"aclrtLaunchSIMTKernelWithArgsArray", zeros<aclrtLaunchSIMTKernelWithArgsArray>},
    {"aclrtLaunchSIMTKernelWithHostArgs", zeros<aclrtLaunchSIMTKernelWithHostArgs>},
    {"aclrtCtxGetFloatOverflowAddr", zeros<aclrtCtxGetFloatOverflowAddr>},
    {"aclrtGetFloatOverflowStatus", zeros<aclrtGetFloatOverflowStatus>},
    {"aclrtResetFloatOverflowStatus", zeros<aclrtResetFloatOverflowStatus>},
    {"aclrtNpuGetFloatOverFlowStatus", zeros<aclrtNpuGetFloatOverFlowStatus>},
    {"aclrtNpuClearFloatOverFlowStatus", zeros<aclrtNpuClearFloatOverFlowStatus>},
    {"aclrtGetHardwareSyncAddr", zeros<aclrtGetHardwareSyncAddr>},
    {"aclrtRandomNumAsync", zeros<aclrtRandomNumAsync>},
    {"aclrtRegStreamStateCallback", zeros<aclrtRegStreamStateCallback>},
    {"aclrtRegDeviceStateCallback", zeros<aclrtRegDeviceStateCallback>},
    {"aclrtSetDeviceTaskAbortCallback", zeros<aclrtSetDeviceTaskAbortCallback>},
    {"aclrtGetOpExecuteTimeout", zeros<aclrtGetOpExecuteTimeout>},
    {"aclrtStreamStop", zeros<aclrtStreamStop>},
    {"aclrtTaskUpdateAsync", zeros<aclrtTaskUpdateAsync>},
    {"aclrtCheckArchCompatibility", zeros<aclrtCheckArchCompatibility>},
    {"aclmdlRIAbort", zeros<aclmdlRIAbort>},
    {"aclmdlRICondHandleCreate", zeros<aclmdlRICondHandleCreate>},
    {"aclmdlRICondHandleGetCondPtr", zeros<aclmdlRICondHandleGetCondPtr>},
    {"aclmdlRIAddCondTask", zeros<aclmdlRIAddCondTask>},
    {"aclmdlRICaptureToModelRIBegin", zeros<aclmdlRICaptureToModelRIBegin>},
    {"aclrtCntNotifyRecord", zeros<aclrtCntNotifyRecord>},
    {"aclrtCntNotifyWaitWithTimeout", zeros<aclrtCntNotifyWaitWithTimeout>},
    {"aclrtCntNotifyReset", zeros<aclrtCntNotifyReset>},
    {"aclrtCntNotifyGetId", zeros<aclrtCntNotifyGetId>},
    {"aclrtPersistentTaskClean", zeros<aclrtPersistentTaskClean>},
    {"aclrtRepairError", zeros<aclrtRepairError>},
    {"aclrtSnapShotProcessLock", zeros<aclrtSnapShotProcessLock>},
    {"aclrtSnapShotProcessUnlock", zeros<aclrtSnapShotProcessUnlock>},
    {"aclrtSnapShotProcessBackup", zeros<aclrtSnapShotProcessBackup>},
    {"aclrtSnapShotProcessRestore", zeros<aclrtSnapShotProcessRestore>},
    {"aclrtSnapShotCallbackRegister", zeros<aclrtSnapShotCallbackRegister>},
    {"aclrtSnapShotCallbackUnregister", zeros<aclrtSnapShotCallbackUnregister>},
    {"aclrtCacheLastTaskOpInfo", zeros<aclrtCacheLastTaskOpInfo>},
    {"aclrtCacheLastTaskExtendInfo", zeros<aclrtCacheLastTaskExtendInfo>},
    {"aclrtGetFunctionAttribute", zeros<aclrtGetFunctionAttribute>},
    {"aclrtFunctionGetBinary", zeros<aclrtFunctionGetBinary>},
    {"aclrtFunctionGetParamCount", zeros<aclrtFunctionGetParamCount>},
    {"aclrtFunctionGetParamInfo", zeros<aclrtFunctionGetParamInfo>},
    {"aclrtFunctionGetAvailDynUbufPerBlock", zeros<aclrtFunctionGetAvailDynUbufPerBlock>},
    {"aclprofInit", zeros<aclprofInit>},
    {"aclprofFinalize", zeros<aclprofFinalize>},
    {"aclprofStart", zeros<aclprofStart>},
    {"aclprofCreateConfig", zeros<aclprofCreateConfig>},
    {"aclprofDestroyConfig", zeros<aclprofDestroyConfig>},
    {"aclprofStop", zeros<aclprofStop>},
    {"aclprofSetConfig", zeros<aclprofSetConfig>},
    {"aclprofModelSubscribe", zeros<aclprofModelSubscribe>},
    {"aclprofModelUnSubscribe", zeros<aclprofModelUnSubscribe>},
    {"aclprofCreateSubscribeConfig", zeros<aclprofCreateSubscribeConfig>},
    {"aclprofDestroySubscribeConfig", zeros<aclprofDestroySubscribeConfig>},
    {"aclprofGetOpDescSize", zeros<aclprofGetOpDescSize>},
    {"aclprofGetOpNum", zeros<aclprofGetOpNum>},
    {"aclprofGetOpTypeLen", zeros<aclprofGetOpTypeLen>},
    {"aclprofGetOpType", zeros<aclprofGetOpType>},
    {"aclprofGetOpNameLen", zeros<aclprofGetOpNameLen>},
    {"aclprofGetOpName", zeros<aclprofGetOpName>},
    {"aclprofGetOpStart", zeros<aclprofGetOpStart>},
    {"aclprofGetOpEnd", zeros<aclprofGetOpEnd>},
    {"aclprofGetOpDuration", zeros<aclprofGetOpDuration>},
    {"aclprofGetModelId", zeros<aclprofGetModelId>},
    {"aclprofGetOpFlag", zeros<aclprofGetOpFlag>},
    {"aclprofGetOpAttriValue", zeros<aclprofGetOpAttriValue>},
    {"aclprofGetStepTimestamp", zeros<aclprofGetStepTimestamp>},
    {"aclprofCreateStepInfo", zeros<aclprofCreateStepInfo>},
    {"aclprofDestroyStepInfo", zeros<aclprofDestroyStepInfo>},
    {"aclprofCreateStamp", zeros<aclprofCreateStamp>},
    {"aclprofDestroyStamp", zeros<aclprofDestroyStamp>},
    {"aclprofPush", zeros<aclprofPush>},
    {"aclprofPop", zeros<aclprofPop>},
    {"aclprofRangeStart", zeros<aclprofRangeStart>},
    {"aclprofRangeStop", zeros<aclprofRangeStop>},
    {"aclprofSetStampTraceMessage", zeros<aclprofSetStampTraceMessage>},
    {"aclprofMark", zeros<aclprofMark>},
    {"aclprofMarkEx", zeros<aclprofMarkEx>},
    {"aclprofStr2Id", zeros<aclprofStr2Id>},
    {"aclprofRangePushEx", zeros<aclprofRangePushEx>},
    {"aclprofRangePop", zeros<aclprofRangePop>},
    {"acldumpRegCallback", zeros<acldumpRegCallback>},
    {"acldumpUnregCallback", zeros<acldumpUnregCallback>},
    {"aclopStartDumpArgs", zeros<aclopStartDumpArgs>},
    {"aclopStopDumpArgs", zeros<aclopStopDumpArgs>},
    {"acldumpGetPath", zeros<acldumpGetPath>},
    {"acldumpSaveExceptionInfo", zeros<acldumpSaveExceptionInfo>},
    {"acldumpGetExceptionInfoPath", zeros<acldumpGetExceptionInfoPath>},
};
// clang-format on

void expect_refusal(const ZeroCall& function) {
  clear_errors();
  const ZeroCallResult result = function.call();
  EXPECT_EQ(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, last_error());
  if (result.is_code) {
    EXPECT_EQ(static_cast<uint64_t>(ACL_ERROR_RT_FEATURE_NOT_SUPPORT), result.value);
  } else {
    // NULL or 0, and 0xFFFFFFFF where the result is an id.
    const bool is_id = std::strstr(function.name, "Id") != nullptr;
    EXPECT_TRUE(result.value == 0 || (is_id && result.value == 0xFFFFFFFF)) << result.value;
  }
  const std::string text = recent_text();
  EXPECT_EQ(0u, text.find(std::string(function.name) + ": ")) << text;
  EXPECT_EQ(text.size() - 8, text.rfind("(WE0001)")) << text;
}

TEST(RefusedFunctions, RefuseWithoutAContext) {
  on_new_thread([] {
    for (const ZeroCall& function : kRefused) {
      SCOPED_TRACE(function.name);
      expect_refusal(function);
    }
    EXPECT_EQ(nullptr, current_context());
  });
}

TEST(RefusedFunctions, RefuseWithAContext) {
  ASSERT_OK(aclrtSetDevice(0));
  for (const ZeroCall& function : kRefused) {
    SCOPED_TRACE(function.name);
    expect_refusal(function);
  }
  EXPECT_OK(aclrtResetDevice(0));
  clear_errors();
}

FERRY_PROCESS_TEST(RefusedFunctions, RefuseWithAWrongEnvironmentToo, "FERRY_NONSENSE=1") {
  for (const ZeroCall& function : kRefused) {
    SCOPED_TRACE(function.name);
    expect_refusal(function);
  }
}

}  // namespace
}  // namespace conformance::refused_functions_test
