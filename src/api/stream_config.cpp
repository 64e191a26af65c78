// SPDX-License-Identifier: Apache-2.0
// Streams with a configuration, their attributes and failure modes.
#include "api/adapters.h"
#include "api/arguments.h"
#include "base/status.h"
#include "core/model/recording.h"
#include "core/runtime.h"
#include "core/state_callbacks.h"
#include "core/stream.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <set>

namespace ferry::api {
namespace {

constexpr uint32_t kKnownFlags = ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC |
                                 ACL_STREAM_PERSISTENT | ACL_STREAM_HUGE | ACL_STREAM_CPU_SCHEDULE |
                                 ACL_STREAM_DEVICE_USE_ONLY;

Status create(aclrtStream* stream, uint32_t priority, uint32_t flag) {
  if (stream == nullptr) return fail_null("stream");
  const uint32_t flags = flag & kKnownFlags;
  if ((flags & ACL_STREAM_DEVICE_USE_ONLY) != 0 && flags != ACL_STREAM_DEVICE_USE_ONLY) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1006, "flag", Value::hex(flag))
        .allowed("ACL_STREAM_DEVICE_USE_ONLY (0x20) alone");
  }
  FERRY_TRY(Ref<Context>, context, current_context());
  FERRY_TRY(Ref<Stream>, made,
            Stream::create(*context,
                           {.priority = std::min(priority, kLeastUrgentPriority), .flags = flags}));
  tell_stream_state(**made, ACL_RT_STREAM_STATE_CREATE_POST);
  *stream = (*made)->handle();
  return {};
}

// The live configurations. Programs hold their addresses, so only a list can tell a stale or
// foreign one from a live one.
struct Configurations {
  std::mutex mutex;  // guards live, and the fields of the configurations in it
  std::set<const aclrtStreamConfigHandle*> live;
};

Configurations& configurations() {
  static auto* instance = new Configurations;
  return *instance;
}

Status fail_unknown_configuration(const aclrtStreamConfigHandle* handle) {
  return reject(ACL_ERROR_INVALID_PARAM, kEH0009, "handle", handle)
      .because(", which is not a live stream configuration");
}

template <class Field>
Status set_field(Field& field, const void* value, size_t size) {
  if (size != sizeof(Field)) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "valueSize", size)
        .allowed("%zu", sizeof(Field));
  }
  std::memcpy(&field, value, sizeof(Field));
  return {};
}

Status set_option(aclrtStreamConfigHandle& handle, aclrtStreamConfigAttr attribute,
                  const void* value, size_t size) {
  switch (attribute) {
    case ACL_RT_STREAM_WORK_ADDR_PTR:
      return set_field(handle.workptr, value, size);
    case ACL_RT_STREAM_WORK_SIZE:
      return set_field(handle.workSize, value, size);
    case ACL_RT_STREAM_FLAG:
      return set_field(handle.flag, value, size);
    case ACL_RT_STREAM_PRIORITY:
      return set_field(handle.priority, value, size);
  }
  return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "attr", attribute).allowed("0 to 3");
}

Status set_failure_mode(Stream& stream, uint64_t mode) {
  const bool wants_stop = (mode & 1) == ACL_STOP_ON_FAILURE;
  if ((stream.flags() & ACL_STREAM_DEVICE_USE_ONLY) != 0) {
    return reject(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kEE1016, "stream",
                  Value::beside(stream.handle()))
        .because(" is for the device only and has no failure mode");
  }
  FailureState& failure = stream.context().failure();
  if (failure.has_failed() || (failure.stops_on_failure() && !wants_stop)) {
    return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kEE1016,
                "the context of stream %p stops on failure already, which cannot be taken back",
                stream.handle());
  }
  if (wants_stop) {
    FERRY_RETURN_IF_ERROR(service_thread().start());  // drops the work after a failure
    failure.stop_on_failure();
  }
  return {};
}

aclrtStreamAttr last_attribute() {
  return release().stream_priority_attribute ? ACL_STREAM_ATTR_PRIORITY
                                             : ACL_STREAM_ATTR_CACHE_OP_INFO;
}

Status fail_attribute(aclrtStreamAttr attribute) {
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "stmAttrType", attribute)
      .allowed("1 to %d", last_attribute());
}

bool is_known(aclrtStreamAttr attribute) {
  return attribute >= ACL_STREAM_ATTR_FAILURE_MODE && attribute <= last_attribute();
}

// The checks common to setting and reading an attribute.
Result<Ref<Stream>> stream_with_attribute(aclrtStream stream, aclrtStreamAttr attribute,
                                          const void* value) {
  if (value == nullptr) return fail_null("value");
  FERRY_RETURN_IF_ERROR(stream_if_given(stream).status());
  if (!is_known(attribute)) return fail_attribute(attribute);
  return stream_of_current_context(stream);
}

}  // namespace

