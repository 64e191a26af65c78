// SPDX-License-Identifier: Apache-2.0
// Task groups of captures, and updates of their kernels.
#include "core/model/task_group.h"

#include "api/adapters.h"
#include "api/arguments.h"
#include "base/status.h"
#include "core/model/recording.h"

namespace ferry::api {
namespace {

// What begin and end of an update require of their stream.
Status check_stream_of_update(const Stream& stream) {
  FERRY_RETURN_IF_ERROR(check_not_captured(stream));
  FERRY_RETURN_IF_ERROR(check_not_bound(stream));
  return require_current_context(stream);
}

}  // namespace

aclError aclmdlRICaptureTaskGrpBegin(aclrtStream stream) {
  if (stream == nullptr) return fail_null("stream");
  FERRY_TRY(Ref<Stream>, found, find_stream(stream));
  FERRY_RETURN_IF_ERROR(check_captured(**found));
  FERRY_RETURN_IF_ERROR(require_current_context(**found));
  return begin_task_group(**found);
}

aclError aclmdlRICaptureTaskGrpEnd(aclrtStream stream, aclrtTaskGrp* handle) {
  if (stream == nullptr) return fail_null("stream");
  if (handle == nullptr) return fail_null("handle");
  FERRY_TRY(Ref<Stream>, found, find_stream(stream));
  FERRY_RETURN_IF_ERROR(check_captured(**found));
  FERRY_RETURN_IF_ERROR(require_current_context(**found));
  Result<void*> group = end_task_group(**found);
  *handle = group.ok() ? *group : nullptr;
  return group.status();
}

aclError aclmdlRICaptureTaskUpdateBegin(aclrtStream stream, aclrtTaskGrp handle) {
  if (stream == nullptr) return fail_null("stream");
  if (handle == nullptr) return fail_null("handle");
  FERRY_TRY(Ref<Stream>, found, find_stream(stream));
  FERRY_TRY(Ref<TaskGroup>, group, find_task_group(handle));
  FERRY_RETURN_IF_ERROR(check_stream_of_update(**found));
  return begin_update(**found, *group);
}

aclError aclmdlRICaptureTaskUpdateEnd(aclrtStream stream) {
  if (stream == nullptr) return fail_null("stream");
  FERRY_TRY(Ref<Stream>, found, find_stream(stream));
  FERRY_RETURN_IF_ERROR(check_stream_of_update(**found));
  return end_update(**found);
}

}  // namespace ferry::api
