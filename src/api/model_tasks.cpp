// SPDX-License-Identifier: Apache-2.0
// Tasks of models: what they are, and changes of single ones.
#include "api/model_tasks.h"

#include "api/adapters.h"
#include "api/arguments.h"
#include "core/kernel/kernel_launch.h"
#include "core/value.h"

#include <utility>

namespace ferry::api {

Status check_no_branch(const Model& model) {
  if (model.kind() != Model::Kind::kBranch) return {};
  return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kWE0001,
              "model %u is a branch of a condition, which cannot be inspected", model.id());
}

Status check_captured_kind(const Model& model) {
  if (model.kind() == Model::Kind::kCaptured) return {};
  return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kWE0001,
              "model %u was not made by a capture, which this function needs", model.id());
}

namespace {

Result<FoundTask> task_of_no_branch(aclmdlRITask task) {
  FERRY_TRY(FoundTask, found, find_task(task));
  FERRY_RETURN_IF_ERROR(check_no_branch(*found->model));
  return std::move(*found);
}

Status fail_default_type(const Argument& argument, const char* why) {
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1017, argument)
      .because(" has the type ACL_MODEL_RI_TASK_DEFAULT, %s", why);
}

// ---- the change of a kernel ----

Result<LaunchArguments> arguments_of(const aclmdlRIKernelTaskParams& params) {
  if (params.args == nullptr) return fail_null_in_runtime("params->kernelTaskParams.args");
  if (params.argsSize == 0) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "params->kernelTaskParams.argsSize", 0)
        .allowed("1 or more");
  }
  LaunchArguments arguments;
  if (params.isHostArgs == 0) {
    arguments.device_address = params.args;
    arguments.device_size = params.argsSize;
    return arguments;
  }
  arguments.bytes = AlignedBytes(params.argsSize);
  FERRY_RETURN_IF_ERROR(take_bytes(arguments.bytes.data(), params.args, params.argsSize,
                                   "params->kernelTaskParams.args"));
  return arguments;
}

Result<TaskChange> change_of_kernel(const Model& model, const aclmdlRIKernelTaskParams& params) {
  if (params.funcHandle == nullptr) {
    return fail_null_in_runtime("params->kernelTaskParams.funcHandle");
  }
  FERRY_TRY(Ref<KernelFunction>, function,
            find_function(params.funcHandle, "params->kernelTaskParams.funcHandle"));
  FERRY_TRY(LaunchArguments, arguments, arguments_of(params));
  if (params.numBlocks == 0 || params.numBlocks > kMostBlocks) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "params->kernelTaskParams.numBlocks",
                  params.numBlocks)
        .allowed("1 to %u", kMostBlocks);
  }
  FERRY_TRY(LaunchAttributes, attributes, check_launch_config(params.cfg));
  Device& device = model.context().device();
  FERRY_RETURN_IF_ERROR(check_device_of(**function, device));
  FERRY_TRY(std::shared_ptr<const KernelLaunch>, launch,
            KernelLaunch::make(device, {.function = std::move(*function),
                                        .shape = LaunchShape::of_blocks(params.numBlocks),
                                        .attributes = std::move(*attributes),
                                        .arguments = std::move(*arguments)}));
  TaskChange change;
  change.launch = std::move(*launch);
  return change;
}

// ---- the change of a value ----

Result<TaskChange> change_of_value(const Model& model, void* address, uint64_t value,
                                   uint32_t flag) {
  if (flag > ACL_STREAM_WAIT_VALUE_NOR) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "params->valueWaitTaskParams.flag", flag)
        .allowed("0 to 3");
  }
  FERRY_TRY(Location, location, locate_value(address));
  FERRY_RETURN_IF_ERROR(check_backend(model.context().device(), *location, Use::kQueued));
  TaskChange change;
  change.value = ferryx_value{
      .address = address, .storage = nullptr, .value = value, .comparison = flag, .reserved = 0};
  return change;
}

