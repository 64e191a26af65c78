// SPDX-License-Identifier: Apache-2.0
// What torch_npu needs in order to be loaded, without torch_npu: the libraries that it names bring
// every function that it binds.
#include "support.h"

#include <dlfcn.h>

namespace {

// In the order in which libtorch_npu.so and libtensorpipe.so of its 2.10 release name them.
constexpr const char* kNeeded[] = {"libhccl.so",      "libascendcl.so", "libacl_op_compiler.so",
                                   "libge_runner.so", "libgraph.so",    "libacl_tdt_channel.so"};

// The undefined symbols of its files that torch and the system's libraries do not define.
constexpr const char* kBound[] = {
    "MsprofGetHashId",
    "MsprofRegisterCallback",
    "MsprofReportAdditionalInfo",
    "MsprofReportApi",
    "MsprofReportCompactInfo",
    "MsprofSysCycleTime",
    "aclAppLog",
    "aclCreateDataBuffer",
    "aclCreateTensorDesc",
    "aclDestroyDataBuffer",
    "aclDestroyTensorDesc",
    "aclFinalize",
    "aclGetDeviceCapability",
    "aclGetRecentErrMsg",
    "aclGetTensorDescDimV2",
    "aclGetTensorDescFormat",
    "aclGetTensorDescNumDims",
    "aclGetTensorDescType",
    "aclInit",
    "aclSetTensorDescName",
    "aclSetTensorFormat",
    "aclSetTensorPlaceMent",
    "aclSetTensorShape",
    "aclmdlFinalizeDump",
    "aclmdlInitDump",
    "aclmdlSetDump",
    "aclopCompileAndExecute",
    "aclopCreateAttr",
    "aclopDestroyAttr",
    "aclopSetAttrBool",
    "aclopSetAttrDataType",
    "aclopSetAttrFloat",
    "aclopSetAttrInt",
    "aclopSetAttrListBool",
    "aclopSetAttrListFloat",
    "aclopSetAttrListInt",
    "aclopSetAttrListListInt",
    "aclopSetAttrString",
    "aclrtCreateEventExWithFlag",
    "aclrtCreateStream",
    "aclrtDestroyEvent",
    "aclrtDestroyStream",
    "aclrtDeviceCanAccessPeer",
    "aclrtDeviceEnablePeerAccess",
    "aclrtDeviceGetBareTgid",
    "aclrtEventElapsedTime",
    "aclrtFree",
    "aclrtFreeHost",
    "aclrtFreePhysical",
    "aclrtGetCurrentContext",
    "aclrtGetDevice",
    "aclrtGetDeviceCount",
    "aclrtGetMemInfo",
    "aclrtGetSocName",
    "aclrtMalloc",
    "aclrtMallocHost",
    "aclrtMallocPhysical",
    "aclrtMapMem",
    "aclrtMemExportToShareableHandle",
    "aclrtMemImportFromShareableHandle",
    "aclrtMemSetPidToShareableHandle",
    "aclrtMemcpy",
    "aclrtMemcpyAsync",
    "aclrtMemset",
    "aclrtProcessReport",
    "aclrtRecordEvent",
    "aclrtReleaseMemAddress",
    "aclrtReserveMemAddress",
    "aclrtResetDevice",
    "aclrtResetEvent",
    "aclrtSetCurrentContext",
    "aclrtSetDevice",
    "aclrtStreamWaitEvent",
    "aclrtSynchronizeEvent",
    "aclrtSynchronizeStream",
    "aclrtUnmapMem",
    "rtDevBinaryRegister",
    "rtFunctionRegister",
    "rtKernelLaunch",
};

// Whether one of its libraries defines it: the search of a handle includes what that library needs.
bool is_defined(const char* name) {
  for (const char* library : kNeeded) {
    void* const handle =
        dlopen((std::string(LIBRARY_FOLDER "/") + library).c_str(), RTLD_NOW | RTLD_LOCAL);
    EXPECT_NE(nullptr, handle) << dlerror();
    if (handle != nullptr && dlsym(handle, name) != nullptr) return true;
  }
  return false;
}

TEST(TorchNpu, FindsEveryFunctionThatItBinds) {
  for (const char* name : kBound) {
    EXPECT_TRUE(is_defined(name)) << name;
  }
  EXPECT_FALSE(is_defined("aclNoFunctionHasThisName"));
}

}  // namespace
