// SPDX-License-Identifier: Apache-2.0
// One task of a model: work that is executed once per run, and what inspecting it shows.
#pragma once

#include "base/work.h"
#include "core/handle_table.h"

#include "acl/acl_rt.h"
#include "ferry/backend.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ferry {

class Event;
class KernelLaunch;
class RecordedLaunch;

// What a recorded task has beside its work.
struct TaskFacts {
  aclmdlRITaskType type = ACL_MODEL_RI_TASK_DEFAULT;
  int32_t activated = -1;  // the id of a lane that the task may start
  // Whatever the work refers to: it lives as long as the model.
  std::shared_ptr<void> keeps{};
  std::shared_ptr<RecordedLaunch> launch{};  // of a kernel
};

// A change of a task that the next update of its model makes effective.
struct TaskChange {
  std::shared_ptr<const KernelLaunch> launch;
  std::optional<ferryx_value> value;
  bool is_disabled = false;
};

struct RecordedTask {
  // kWork: the work as it is. kFork: the record of an event that other lanes wait for: sets one
  // flag per wait. kJoin: such a wait: takes its flag. kMark, kAwait: an external event: a marker
  // that each run has of its own. kNothing: a task that is disabled, or has no effect.
  enum class Form { kWork, kFork, kJoin, kMark, kAwait, kNothing };

  Form form = Form::kWork;
  aclmdlRITaskType type = ACL_MODEL_RI_TASK_DEFAULT;
  uint32_t sequence = 0;  // its place in the model, in the order of capture
  WorkClone work;
  std::shared_ptr<void> keeps;
  std::shared_ptr<RecordedLaunch> launch;  // of a kernel
  void* group = nullptr;                   // handle of its task group
  Ref<Event> event;                        // of event tasks
  uint32_t event_use = 0;                  // the flag of the record or wait
  size_t first_work = 0;                   // its works in its lane, once the model is built
  // By aclrtPersistentTaskClean: it does nothing, and programs do not see it.
  bool is_removed = false;
  TaskChange change;        // of the next update of the model
  int32_t activated = -1;   // the id of a lane that the task may start
  std::vector<char> info;   // of aclrtCacheLastTaskOpInfo
  std::string extend_info;  // of aclrtCacheLastTaskExtendInfo
};

// Where a task is.
struct TaskPlace {
  size_t lane = 0;
  size_t task = 0;
};

}  // namespace ferry
