// SPDX-License-Identifier: Apache-2.0
// The profiling session: its path, its configurations, start and stop.
#include "core/profile/profiling.h"

#include "api/adapters.h"
#include "api/initialisation.h"
#include "api/profile_trace.h"
#include "api/profiling_settings.h"
#include "base/status.h"
#include "core/runtime.h"

#include <algorithm>
#include <cstring>
#include <memory>

namespace ferry::api {
namespace {

constexpr uint64_t kKnownTypes =
    ACL_PROF_ACL_API | ACL_PROF_TASK_TIME | ACL_PROF_AICORE_METRICS | ACL_PROF_AICPU |
    ACL_PROF_L2CACHE | ACL_PROF_HCCL_TRACE | ACL_PROF_TRAINING_TRACE | ACL_PROF_MSPROFTX |
    ACL_PROF_RUNTIME_API | ACL_PROF_GE_API_L0 | ACL_PROF_TASK_TIME_L0 | ACL_PROF_TASK_MEMORY |
    ACL_PROF_TASK_TIME_L2 | ACL_PROF_OP_ATTR | ACL_PROF_TASK_TIME_L3 | ACL_PROF_GE_API_L1 |
    ACL_PROF_API_STATS | ACL_PROF_AICORE_SHAPE;

constexpr size_t kLongestPath = 4095;

Result<Ref<ProfilingConfig>> find_config(const aclprofConfig* handle) {
  if (handle == nullptr) return fail_null("profilerConfig");
  Ref<ProfilingConfig> found = HandleTable<ProfilingConfig>::instance().find(handle);
  if (found) return found;
  return reject(ACL_ERROR_INVALID_PARAM, kEH0009, "profilerConfig",
                static_cast<const void*>(handle))
      .because(", which is not a live configuration");
}

// The devices of a new configuration, sorted.
Status read_devices(const uint32_t* ids, uint32_t count, std::vector<uint32_t>& devices) {
  FERRY_TRY(Runtime*, runtime, Runtime::get());
  const uint32_t known = (*runtime)->device_count();
  if (count > known) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "deviceNums", count).allowed("0 to %u", known);
  }
  for (uint32_t i = 0; i < count; ++i) {
    if (ids[i] >= known) {
      return reject(ACL_ERROR_INVALID_PARAM, kEH0007, {"deviceIdList", i}, ids[i])
          .allowed("0 to %u", known - 1);
    }
    if (std::find(devices.begin(), devices.end(), ids[i]) != devices.end()) {
      return reject(ACL_ERROR_INVALID_PARAM, kEH0009, {"deviceIdList", i}, ids[i])
          .because(", which is in the list already");
    }
    devices.push_back(ids[i]);
  }
  std::sort(devices.begin(), devices.end());
  return {};
}

Status check_types(uint64_t types) {
  if (types == 0) {
    return fail(ACL_ERROR_INVALID_PARAM, kEH0009,
                "the configuration has no type of data: dataTypeConfig was 0");
  }
  if ((types & ~kKnownTypes) == 0) return {};
  return reject(ACL_ERROR_PROF_MODULES_UNSUPPORTED, kEH0009, "dataTypeConfig", Value::hex(types))
      .because(", in which 0x%llx is unknown",
               static_cast<unsigned long long>(types & ~kKnownTypes));
}

Status give_no_features(size_t* size, void** data) {
  if (size == nullptr) return fail_null("featuresSize");
  if (data == nullptr) return fail_null("featuresData");
  *size = 0;
  *data = nullptr;
  return {};
}

}  // namespace

aclError aclprofInit(const char* profilerResultPath, size_t length) {
  if (profilerResultPath == nullptr) return fail_null("profilerResultPath");
  FERRY_RETURN_IF_ERROR(check_length("length", length, 1, kLongestPath));
  FERRY_RETURN_IF_ERROR(check_text("profilerResultPath", profilerResultPath, "length", length));
  if (is_profiling_configured() && !is_profiling_open()) {
    return fail(ACL_ERROR_PROF_ALREADY_RUN, kEH0009,
                "the file of aclInit has switched profiling on");
  }
  return open_profiling(profilerResultPath);
}

