// SPDX-License-Identifier: Apache-2.0
// A device refuses work from before its callbacks are called until its streams are empty.
#include "core/task_abort.h"

#include "base/never_destroyed.h"
#include "core/stream.h"

namespace ferry {
namespace {

constexpr uint32_t kForEver = 0;

// The device refuses work while this lives.
class Aborting {
 public:
  explicit Aborting(Device& device) : device_(device) { device_.begin_task_abort(); }
  ~Aborting() { device_.end_task_abort(); }
  Aborting(const Aborting&) = delete;
  Aborting& operator=(const Aborting&) = delete;

 private:
  Device& device_;
};

Status call_callbacks(const Device& device, aclrtDeviceTaskAbortStage stage, uint32_t timeout) {
  int32_t answer = 0;
  task_abort_callbacks().for_each([&](aclrtDeviceTaskAbortCallback call, void* argument) {
    answer = call(device.id(), stage, timeout, argument);
    return answer == 0;
  });
  if (answer == 0) return {};
  return fail(ACL_ERROR_RT_INTERNAL_ERROR, kEE9999,
              "a callback of aclrtSetDeviceTaskAbortCallback returned %d %s the tasks of device %d "
              "were aborted",
              answer, stage == ACL_RT_DEVICE_TASK_ABORT_PRE ? "before" : "after", device.id());
}

Status abort_streams(Device& device, const WaitLimit& limit) {
  for (const Ref<Stream>& stream : device.all_streams()) {
    if (limit.nanoseconds_left() == 0) {
      return reject(ACL_ERROR_RT_WAIT_TIMEOUT, kEE1002)
          .because("not all tasks of device %d were aborted within %d ms", device.id(),
                   limit.milliseconds());
    }
    FERRY_RETURN_IF_ERROR(stream->abort());
  }
  return {};
}

}  // namespace

NamedCallbacks<aclrtDeviceTaskAbortCallback>& task_abort_callbacks() {
  static NeverDestroyed<NamedCallbacks<aclrtDeviceTaskAbortCallback>> callbacks;
  return *callbacks;
}

Status abort_tasks(Device& device, uint32_t milliseconds) {
  const WaitLimit limit =
      milliseconds == kForEver ? WaitLimit::none() : WaitLimit(static_cast<int32_t>(milliseconds));
  {
    const Aborting aborting(device);
    FERRY_RETURN_IF_ERROR(call_callbacks(device, ACL_RT_DEVICE_TASK_ABORT_PRE, milliseconds));
    FERRY_RETURN_IF_ERROR(abort_streams(device, limit));
  }
  return call_callbacks(device, ACL_RT_DEVICE_TASK_ABORT_POST, milliseconds);
}

}  // namespace ferry