Result<TaskChange> change_of(const FoundTask& found, const aclmdlRITaskParams& params) {
  if (params.type != found.task->type) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "params->type", params.type)
        .because(", but the task has the type %d", found.task->type);
  }
  if (params.taskGrp != nullptr) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "params->taskGrp", params.taskGrp)
        .because(": tasks do not change their group, allowed is NULL");
  }
  switch (params.type) {
    case ACL_MODEL_RI_TASK_KERNEL:
      return change_of_kernel(*found.model, params.kernelTaskParams);
    case ACL_MODEL_RI_TASK_VALUE_WRITE:
      return change_of_value(*found.model, params.valueWriteTaskParams.devAddr,
                             params.valueWriteTaskParams.value, 0);
    case ACL_MODEL_RI_TASK_VALUE_WAIT:
      return change_of_value(*found.model, params.valueWaitTaskParams.devAddr,
                             params.valueWaitTaskParams.value, params.valueWaitTaskParams.flag);
    default:
      return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "params->type", params.type)
          .allowed("1 (kernel), 5 (value write) or 6 (value wait)");
  }
}

}  // namespace

aclError aclmdlRITaskGetType(aclmdlRITask task, aclmdlRITaskType* type) {
  if (task == nullptr) return fail_null_in_runtime("task");
  if (type == nullptr) return fail_null_in_runtime("type");
  FERRY_TRY(FoundTask, found, task_of_no_branch(task));
  *type = found->task->type;
  return ACL_SUCCESS;
}

aclError aclmdlRITaskGetSeqId(aclmdlRITask task, uint32_t* id) {
  if (task == nullptr) return fail_null_in_runtime("task");
  if (id == nullptr) return fail_null_in_runtime("id");
  FERRY_TRY(FoundTask, found, task_of_no_branch(task));
  FERRY_RETURN_IF_ERROR(check_captured_kind(*found->model));
  *id = found->task->sequence;
  return ACL_SUCCESS;
}

aclError aclmdlRITaskGetParams(aclmdlRITask task, aclmdlRITaskParams* params) {
  if (task == nullptr) return fail_null_in_runtime("task");
  if (params == nullptr) return fail_null_in_runtime("params");
  FERRY_TRY(FoundTask, found, task_of_no_branch(task));
  if (found->task->type == ACL_MODEL_RI_TASK_DEFAULT) {
    return fail_default_type("task", "which has no parameters");
  }
  describe_task(*found->task, *params);
  return ACL_SUCCESS;
}

aclError aclmdlRITaskSetParams(aclmdlRITask task, aclmdlRITaskParams* params) {
  if (task == nullptr) return fail_null_in_runtime("task");
  if (params == nullptr) return fail_null_in_runtime("params");
  FERRY_TRY(FoundTask, found, task_of_no_branch(task));
  FERRY_RETURN_IF_ERROR(check_captured_kind(*found->model));
  FERRY_RETURN_IF_ERROR(begin_change(*found->model));
  return finish_change(*found->model, *found->task, change_of(*found, *params));
}

aclError aclmdlRITaskDisable(aclmdlRITask task) {
  FERRY_TRY(FoundTask, found, task_of_no_branch(task));
  FERRY_RETURN_IF_ERROR(check_captured_kind(*found->model));
  FERRY_RETURN_IF_ERROR(begin_change(*found->model));
  if (found->task->type == ACL_MODEL_RI_TASK_DEFAULT) {
    return finish_change(
        *found->model, *found->task,
        fail_default_type("task", "which cannot be disabled; its model cannot be used any more"));
  }
  TaskChange change = found->task->change;
  change.is_disabled = true;
  return finish_change(*found->model, *found->task, std::move(change));
}

aclError aclmdlRIKernelTaskGetAttribute(aclmdlRITask task, aclrtLaunchKernelAttrId attrId,
                                        aclrtLaunchKernelAttrValue* attrValue) {
  if (task == nullptr) return fail_null("task");
  if (attrValue == nullptr) return fail_null("attrValue");
  FERRY_TRY(FoundTask, found, task_of_no_branch(task));
  if (found->task->type != ACL_MODEL_RI_TASK_KERNEL) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1017, "task", Value::beside(task))
        .because(" is no kernel");
  }
  FERRY_TRY(aclrtLaunchKernelAttrValue, value, attribute_of_kernel(*found->task, attrId));
  *attrValue = *value;
  return ACL_SUCCESS;
}

}  // namespace ferry::api
