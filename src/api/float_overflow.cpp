// SPDX-License-Identifier: Apache-2.0
// Overflow modes and switches: only stored and returned, because Ferry does not compute. The status
// is device memory of the context, which kernels of the program may write.
#include "api/adapters.h"
#include "api/arguments.h"
#include "base/status.h"
#include "core/context.h"
#include "core/copy.h"
#include "core/location.h"
#include "core/memset.h"
#include "core/model/recording.h"
#include "core/product_features.h"
#include "core/stream.h"

namespace ferry::api {
namespace {

struct StatusOutput {
  void* address = nullptr;
  uint64_t size = 0;
};

Status copy_overflow_status(const StatusOutput& output, aclrtStream stream) {
  if (output.size != ContextWords::kSize) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "outputSize", output.size)
        .allowed("%d", static_cast<int>(ContextWords::kSize));
  }
  FERRY_TRY(Ref<Stream>, found, stream_of_current_context(stream));
  FERRY_RETURN_IF_ERROR(check_not_captured(**found));
  if (!locate(output.address).is_device()) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1011, "outputAddr", output.address)
        .because(", which is not device memory");
  }
  Context& context = (*found)->context();
  FERRY_TRY(void*, status, context.words().overflow_status(context.device()));
  return copy_async({.dst = output.address, .src = *status, .size = output.size},
                    ACL_MEMCPY_DEVICE_TO_DEVICE, *found);
}

Status reset_overflow_status(aclrtStream stream) {
  FERRY_TRY(Ref<Stream>, found, stream_of_current_context(stream));
  FERRY_RETURN_IF_ERROR(check_not_captured(**found));
  Context& context = (*found)->context();
  FERRY_TRY(void*, status, context.words().overflow_status(context.device()));
  return fill_async({.dst = *status, .size = ContextWords::kSize, .value = 0, .width = 1}, **found);
}

}  // namespace

aclError aclrtSetDeviceSatMode(aclrtFloatOverflowMode mode) {
  if (mode != ACL_RT_OVERFLOW_MODE_SATURATION && mode != ACL_RT_OVERFLOW_MODE_INFNAN) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "mode", mode).allowed("0 or 1");
  }
  FERRY_TRY(Ref<Context>, context, current_context());
  (*context)->device().overflow_mode = mode;
  return ACL_SUCCESS;
}

aclError aclrtGetDeviceSatMode(aclrtFloatOverflowMode* mode) {
  if (mode == nullptr) return fail_null("mode");
  FERRY_TRY(Ref<Context>, context, current_context());
  *mode = static_cast<aclrtFloatOverflowMode>((*context)->device().overflow_mode.load());
  return ACL_SUCCESS;
}

aclError aclrtSetStreamOverflowSwitch(aclrtStream stream, uint32_t flag) {
  FERRY_RETURN_IF_ERROR(stream_if_given(stream).status());
  if (flag > 1) return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "flag", flag).allowed("0 or 1");
  FERRY_TRY(Ref<Stream>, found, stream_of_current_context(stream));
  FERRY_RETURN_IF_ERROR(check_not_captured(**found));
  (*found)->overflow_switch = flag;
  return ACL_SUCCESS;
}

aclError aclrtGetStreamOverflowSwitch(aclrtStream stream, uint32_t* flag) {
  if (flag == nullptr) return fail_null("flag");
  FERRY_TRY(Ref<Stream>, found, stream_of_current_context(stream));
  FERRY_RETURN_IF_ERROR(check_not_captured(**found));
  *flag = (*found)->overflow_switch;
  return ACL_SUCCESS;
}

aclError aclrtGetOverflowStatus(void* outputAddr, size_t outputSize, aclrtStream stream) {
  if (outputAddr == nullptr) return fail_null("outputAddr");
  return copy_overflow_status({outputAddr, outputSize}, stream);
}

aclError aclrtResetOverflowStatus(aclrtStream stream) {
  return reset_overflow_status(stream);
}

aclError aclrtGetFloatOverflowStatus(void* outputAddr, uint64_t outputSize, aclrtStream stream) {
  if (outputAddr == nullptr) return fail_null_in_runtime("outputAddr");
  return copy_overflow_status({outputAddr, outputSize}, stream);
}

aclError aclrtResetFloatOverflowStatus(aclrtStream stream) {
  return reset_overflow_status(stream);
}

aclError aclrtNpuGetFloatOverFlowStatus(void* outputAddr, uint64_t outputSize,
                                        uint32_t /*checkMode*/, aclrtStream stream) {
  if (outputAddr == nullptr) return fail_null_in_runtime("outputAddr");
  return copy_overflow_status({outputAddr, outputSize}, stream);
}

aclError aclrtNpuClearFloatOverFlowStatus(uint32_t /*checkMode*/, aclrtStream stream) {
  return reset_overflow_status(stream);
}

aclError aclrtCtxGetFloatOverflowAddr(void** overflowAddr) {
  if (overflowAddr == nullptr) return fail_null_in_runtime("overflowAddr");
  FERRY_TRY(Ref<Context>, context, current_context());
  FERRY_TRY(void*, status, (*context)->words().overflow_status((*context)->device()));
  *overflowAddr = *status;
  return ACL_SUCCESS;
}

aclError aclrtGetHardwareSyncAddr(void** addr) {
  if (addr == nullptr) return fail_null_in_runtime("addr");
  FERRY_TRY(Ref<Context>, context, current_context());
  FERRY_RETURN_IF_ERROR(check_a2_or_a3("words through which kernels synchronise"));
  FERRY_TRY(void*, words, (*context)->words().sync_words((*context)->device()));
  *addr = *words;
  return ACL_SUCCESS;
}

}  // namespace ferry::api
