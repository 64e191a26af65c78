// SPDX-License-Identifier: Apache-2.0
// Task groups: kernels of a capture whose launches can be replaced between and during runs. An
// update writes new launches on a stream that is not captured, and takes effect when that stream
// comes to it.
#pragma once

#include "base/status.h"
#include "core/handle_table.h"
#include "core/model/recording.h"
#include "core/stream.h"

#include "acl/acl_rt.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ferry {

class Context;
class KernelLaunch;
class RecordedLaunch;

// Changed under the lock of recordings.
class TaskGroup final : public Handled {
 public:
  static constexpr HandleKind kHandleKind = HandleKind::kTaskGroup;
  TaskGroup(const Context& of, uint32_t of_model, int32_t stream)
      : context(of), model_id(of_model), stream_id(stream) {}

  const Context& context;  // outlives it
  const uint32_t model_id;
  const int32_t stream_id;  // that was captured
  std::vector<std::shared_ptr<RecordedLaunch>> kernels;
  bool is_updating = false;
};

// The launches that replace those of a group, as far as they are known.
struct TaskUpdate {
  Ref<TaskGroup> group;
  std::vector<std::shared_ptr<const KernelLaunch>> launches;
};

// 107029 when the stream is not in a capture.
Status check_captured(const Stream& stream);
// 107033 when a group is open in the capture, or the stream is in an update.
Status begin_task_group(Stream& stream);
// The handle of the group. 107033 when none is open on the stream; 507009, 107034 or 507903 after
// an error. The group is closed then, too.
Result<void*> end_task_group(Stream& stream);
// A task comes while a group is open: adds it, or says why it must not come, and invalidates the
// capture. Under the lock of recordings.
Status add_to_open_group(const Stream& stream, const Recorder& recorder, RecordedTask& task);

// 107017 when the handle is not that of a group of a live model.
Result<Ref<TaskGroup>> find_task_group(aclrtTaskGrp handle);
// 107004 when the group belongs to another context than the stream, 107033 when the stream or the
// group is in an update already.
Status begin_update(Stream& stream, const Ref<TaskGroup>& group);
// Queues the change. 107033 when the stream is in no update, 507000 when launches are missing: the
// update is left, and nothing changes.
Status end_update(Stream& stream);
// A launch on a stream in an update. 507000 when the group has no further task.
Status replace_next_task(Stream& stream, const std::shared_ptr<const KernelLaunch>& launch);
// Work of another kind on such a stream: 507009.
Status fail_in_update(const Stream& stream);
// The stream ends.
void abandon_update(Stream& stream);

}  // namespace ferry
