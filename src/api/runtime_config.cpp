// SPDX-License-Identifier: Apache-2.0
// Options of the process and of contexts, and limits for kernels: kept and returned.
#include "api/adapters.h"
#include "api/arguments.h"
#include "base/status.h"
#include "core/context.h"
#include "core/core_limits.h"
#include "core/runtime.h"
#include "core/system_options.h"

namespace ferry::api {
namespace {

enum class Owner { kProcess, kContext };

Status check_option(aclSysParamOpt option, Owner owner) {
  const int last =
      owner == Owner::kProcess ? ACL_OPT_ENABLE_KERNEL_EARLY_START : ACL_OPT_STRONG_CONSISTENCY;
  if (option >= ACL_OPT_DETERMINISTIC && static_cast<int>(option) <= last) return {};
  return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "opt", option).allowed("0 to %d", last);
}

Status check_option_value(aclSysParamOpt option, int64_t value) {
  const int64_t most = option == ACL_OPT_DETERMINISTIC ? 3 : 1;
  if (value >= 0 && value <= most) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "value", value)
      .allowed("0 to %d", static_cast<int>(most));
}

Status read_option(const SystemOptions& options, aclSysParamOpt option, int64_t* value) {
  const std::optional<int64_t> known = options.get(option);
  *value = known.value_or(0);
  if (known.has_value()) return {};
  return reject(ACL_ERROR_RT_SYSPARAMOPT_NOT_SET, kEE1018, "opt", option)
      .because(", an option that was never set");
}

Status check_type(aclrtDevResLimitType type) {
  if (type == ACL_RT_DEV_RES_CUBE_CORE || type == ACL_RT_DEV_RES_VECTOR_CORE) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "type", type).allowed("0 or 1");
}

Status check_cores(aclrtDevResLimitType type, uint32_t value) {
  const uint32_t most = hardware_cores(type);
  if (value <= most) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "value", value)
      .allowed("0 to %u, the %s cores of %s", most,
               type == ACL_RT_DEV_RES_CUBE_CORE ? "cube" : "vector", soc().name);
}

}  // namespace

aclError aclrtSetSysParamOpt(aclSysParamOpt opt, int64_t value) {
  FERRY_RETURN_IF_ERROR(check_option(opt, Owner::kProcess));
  FERRY_RETURN_IF_ERROR(check_option_value(opt, value));
  process_options().set(opt, value);
  return ACL_SUCCESS;
}

aclError aclrtGetSysParamOpt(aclSysParamOpt opt, int64_t* value) {
  if (value == nullptr) return fail_null("value");
  FERRY_RETURN_IF_ERROR(check_option(opt, Owner::kProcess));
  return read_option(process_options(), opt, value);
}

aclError aclrtCtxSetSysParamOpt(aclSysParamOpt opt, int64_t value) {
  FERRY_RETURN_IF_ERROR(check_option(opt, Owner::kContext));
  FERRY_RETURN_IF_ERROR(check_option_value(opt, value));
  FERRY_TRY(Ref<Context>, context, current_context());
  (*context)->options.set(opt, value);
  return ACL_SUCCESS;
}

aclError aclrtCtxGetSysParamOpt(aclSysParamOpt opt, int64_t* value) {
  if (value == nullptr) return fail_null("value");
  FERRY_RETURN_IF_ERROR(check_option(opt, Owner::kContext));
  FERRY_TRY(Ref<Context>, context, current_context());
  return read_option((*context)->options, opt, value);
}

aclError aclrtGetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t* value) {
  if (value == nullptr) return fail_null("value");
  FERRY_RETURN_IF_ERROR(check_type(type));
  FERRY_TRY(Device*, device, find_device(deviceId));
  *value = cores_of(**device, type);
  return ACL_SUCCESS;
}

aclError aclrtSetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t value) {
  FERRY_RETURN_IF_ERROR(check_type(type));
  FERRY_TRY(Device*, device, find_device(deviceId));
  FERRY_RETURN_IF_ERROR(check_cores(type, value));
  (*device)->core_limits.set(type, value);
  return ACL_SUCCESS;
}

aclError aclrtResetDeviceResLimit(int32_t deviceId) {
  FERRY_TRY(Device*, device, find_device(deviceId));
  (*device)->core_limits.reset();
  return ACL_SUCCESS;
}

aclError aclrtGetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type, uint32_t* value) {
  if (value == nullptr) return fail_null("value");
  FERRY_RETURN_IF_ERROR(check_type(type));
  FERRY_TRY(Ref<Stream>, found, stream_of_current_context(stream));
  *value = cores_of(**found, type);
  return ACL_SUCCESS;
}

aclError aclrtSetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type, uint32_t value) {
  FERRY_RETURN_IF_ERROR(check_type(type));
  FERRY_TRY(Ref<Stream>, found, stream_of_current_context(stream));
  FERRY_RETURN_IF_ERROR(check_cores(type, value));
  (*found)->core_limits.set(type, value);
  return ACL_SUCCESS;
}

aclError aclrtResetStreamResLimit(aclrtStream stream) {
  FERRY_TRY(Ref<Stream>, found, stream_of_current_context(stream));
  (*found)->core_limits.reset();
  return ACL_SUCCESS;
}

aclError aclrtUseStreamResInCurrentThread(aclrtStream stream) {
  FERRY_TRY(Ref<Stream>, found, stream_of_current_context(stream));
  use_limits_of(**found);
  return ACL_SUCCESS;
}

aclError aclrtUnuseStreamResInCurrentThread(aclrtStream stream) {
  FERRY_TRY(Ref<Stream>, found, stream_of_current_context(stream));
  stop_using_limits_of(**found);
  return ACL_SUCCESS;
}

aclError aclrtGetResInCurrentThread(aclrtDevResLimitType type, uint32_t* value) {
  if (value == nullptr) return fail_null("value");
  FERRY_RETURN_IF_ERROR(check_type(type));
  FERRY_TRY(Ref<Context>, context, current_context());
  *value = cores_of_thread((*context)->device(), type);
  return ACL_SUCCESS;
}

}  // namespace ferry::api
