// SPDX-License-Identifier: Apache-2.0
// The streams and tasks of a model, as programs see them: handles for inspecting it, and changes of
// single tasks.
#pragma once

#include "base/status.h"
#include "core/handle_table.h"
#include "core/model/model.h"
#include "core/model/recorded_task.h"

#include "acl/acl_rt.h"

#include <string>
#include <vector>

namespace ferry {

// One lane of a model.
class ModelStream final : public Handled {
 public:
  static constexpr HandleKind kHandleKind = HandleKind::kModelStream;
  ModelStream(void* of_model, size_t of_lane) : model(of_model), lane(of_lane) {}

  void* const model;  // handle
  const size_t lane;
};

class ModelTask final : public Handled {
 public:
  static constexpr HandleKind kHandleKind = HandleKind::kModelTask;
  ModelTask(void* of_model, const TaskPlace& at) : model(of_model), place(at) {}

  void* const model;  // handle
  const TaskPlace place;
};

// The handles of the lanes of a finished model, and of the tasks of a lane, in the order of
// recording. They die with the model.
std::vector<void*> streams_of(Model& model);
std::vector<void*> tasks_of(Model& model, size_t lane);

// A task, and what keeps it alive.
struct FoundTask {
  Ref<Model> model;
  RecordedTask* task = nullptr;
};
// 107000 for NULL and for what is not a task of a live model.
Result<FoundTask> find_task(aclmdlRITask handle);
// 107000 for what is not a stream of a live model.
struct FoundLane {
  Ref<Model> model;
  size_t lane = 0;
};
Result<FoundLane> find_model_stream(aclrtStream handle);

void describe_task(const RecordedTask& task, aclmdlRITaskParams& params);

// The value of an attribute of a kernel's launch; 0 when it was launched without. 107000 when the
// attribute cannot be read.
Result<aclrtLaunchKernelAttrValue> attribute_of_kernel(const RecordedTask& task,
                                                       aclrtLaunchKernelAttrId id);

// A task is about to be changed: the model cannot run before it is updated. 107040 when it runs, or
// is in a state that cannot be changed.
Status begin_change(Model& model);
// The task changes with the next update. A failure instead of a change makes the model unusable,
// and is returned.
Status finish_change(Model& model, RecordedTask& task, Result<TaskChange> change);
// Makes changes effective. 107040 when the model is in a state that cannot be updated.
Status update_model(Model& model);

// One line per task, and per group, into the log.
void log_model(Model& model);
// A JSON array of Chrome trace events, one per task. kVerbose: with the arguments of kernels.
enum class Detail { kBrief, kVerbose };
std::string model_as_json(Model& model, Detail detail);

}  // namespace ferry
