// SPDX-License-Identifier: Apache-2.0
// Random numbers in device memory, and changes of such tasks.
#include "api/adapters.h"
#include "api/arguments.h"
#include "base/status.h"
#include "core/model/recording.h"
#include "core/product_features.h"
#include "core/random_task.h"

#include <memory>

namespace ferry::api {
namespace {

Status check_bound(const Stream& stream) {
  if (is_bound(stream)) return {};
  return reject(ACL_ERROR_RT_STREAM_MODEL, kEE1017, "taskStream", stream.handle())
      .because(", which is not bound to a model");
}

Status check_update(const aclrtTaskUpdateInfo& info) {
  if (info.id == ACL_RT_UPDATE_RANDOM_TASK || info.id == ACL_RT_UPDATE_AIC_AIV_TASK) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "info.id", info.id).allowed("1 or 2");
}

Status check_source(const aclrtRandomTaskUpdateAttr& change) {
  if (change.srcAddr == nullptr) return fail_null_in_runtime("info.val.randomTaskAttr.srcAddr");
  if (change.size == sizeof(aclrtRandomNumTaskInfo)) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "info.val.randomTaskAttr.size", change.size)
      .allowed("%zu, the size of an aclrtRandomNumTaskInfo", sizeof(aclrtRandomNumTaskInfo));
}

}  // namespace

aclError aclrtRandomNumAsync(const aclrtRandomNumTaskInfo* taskInfo, const aclrtStream stream,
                             void* reserve) {
  if (taskInfo == nullptr) return fail_null("taskInfo");
  FERRY_RETURN_IF_ERROR(check_random_type(taskInfo->dataType));
  if (reserve != nullptr) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "reserve", reserve).allowed("NULL");
  }
  FERRY_TRY(RandomRequest, request, read_random_info(*taskInfo));
  FERRY_TRY(Ref<Stream>, found, stream_of_current_context(stream));
  FERRY_RETURN_IF_ERROR(check_a2_or_a3("tasks that generate random numbers"));
  return submit_random(**found, std::make_shared<RandomTask>(*request));
}

aclError aclrtTaskUpdateAsync(aclrtStream taskStream, uint32_t taskId, aclrtTaskUpdateInfo* info,
                              aclrtStream execStream) {
  if (info == nullptr) return fail_null("info");
  if (taskStream == nullptr) return fail_null_in_runtime("taskStream");
  FERRY_TRY(Ref<Stream>, changed, find_stream(taskStream, "taskStream"));
  FERRY_RETURN_IF_ERROR(stream_if_given(execStream).status());
  FERRY_RETURN_IF_ERROR(check_update(*info));
  FERRY_RETURN_IF_ERROR(check_bound(**changed));
  FERRY_TRY(Ref<Stream>, executing, stream_of_current_context(execStream));
  FERRY_RETURN_IF_ERROR(check_not_captured(**executing));
  if (info->id == ACL_RT_UPDATE_AIC_AIV_TASK) {
    return reject(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kWE0001, "info.id", info->id)
        .because(", a change of a kernel, which is not supported");
  }
  const std::shared_ptr<RandomTask> task = find_random_task(**changed, taskId);
  if (task == nullptr) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "taskId", taskId)
        .because(", which is no task of random numbers on the stream");
  }
  FERRY_RETURN_IF_ERROR(check_source(info->val.randomTaskAttr));
  return submit_random_update(**executing, task, info->val.randomTaskAttr.srcAddr);
}

}  // namespace ferry::api
