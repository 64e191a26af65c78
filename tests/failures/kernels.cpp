// SPDX-License-Identifier: Apache-2.0
// The chapter about kernels: binaries, argument lists, launches in every form, device variables.
#include "attempt.h"
#include "program.h"

#include "ferry/ferry.h"

#include <atomic>
#include <cstring>

namespace failures {
namespace {

const char kSymbol = 0;
std::atomic<uint64_t> kernel_calls{0};

int count_launch(uint32_t /*blocks*/, const void* args, size_t size,
                 const ferryKernelContext* context) {
  const void* address = nullptr;
  if (size < sizeof address) return 1;
  std::memcpy(&address, args, sizeof address);
  if (ferryKernelAddress(context, address, 8) == nullptr) return 2;
  ++kernel_calls;
  return 0;
}

void declare_launch(uint32_t /*blocks*/, const void* args, size_t size,
                    const ferryKernelContext* /*context*/, ferryKernelRanges* ranges) {
  void* address = nullptr;
  if (size < sizeof address) return;
  std::memcpy(&address, args, sizeof address);
  ferryKernelWrites(ranges, address, 8);
}

void register_kernel() {
  const ferryKernelParameter parameter{0, 8};
  const ferryKernelVariable variable{"counted", &kSymbol, 64};
  ferryKernel kernel{};
  kernel.structSize = sizeof kernel;
  kernel.name = "count";
  kernel.function = count_launch;
  kernel.parameters = &parameter;
  kernel.parameterCount = 1;
  kernel.declare = declare_launch;
  kernel.symbol = &kSymbol;
  kernel.variables = &variable;
  kernel.variableCount = 1;
  OK(ferryRegisterKernelEx(&kernel));
}

void launch_list(aclrtFuncHandle kernel, void* address, aclrtStream stream) {
  aclrtArgsHandle list = nullptr;
  aclrtParamHandle parameter = nullptr;
  OK(aclrtKernelArgsInit(kernel, &list));
  if (list == nullptr) return;
  OK(aclrtKernelArgsAppend(list, &address, sizeof address, &parameter));
  OK(aclrtKernelArgsFinalize(list));
  OK(aclrtLaunchKernelWithConfig(kernel, 1, stream, nullptr, list, nullptr));
}

void launch_all(aclrtFuncHandle kernel, Bench& bench) {
  kernel_calls = 0;
  void* address = bench.second;
  void* args[] = {&address};
  launch_list(kernel, address, bench.stream);
  OK(aclrtSynchronizeStream(bench.stream));  // how many threads there are must not depend on chance
  OK(aclrtLaunchKernelWithHostArgs(kernel, 1, bench.stream, nullptr, &address, sizeof address,
                                   nullptr, 0));
  OK(aclrtSynchronizeStream(bench.stream));
  OK(aclrtLaunchKernelWithArgsArray(kernel, 1, bench.stream, nullptr, args));
  OK(aclrtSynchronizeStream(bench.stream));
  OK(aclrtMemcpy(bench.device, 8, &address, 8, ACL_MEMCPY_HOST_TO_DEVICE));
  OK(aclrtLaunchKernel(kernel, 1, bench.device, 8, bench.stream));
  OK(aclrtSynchronizeStream(bench.stream));
  expect_equal("the number of launches that ran", kernel_calls, 4);
}

void use_variable(aclrtBinHandle binary) {
  void* address = nullptr;
  size_t size = 0;
  OK(aclrtBinaryGetGlobal(binary, "counted", &address, &size));
  uint64_t word = 7;
  OK(aclrtMemcpyToSymbol(&kSymbol, &word, sizeof word, 8, ACL_MEMCPY_HOST_TO_DEVICE));
  word = 0;
  OK(aclrtMemcpyFromSymbol(&word, sizeof word, &kSymbol, sizeof word, 8,
                           ACL_MEMCPY_DEVICE_TO_HOST));
  expect_equal("a device variable", word, 7);
}

}  // namespace

// Sets and resets the device: what kernels need ends with its last context.
void use_kernels() {
  if (uses_cuda()) return;  // host code cannot act as a kernel there
  OK(aclrtSetDevice(0));
  Bench bench;
  bench.make();
  register_kernel();
  aclrtBinHandle binary = nullptr;
  aclrtFuncHandle kernel = nullptr;
  OK(aclrtBinaryLoadFromData("bytes", 5, nullptr, &binary));
  if (binary != nullptr) OK(aclrtBinaryGetFunction(binary, "count", &kernel));
  if (kernel != nullptr) launch_all(kernel, bench);
  aclrtFuncHandle of_symbol = nullptr;
  OK(aclrtGetFuncBySymbol(&kSymbol, &of_symbol));
  if (binary != nullptr) use_variable(binary);
  if (binary != nullptr) OK(aclrtBinaryUnLoad(binary));
  bench.destroy();
  OK(aclrtResetDevice(0));
}

}  // namespace failures
