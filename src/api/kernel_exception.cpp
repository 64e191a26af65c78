// SPDX-License-Identifier: Apache-2.0
// What an exception callback can ask about the kernel that has failed.
#include "api/adapters.h"
#include "base/status.h"
#include "core/exception_report.h"
#include "core/kernel/kernel_launch.h"

namespace ferry::api {
namespace {

constexpr aclError kNoKernel = -1;

// The failed kernel; nullptr when the report is not the current one, or not about a kernel.
const KernelLaunch* kernel_of(const aclrtExceptionInfo* info) {
  const rtExceptionInfo* const found = find_exception_info(info);
  return found == nullptr ? nullptr : found->kernel.get();
}

Status fail_no_kernel(const aclrtExceptionInfo* info) {
  return reject(kNoKernel, kEE1017, "info", static_cast<const void*>(info))
      .because(", which is not the report of a failed kernel that this thread is told of");
}

}  // namespace

aclError aclrtGetArgsFromExceptionInfo(const aclrtExceptionInfo* info, void** devArgsPtr,
                                       uint32_t* devArgsLen) {
  const KernelLaunch* const kernel = kernel_of(info);
  if (kernel == nullptr) return fail_no_kernel(info);
  if (devArgsPtr == nullptr) return fail_null("devArgsPtr");
  if (devArgsLen == nullptr) return fail_null("devArgsLen");
  *devArgsPtr = const_cast<void*>(kernel->address());
  *devArgsLen = static_cast<uint32_t>(kernel->size());
  return ACL_SUCCESS;
}

aclError aclrtGetFuncHandleFromExceptionInfo(const aclrtExceptionInfo* info,
                                             aclrtFuncHandle* func) {
  const KernelLaunch* const kernel = kernel_of(info);
  if (kernel == nullptr) return fail_no_kernel(info);
  if (func == nullptr) return fail_null("func");
  *func = kernel->function().handle();
  return ACL_SUCCESS;
}

}  // namespace ferry::api
