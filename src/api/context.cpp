// SPDX-License-Identifier: Apache-2.0
// Contexts.
#include "core/context.h"

#include "api/adapters.h"
#include "base/error_state.h"
#include "base/status.h"
#include "core/runtime.h"
#include "core/stream.h"

namespace ferry::api {

aclError aclrtCreateContext(aclrtContext* context, int32_t deviceId) {
  if (context == nullptr) return fail_null("context");
  FERRY_TRY(Device*, device, find_device(deviceId));
  FERRY_RETURN_IF_ERROR((*device)->open().status());
  FERRY_TRY(Ref<Context>, made, Context::create(**device, Context::Kind::kExplicit));
  (*made)->tell_default_stream();
  *context = (*made)->handle();
  set_current_context(*context);
  return ACL_SUCCESS;
}

aclError aclrtDestroyContext(aclrtContext context) {
  if (context == nullptr) return fail_null("context");
  FERRY_RETURN_IF_ERROR(Runtime::get().status());
  const Ref<Context> found = HandleTable<Context>::instance().find(context);
  if (!found) return fail_handle(ACL_ERROR_RT_CONTEXT_NULL, "context", context, "context");
  if (found->is_primary()) {
    return reject(ACL_ERROR_RT_CONTEXT_NULL, kEE1017, "context", context)
        .because(", the default context of device %d: use aclrtResetDevice", found->device().id());
  }
  if (!found->close(Context::PendingWork::kFinish)) {
    return reject(ACL_ERROR_RT_CONTEXT_RELEASE_ERROR, kEE1018, "context", Value::beside(context))
        .because(" is being destroyed by another thread");
  }
  return ACL_SUCCESS;
}

aclError aclrtSetCurrentContext(aclrtContext context) {
  if (context == nullptr) return fail_null("context");
  FERRY_RETURN_IF_ERROR(Runtime::get().status());
  if (!HandleTable<Context>::instance().find(context)) {
    return fail_handle(ACL_ERROR_RT_PARAM_INVALID, "context", context, "context");
  }
  set_current_context(context);
  return ACL_SUCCESS;
}

aclError aclrtGetCurrentContext(aclrtContext* context) {
  if (context == nullptr) return fail_null("context");
  *context = nullptr;
  FERRY_RETURN_IF_ERROR(Runtime::get().status());
  // Failing is a normal answer to this query: it does not change the thread's last error, and the
  // default device is not set.
  const Ref<Context> current = find_current_context();
  if (!current) {
    return reject(ACL_ERROR_RT_CONTEXT_NULL, kEE1018)
        .unlogged()
        .expected()
        .because("the calling thread has no context");
  }
  *context = current->handle();
  return ACL_SUCCESS;
}

aclError aclrtCtxGetCurrentDefaultStream(aclrtStream* stream) {
  if (stream == nullptr) return fail_null("stream");
  FERRY_TRY(Ref<Stream>, found, stream_or_default(nullptr));
  *stream = (*found)->handle();
  return ACL_SUCCESS;
}

aclError aclrtGetPrimaryCtxState(int32_t deviceId, uint32_t* flags, int32_t* active) {
  if (active == nullptr) return fail_null("active");
  FERRY_TRY(Device*, device, find_device(deviceId));
  if (flags != nullptr) *flags = 0;
  *active = (*device)->has_primary() ? 1 : 0;
  return ACL_SUCCESS;
}

}  // namespace ferry::api
