// SPDX-License-Identifier: Apache-2.0
// The chapters about settings, the words of a context, reductions and random numbers.
#include "attempt.h"
#include "program.h"

#include <cstring>

namespace failures {
namespace {

void keep_settings() {
  int64_t option = 0;
  OK(aclrtSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1));
  OK(aclrtGetSysParamOpt(ACL_OPT_DETERMINISTIC, &option));
  OK(aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1));
  OK(aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &option));
  uint32_t cores = 0;
  OK(aclrtSetDeviceResLimit(0, ACL_RT_DEV_RES_CUBE_CORE, 1));
  OK(aclrtUseStreamResInCurrentThread(nullptr));
  OK(aclrtGetResInCurrentThread(ACL_RT_DEV_RES_CUBE_CORE, &cores));
  OK(aclrtUnuseStreamResInCurrentThread(nullptr));
  OK(aclrtResetDeviceResLimit(0));
  OK(aclrtDeviceSetLimit(ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE, 32768));
  char bus_id[13] = {};
  int32_t device = -1;
  OK(aclrtDeviceGetPCIBusId(0, bus_id, sizeof bus_id));
  OK(aclrtDeviceGetByPCIBusId(bus_id, &device));
  OK(aclrtSetOpExecuteTimeOutWithMs(0));
}

aclrtRandomParaInfo parameter(const void* value, uint8_t size) {
  aclrtRandomParaInfo info{};
  std::memcpy(info.valueOrAddr, value, size);
  info.size = size;
  return info;
}

}  // namespace

// In a context of its own, since the words live as long as the context.
void use_settings() {
  aclrtContext before = nullptr;
  aclrtContext context = nullptr;
  OK(aclrtGetCurrentContext(&before));
  OK(aclrtCreateContext(&context, 0));
  if (context == nullptr) return;
  keep_settings();
  void* status = nullptr;
  void* copy = nullptr;
  OK(aclrtCtxGetFloatOverflowAddr(&status));
  OK(aclrtGetHardwareSyncAddr(&status));
  OK(aclrtMalloc(&copy, 64, ACL_MEM_MALLOC_NORMAL_ONLY));
  if (copy != nullptr) {
    OK(aclrtResetOverflowStatus(nullptr));
    OK(aclrtGetOverflowStatus(copy, 64, nullptr));
    OK(aclrtSynchronizeStream(nullptr));
    OK(aclrtFree(copy));
  }
  OK(aclrtDestroyContext(context));
  OK(aclrtSetCurrentContext(before));
}

void compute(Bench& bench) {
  if (uses_cuda()) return;  // refused there
  OK(aclrtMemsetAsync(bench.device, Bench::kBytes, 1, Bench::kBytes, bench.stream));
  OK(aclrtMemsetAsync(bench.second, Bench::kBytes, 2, Bench::kBytes, bench.stream));
  OK(aclrtReduceAsync(bench.device, bench.second, Bench::kBytes, ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM,
                      ACL_INT8, bench.stream, nullptr));
  OK(aclrtMemcpyAsync(bench.target, Bench::kBytes, bench.device, Bench::kBytes,
                      ACL_MEMCPY_DEVICE_TO_HOST, bench.stream));
  OK(aclrtSynchronizeStream(bench.stream));
  expect_filled("a reduction", bench.target, 3, Bench::kBytes);
  const uint32_t only = 0x05050505;
  const uint64_t count = Bench::kBytes / sizeof only;
  aclrtRandomNumTaskInfo info{};
  info.dataType = ACL_UINT32;
  info.randomNumFuncParaInfo.funcType = ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS;
  info.randomNumFuncParaInfo.paramInfo.uniformDisInfo = {parameter(&only, sizeof only),
                                                         parameter(&only, sizeof only)};
  info.randomSeed = parameter(&count, sizeof count);
  info.randomNum = parameter(&count, sizeof count);
  info.randomResultAddr = bench.device;
  OK(aclrtRandomNumAsync(&info, bench.stream, nullptr));
  OK(aclrtMemcpyAsync(bench.target, Bench::kBytes, bench.device, Bench::kBytes,
                      ACL_MEMCPY_DEVICE_TO_HOST, bench.stream));
  OK(aclrtSynchronizeStream(bench.stream));
  expect_filled("random numbers", bench.target, 5, Bench::kBytes);
}

}  // namespace failures
