// SPDX-License-Identifier: Apache-2.0
// A model: recorded work that runs as a whole. It is recorded by a capture, or built from streams
// that are bound to it.
#pragma once

#include "base/status.h"
#include "core/context.h"
#include "core/handle_table.h"
#include "core/model/lane_group.h"
#include "core/model/model_runs.h"
#include "core/model/recording.h"

#include "acl/acl_rt.h"

#include <atomic>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace ferry {

class Condition;
class TaskGroup;

// May be shared between threads.
class Model final : public Handled {
 public:
  static constexpr HandleKind kHandleKind = HandleKind::kModel;
  // kBuilt: from streams that are bound to it. kBranch: of a condition.
  enum class Kind { kCaptured, kBuilt, kBranch };
  // kNone: a branch whose capture has not begun. kActive: it is recorded.
  enum class State { kNone, kActive, kInvalidated, kUpdating, kFault, kReady };

  // A branch belongs to a model that runs it.
  static Ref<Model> create(const Ref<Context>& context, Kind kind, State state,
                           Model* root = nullptr);
  ~Model();

  Context& context() const { return *context_; }
  Kind kind() const { return kind_; }
  uint32_t id() const { return id_; }
  State state() const { return state_.load(std::memory_order_acquire); }
  void set_state(State state) { state_.store(state, std::memory_order_release); }
  bool is_recorded() const { return state() == State::kActive || state() == State::kInvalidated; }

  LaneGroup& group() { return group_; }
  // The model that runs: this one, or the one that this is a branch of.
  Model& root() { return root_ != nullptr ? *root_ : *this; }
  ModelRuns& runs() { return runs_; }

  // ---- recording, all under the lock of recordings ----

  struct Capture {
    aclmdlRICaptureMode mode = ACL_MODEL_RI_CAPTURE_MODE_GLOBAL;
    uint64_t thread = 0;     // that began it (number_of_thread)
    void* origin = nullptr;  // handle of the stream that began it
  };
  Capture capture;
  // The stream joins the model as a new lane.
  Lane& join(Stream& stream);
  // The stream is not recorded any more. False when it was not.
  bool leave(const Stream& stream);
  bool has_streams() const { return !members_.empty(); }
  bool has_end = false;  // of a built model: a task that ends the run was recorded
  // Branches and conditions of this model, also of its branches; of a root.
  std::vector<Ref<Model>> branches;
  std::vector<std::shared_ptr<Condition>> conditions;
  // The task group that is recorded; the model owns all of its groups.
  struct OpenGroup {
    Ref<TaskGroup> group;
    size_t lane = 0;  // where its tasks must be
    aclError error = ACL_SUCCESS;
  };
  std::optional<OpenGroup> open_group;
  std::vector<Ref<TaskGroup>> groups;
  // Appends a task, unless the model is invalidated, or built and the lane not reopened; nullptr
  // then.
  RecordedTask* add_task(size_t lane, RecordedTask task);
  // Removes the tasks of a lane of a built model: it takes others from now on.
  void reopen(size_t lane);
  // All streams leave, and so do the events that were recorded here.
  void release_streams();
  // Events that were recorded in this capture.
  std::vector<Ref<Event>> events;

  // ---- what programs see of a finished model (model_parts.h) ----

  std::mutex parts_mutex;  // guards the members below, and changes of tasks
  std::string name;
  std::vector<void*> streams;             // handles of its lanes
  std::vector<std::vector<void*>> tasks;  // handles of the tasks of each lane
  struct DestroyCallback {
    aclrtCallback function = nullptr;
    void* data = nullptr;
  };
  std::vector<DestroyCallback> destroy_callbacks;

  // Call before each run: tasks may have been removed and added. 107037 when they were, and the
  // model runs.
  Status refresh();

  // Makes it unfindable, once its runs are over. False when another thread did.
  bool remove();
  // Calls the program's functions for its destruction, once.
  void call_destroy_callbacks();
  // The context ends.
  void close_now();

 private:
  Model(const Ref<Context>& context, Kind kind, State state, Model* root);
  void forget_parts();

  const Ref<Context> context_;
  const Kind kind_;
  const uint32_t id_;
  std::atomic<State> state_;
  Model* const root_;  // of a branch; outlives it
  ModelRuns runs_;
  LaneGroup group_;
  uint32_t task_count_ = 0;
  struct Member {
    Recorder recorder;
    Ref<Stream> stream;
  };
  std::list<Member> members_;  // the streams that are recorded; addresses stay
};

// 100000 for NULL, 107017 when the handle is not that of a live model.
Result<Ref<Model>> find_model(aclmdlRI handle, const char* argument = "modelRI");

// 107004 unless the model belongs to the calling thread's context; 107002 when it has none.
Status require_current_context(const Model& model);

}  // namespace ferry