aclError aclprofFinalize() {
  close_profiling();
  profiling_was_stopped();
  return ACL_SUCCESS;
}

aclprofConfig* aclprofCreateConfig(uint32_t* deviceIdList, uint32_t deviceNums,
                                   aclprofAicoreMetrics aicoreMetrics,
                                   const aclprofAicoreEvents* aicoreEvents,
                                   uint64_t dataTypeConfig) {
  const auto refuse = [](Status /*recorded already*/) -> aclprofConfig* { return nullptr; };
  if (deviceNums != 0 && deviceIdList == nullptr) return refuse(fail_null("deviceIdList"));
  if (aicoreEvents != nullptr) {
    return refuse(reject(ACL_ERROR_INVALID_PARAM, kEH0007, "aicoreEvents",
                         static_cast<const void*>(aicoreEvents))
                      .allowed("NULL"));
  }
  if (deviceNums == 0 && (dataTypeConfig & ACL_PROF_MSPROFTX) == 0) {
    return refuse(reject(ACL_ERROR_INVALID_PARAM, kEH0009, "deviceNums", 0)
                      .because(", which needs ACL_PROF_MSPROFTX in dataTypeConfig"));
  }
  ProfilingConfig::Contents contents{
      .devices = {}, .metrics = static_cast<uint32_t>(aicoreMetrics), .types = dataTypeConfig};
  if (Status read = read_devices(deviceIdList, deviceNums, contents.devices); !read.ok()) {
    return refuse(read);
  }
  const Ref<ProfilingConfig> config = HandleTable<ProfilingConfig>::instance().insert(
      std::make_unique<ProfilingConfig>(std::move(contents)));
  return static_cast<aclprofConfig*>(config->handle());
}

aclError aclprofDestroyConfig(const aclprofConfig* profilerConfig) {
  FERRY_RETURN_IF_ERROR(find_config(profilerConfig).status());
  if (HandleTable<ProfilingConfig>::instance().remove(profilerConfig)) return ACL_SUCCESS;
  return find_config(profilerConfig).status();  // another thread has destroyed it meanwhile
}

aclError aclprofStart(const aclprofConfig* profilerConfig) {
  FERRY_TRY(Ref<ProfilingConfig>, config, find_config(profilerConfig));
  FERRY_RETURN_IF_ERROR(check_types((*config)->contents().types));
  FERRY_RETURN_IF_ERROR(start_profiling((*config)->contents()));
  profiling_was_started();
  return ACL_SUCCESS;
}

aclError aclprofStop(const aclprofConfig* profilerConfig) {
  FERRY_TRY(Ref<ProfilingConfig>, config, find_config(profilerConfig));
  FERRY_RETURN_IF_ERROR(stop_profiling((*config)->contents()));
  profiling_was_stopped();
  return ACL_SUCCESS;
}

aclError aclprofWarmup(const aclprofConfig* profilerConfig) {
  return find_config(profilerConfig).status();
}

aclError aclprofGetSupportedFeatures(size_t* featuresSize, void** featuresData) {
  return give_no_features(featuresSize, featuresData);
}

aclError aclprofGetSupportedFeaturesV2(size_t* featuresSize, void** featuresData) {
  return give_no_features(featuresSize, featuresData);
}

aclError aclprofRegisterDeviceCallback() {
  return ACL_SUCCESS;
}

aclError aclprofSetConfig(aclprofConfigType configType, const char* config, size_t configLength) {
  constexpr size_t kLongestValue = 256;
  if (configType <= ACL_PROF_ARGS_MIN || configType >= ACL_PROF_ARGS_MAX) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "configType", configType)
        .allowed("%d to %d", ACL_PROF_ARGS_MIN + 1, ACL_PROF_ARGS_MAX - 1);
  }
  FERRY_RETURN_IF_ERROR(check_length("configLength", configLength, 0, kLongestValue));
  if (config == nullptr) return fail_null("config");
  FERRY_RETURN_IF_ERROR(check_text("config", config, "configLength", configLength));
  return check_profiling_setting(configType, config);
}

}  // namespace ferry::api