aclError aclrtCreateStreamWithConfig(aclrtStream* stream, uint32_t priority, uint32_t flag) {
  return create(stream, priority, flag);
}

aclrtStreamConfigHandle* aclrtCreateStreamConfigHandle() {
  auto handle = std::make_unique<aclrtStreamConfigHandle>();
  Configurations& all = configurations();
  const std::lock_guard lock(all.mutex);
  all.live.insert(handle.get());
  return handle.release();
}

aclError aclrtDestroyStreamConfigHandle(aclrtStreamConfigHandle* handle) {
  if (handle == nullptr) return fail_null("handle");
  Configurations& all = configurations();
  const std::lock_guard lock(all.mutex);
  if (all.live.erase(handle) == 0) return fail_unknown_configuration(handle);
  delete handle;
  return ACL_SUCCESS;
}

aclError aclrtSetStreamConfigOpt(aclrtStreamConfigHandle* handle, aclrtStreamConfigAttr attr,
                                 const void* attrValue, size_t valueSize) {
  if (handle == nullptr) return fail_null("handle");
  if (attrValue == nullptr) return fail_null("attrValue");
  Configurations& all = configurations();
  const std::lock_guard lock(all.mutex);
  if (!all.live.contains(handle)) return fail_unknown_configuration(handle);
  return set_option(*handle, attr, attrValue, valueSize);
}

aclError aclrtCreateStreamV2(aclrtStream* stream, const aclrtStreamConfigHandle* handle) {
  if (stream == nullptr) return fail_null("stream");
  if (handle == nullptr) return fail_null("handle");
  aclrtStreamConfigHandle chosen{};
  {
    Configurations& all = configurations();
    const std::lock_guard lock(all.mutex);
    if (!all.live.contains(handle)) return fail_unknown_configuration(handle);
    chosen = *handle;
  }
  return create(stream, chosen.priority, static_cast<uint32_t>(chosen.flag));
}

aclError aclrtSetStreamFailureMode(aclrtStream stream, uint64_t mode) {
  FERRY_RETURN_IF_ERROR(stream_if_given(stream).status());
  if (stream == nullptr && !find_current_context()) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1004, "stream", nullptr)
        .because(" and the calling thread has no context with a default stream");
  }
  FERRY_TRY(Ref<Stream>, found, stream_of_current_context(stream));
  return set_failure_mode(**found, mode);
}

aclError aclrtSetStreamAttribute(aclrtStream stream, aclrtStreamAttr stmAttrType,
                                 aclrtStreamAttrValue* value) {
  FERRY_TRY(Ref<Stream>, found, stream_with_attribute(stream, stmAttrType, value));
  switch (stmAttrType) {
    case ACL_STREAM_ATTR_FAILURE_MODE:
      return set_failure_mode(**found, value->failureMode);
    case ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK:
      FERRY_RETURN_IF_ERROR(check_not_captured(**found));
      (*found)->overflow_switch = value->overflowSwitch;
      break;
    case ACL_STREAM_ATTR_USER_CUSTOM_TAG:
      FERRY_RETURN_IF_ERROR(check_not_captured(**found));
      (*found)->custom_tag = value->userCustomTag;
      break;
    case ACL_STREAM_ATTR_CACHE_OP_INFO:
      (*found)->cache_op_info = value->cacheOpInfoSwitch;
      break;
    case ACL_STREAM_ATTR_PRIORITY:
      (*found)->set_priority(std::min(value->streamPriority, kLeastUrgentPriority));
      break;
  }
  return ACL_SUCCESS;
}

aclError aclrtGetStreamAttribute(aclrtStream stream, aclrtStreamAttr stmAttrType,
                                 aclrtStreamAttrValue* value) {
  FERRY_TRY(Ref<Stream>, found, stream_with_attribute(stream, stmAttrType, value));
  *value = {};
  switch (stmAttrType) {
    case ACL_STREAM_ATTR_FAILURE_MODE:
      value->failureMode = (*found)->context().failure().stops_on_failure()
                               ? ACL_STOP_ON_FAILURE
                               : ACL_CONTINUE_ON_FAILURE;
      break;
    case ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK:
      value->overflowSwitch = (*found)->overflow_switch;
      break;
    case ACL_STREAM_ATTR_USER_CUSTOM_TAG:
      value->userCustomTag = (*found)->custom_tag;
      break;
    case ACL_STREAM_ATTR_CACHE_OP_INFO:
      value->cacheOpInfoSwitch = (*found)->cache_op_info;
      break;
    case ACL_STREAM_ATTR_PRIORITY:
      value->streamPriority = (*found)->priority();
      break;
  }
  return ACL_SUCCESS;
}

}  // namespace ferry::api
