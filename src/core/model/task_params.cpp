// SPDX-License-Identifier: Apache-2.0
// What a task of a finished model does, and changes of it. A change is prepared outside of the
// parts lock, because making a launch calls the program's stand-in.
#include "core/event.h"
#include "core/kernel/kernel_launch.h"
#include "core/model/model_parts.h"

#include <algorithm>
#include <mutex>
#include <utility>

namespace ferry {
namespace {

constexpr uint64_t kMicroseconds = 1'000'000;

aclmdlRIKernelTaskParams params_of(const KernelLaunch& launch) {
  aclmdlRIKernelTaskParams params{};
  params.funcHandle = launch.function().handle();
  params.args = const_cast<void*>(launch.address());
  params.argsSize = launch.size();
  params.numBlocks = launch.shape().blocks;
  return params;
}

// The attribute as the launch has it; nullptr: not at all.
const aclrtLaunchKernelAttrValue* find_attribute(const KernelLaunch& launch,
                                                 aclrtLaunchKernelAttrId id) {
  const LaunchAttributes& all = launch.attributes();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const aclrtLaunchKernelAttr& one) { return one.id == id; });
  return found == all.end() ? nullptr : &found->value;
}

// The limit of a launch, which may be given in either unit.
uint64_t microseconds_of(const KernelLaunch& launch) {
  if (const auto* exact = find_attribute(launch, ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US)) {
    return uint64_t{exact->timeoutUs.timeoutHigh} << 32 | exact->timeoutUs.timeoutLow;
  }
  const auto* seconds = find_attribute(launch, ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT);
  return seconds == nullptr ? 0 : seconds->timeout * kMicroseconds;
}

Status fail_attribute(int id) {
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "attrId", id).allowed("1, 2, 6, 7 or 8");
}

}  // namespace

void describe_task(const RecordedTask& task, aclmdlRITaskParams& params) {
  params = {};
  params.type = task.type;
  params.taskGrp = task.group;
  params.opInfoSize = task.info.size();
  params.opInfoPtr = task.info.empty() ? nullptr : const_cast<char*>(task.info.data());
  const ferryx_work& work = *task.work;
  void* const event = task.event ? task.event->handle() : nullptr;
  const uint32_t event_flags = task.event ? task.event->flags() : 0;
  switch (task.type) {
    case ACL_MODEL_RI_TASK_KERNEL:
      params.kernelTaskParams = params_of(*task.launch->launch());
      break;
    case ACL_MODEL_RI_TASK_EVENT_RECORD:
      params.eventRecordTaskParams = {event, event_flags, task.event_use};
      break;
    case ACL_MODEL_RI_TASK_EVENT_WAIT:
      params.eventWaitTaskParams = {event, event_flags, task.event_use};
      break;
    case ACL_MODEL_RI_TASK_EVENT_RESET:
      params.eventResetTaskParams = {event, event_flags, task.event_use};
      break;
    case ACL_MODEL_RI_TASK_VALUE_WRITE:
      params.valueWriteTaskParams = {work.as.value.address, work.as.value.value};
      break;
    case ACL_MODEL_RI_TASK_VALUE_WAIT:
      params.valueWaitTaskParams = {work.as.value.address, work.as.value.value,
                                    work.as.value.comparison};
      break;
    default:
      break;
  }
}

Result<aclrtLaunchKernelAttrValue> attribute_of_kernel(const RecordedTask& task,
                                                       aclrtLaunchKernelAttrId id) {
  const std::shared_ptr<const KernelLaunch> launch = task.launch->launch();
  const aclrtLaunchKernelAttrValue* const given = find_attribute(*launch, id);
  aclrtLaunchKernelAttrValue value{};
  switch (id) {
    case ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE:
    case ACL_RT_LAUNCH_KERNEL_ATTR_DATA_DUMP:
      if (given != nullptr) value = *given;
      return value;
    case ACL_RT_LAUNCH_KERNEL_ATTR_DYN_UBUF_SIZE:
      value.dynUBufSize =
          given != nullptr ? given->dynUBufSize : static_cast<uint32_t>(launch->shape().ubuf_size);
      return value;
    case ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT:
      value.timeout = static_cast<uint16_t>(std::min<uint64_t>(
          (microseconds_of(*launch) + kMicroseconds - 1) / kMicroseconds, UINT16_MAX));
      return value;
    case ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US:
      value.timeoutUs = {static_cast<uint32_t>(microseconds_of(*launch)),
                         static_cast<uint32_t>(microseconds_of(*launch) >> 32)};
      return value;
    default:
      return fail_attribute(id);
  }
}

// ---- changes ----

Status begin_change(Model& model) {
  const std::lock_guard lock(model.parts_mutex);
  const bool is_changeable =
      model.state() == Model::State::kReady || model.state() == Model::State::kUpdating;
  if (is_changeable && model.runs().is_idle()) {
    model.set_state(Model::State::kUpdating);
    return {};
  }
  return reject(ACL_ERROR_RT_MODEL_UPDATE_FAILED, kEE1016, "task")
      .because(" belongs to model %u, which runs or is not ready", model.id());
}

Status finish_change(Model& model, RecordedTask& task, Result<TaskChange> change) {
  const std::lock_guard lock(model.parts_mutex);
  if (!change.ok()) {
    model.set_state(Model::State::kFault);
    return change.status();
  }
  // Another thread may have updated the model meanwhile.
  if (model.state() == Model::State::kReady) model.set_state(Model::State::kUpdating);
  const bool is_disabled = change->is_disabled || task.change.is_disabled;
  task.change = std::move(*change);
  task.change.is_disabled = is_disabled;
  return {};
}

}  // namespace ferry
