// SPDX-License-Identifier: Apache-2.0
// Argument lists of kernels.
#include "core/kernel/kernel_arguments.h"

#include "api/adapters.h"
#include "base/status.h"
#include "core/context.h"

namespace ferry::api {
namespace {

Status fail_zero(const char* argument) {
  return reject(ACL_ERROR_INVALID_PARAM, kEH0007, argument, 0).allowed("1 or more");
}

}  // namespace

aclError aclrtKernelArgsGetHandleMemSize(aclrtFuncHandle funcHandle, size_t* memSize) {
  if (funcHandle == nullptr) return fail_null("funcHandle");
  if (memSize == nullptr) return fail_null("memSize");
  FERRY_TRY(Ref<KernelFunction>, function, find_function(funcHandle));
  *memSize = argument_list_size(**function);
  return ACL_SUCCESS;
}

aclError aclrtKernelArgsGetMemSize(aclrtFuncHandle funcHandle, size_t userArgsSize,
                                   size_t* actualArgsSize) {
  if (funcHandle == nullptr) return fail_null("funcHandle");
  if (actualArgsSize == nullptr) return fail_null("actualArgsSize");
  FERRY_TRY(Ref<KernelFunction>, function, find_function(funcHandle));
  *actualArgsSize = argument_block_size(**function, userArgsSize);
  return ACL_SUCCESS;
}

aclError aclrtKernelArgsInit(aclrtFuncHandle funcHandle, aclrtArgsHandle* argsHandle) {
  if (funcHandle == nullptr) return fail_null("funcHandle");
  if (argsHandle == nullptr) return fail_null("argsHandle");
  FERRY_TRY(Ref<KernelFunction>, function, find_function(funcHandle));
  FERRY_TRY(aclrtArgsHandle, begun, begin_thread_list(**function));
  *argsHandle = *begun;
  return ACL_SUCCESS;
}

aclError aclrtKernelArgsInitByUserMem(aclrtFuncHandle funcHandle, aclrtArgsHandle argsHandle,
                                      void* userHostMem, size_t actualArgsSize) {
  if (funcHandle == nullptr) return fail_null("funcHandle");
  if (argsHandle == nullptr) return fail_null("argsHandle");
  if (userHostMem == nullptr) return fail_null("userHostMem");
  if (actualArgsSize == 0) return fail_zero("actualArgsSize");
  FERRY_TRY(Ref<KernelFunction>, function, find_function(funcHandle));
  return begin_list_in(argsHandle, **function, userHostMem, actualArgsSize);
}

aclError aclrtKernelArgsAppend(aclrtArgsHandle argsHandle, void* param, size_t paramSize,
                               aclrtParamHandle* paramHandle) {
  if (argsHandle == nullptr) return fail_null("argsHandle");
  if (param == nullptr) return fail_null("param");
  if (paramSize == 0) return fail_zero("paramSize");
  if (paramHandle == nullptr) return fail_null("paramHandle");
  FERRY_TRY(LockedList, list, find_argument_list(argsHandle));
  return (*list)->append(param, paramSize, paramHandle);
}

aclError aclrtKernelArgsAppendPlaceHolder(aclrtArgsHandle argsHandle,
                                          aclrtParamHandle* paramHandle) {
  if (argsHandle == nullptr) return fail_null("argsHandle");
  if (paramHandle == nullptr) return fail_null("paramHandle");
  FERRY_TRY(LockedList, list, find_argument_list(argsHandle));
  return (*list)->append_placeholder(paramHandle);
}

aclError aclrtKernelArgsGetPlaceHolderBuffer(aclrtArgsHandle argsHandle,
                                             aclrtParamHandle paramHandle, size_t dataSize,
                                             void** bufferAddr) {
  if (argsHandle == nullptr) return fail_null("argsHandle");
  if (paramHandle == nullptr) return fail_null("paramHandle");
  if (dataSize == 0) return fail_zero("dataSize");
  if (bufferAddr == nullptr) return fail_null("bufferAddr");
  FERRY_TRY(LockedList, list, find_argument_list(argsHandle));
  return (*list)->take_data(paramHandle, dataSize, bufferAddr);
}

aclError aclrtKernelArgsParaUpdate(aclrtArgsHandle argsHandle, aclrtParamHandle paramHandle,
                                   void* param, size_t paramSize) {
  if (argsHandle == nullptr) return fail_null("argsHandle");
  if (paramHandle == nullptr) return fail_null("paramHandle");
  if (param == nullptr) return fail_null("param");
  if (paramSize == 0) return fail_zero("paramSize");
  FERRY_TRY(LockedList, list, find_argument_list(argsHandle));
  return (*list)->update(paramHandle, param, paramSize);
}

aclError aclrtKernelArgsFinalize(aclrtArgsHandle argsHandle) {
  if (argsHandle == nullptr) return fail_null("argsHandle");
  FERRY_TRY(Ref<Context>, context, current_context());
  FERRY_TRY(LockedList, list, find_argument_list(argsHandle));
  return (*list)->finalize(**context);
}

}  // namespace ferry::api
