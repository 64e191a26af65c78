// SPDX-License-Identifier: Apache-2.0
// A condition is a callout of its lane: it reads the value, runs the lanes of a branch on their own
// queues, and is done when they are over.
#include "core/model/condition.h"

#include "base/work.h"
#include "core/copy.h"
#include "core/event.h"
#include "core/location.h"
#include "core/memory.h"
#include "core/model/lane.h"
#include "core/model/recording.h"
#include "core/stream.h"

#include <mutex>
#include <utility>
#include <vector>

namespace ferry {
namespace {

// The task in the lane. It lives as long as the model.
class ConditionTask {
 public:
  ConditionTask(std::shared_ptr<Condition> condition, aclmdlRICondTaskType type,
                std::vector<Ref<Model>> branches)
      : condition_(std::move(condition)), type_(type), branches_(std::move(branches)) {}

  static void start(void* argument, ferryx_callout* callout) {
    if (callout == nullptr) return;
    auto& own = *static_cast<ConditionTask*>(argument);
    // The run is not over before the branch is, even if this task's own lane is dropped.
    own.is_held_ = own.condition_->root().group().retain_if_running();
    own.callout_ = callout;
    own.go_on();
  }

 private:
  static constexpr size_t kNoBranch = SIZE_MAX;

  size_t choose(uint64_t value) const {
    switch (type_) {
      case ACL_MODEL_RI_COND_TYPE_IF:
        if (value != 0) return 0;
        return branches_.size() > 1 ? 1 : kNoBranch;
      case ACL_MODEL_RI_COND_TYPE_WHILE:
        return value != 0 ? 0 : kNoBranch;
      default:
        return value < branches_.size() ? value : kNoBranch;
    }
  }

  void go_on() {
    ModelRuns& runs = condition_->root().runs();
    uint64_t value = 0;
    const Status status = condition_->read(value);
    if (!status.ok()) {
      runs.fail_run(runs.current(), status.code(), FixedText("a condition could not be read"));
    }
    const size_t branch = status.ok() && !runs.is_ending() ? choose(value) : kNoBranch;
    if (branch == kNoBranch) return finish();
    branches_[branch]->group().start(branch_is_over, this);
  }

  static void branch_is_over(void* argument) {
    auto& own = *static_cast<ConditionTask*>(argument);
    const bool repeats = own.type_ == ACL_MODEL_RI_COND_TYPE_WHILE;
    return repeats ? own.go_on() : own.finish();
  }

  void finish() {
    ferryx_callout* const callout = std::exchange(callout_, nullptr);
    LaneGroup& running = condition_->root().group();
    const bool is_held = is_held_;
    callout->done(callout);
    if (is_held) running.lane_is_over();  // perhaps the end of this object
  }

  const std::shared_ptr<Condition> condition_;
  const aclmdlRICondTaskType type_;
  const std::vector<Ref<Model>> branches_;
  ferryx_callout* callout_ = nullptr;  // of the run under way
  bool is_held_ = false;
};

}  // namespace

Condition::~Condition() {
  static_cast<void>(free_device_memory(address_));
}

Status Condition::read(uint64_t& value) const {
  return copy_now(root_.context().device(), &value, address_, sizeof value);
}

Status Condition::assign() const {
  if (!is_assigned_) return {};
  return copy_now(root_.context().device(), address_, &assigned_, sizeof assigned_);
}

Result<Ref<ConditionHandle>> create_condition(Model& model, bool is_assigned, uint64_t assigned) {
  Device& device = model.context().device();
  void* address = nullptr;
  FERRY_RETURN_IF_ERROR(allocate_device_memory(
      device, {.requested = sizeof(uint64_t), .padded = sizeof(uint64_t)}, {}, &address));
  auto condition = std::make_shared<Condition>(model.root(), address, is_assigned, assigned);
  const uint64_t zero = 0;
  FERRY_RETURN_IF_ERROR(copy_now(device, address, &zero, sizeof zero));
  const Ref<ConditionHandle> handle = HandleTable<ConditionHandle>::instance().insert(
      std::make_unique<ConditionHandle>(condition, model.handle()));
  condition->handle = handle->handle();
  const std::lock_guard lock(recordings_mutex());
  model.root().conditions.push_back(std::move(condition));
  return handle;
}

Status record_condition(Stream& stream, ConditionHandle& handle, aclmdlRICondTaskType type,
                        std::span<aclmdlRI> branches) {
  std::vector<Ref<Model>> made;
  Model& root = handle.condition->root();
  const Ref<Context> context = HandleTable<Context>::instance().find(root.context().handle());
  if (!context) {
    return fail(ACL_ERROR_RT_CONTEXT_NULL, kEE1018, "the context of the stream is being destroyed");
  }
  for (size_t i = 0; i < branches.size(); ++i) {
    made.push_back(Model::create(context, Model::Kind::kBranch, Model::State::kNone, &root));
    made.back()->group().is_submitted_when_empty = type == ACL_MODEL_RI_COND_TYPE_WHILE;
  }
  auto task = std::make_shared<ConditionTask>(handle.condition, type, made);
  ferryx_work work = make_work(FERRYX_CALLOUT, &ferryx_payload::callout,
                               {.start = ConditionTask::start, .argument = task.get()});
  const Status recorded = stream.record(work, {.keeps = std::move(task)});
  if (!recorded.ok()) {
    for (const Ref<Model>& branch : made)
      branch->remove();
    return recorded;
  }
  const std::lock_guard lock(recordings_mutex());
  handle.condition->is_used = true;
  for (size_t i = 0; i < branches.size(); ++i) {
    branches[i] = made[i]->handle();
    root.branches.push_back(made[i]);
  }
  return {};
}

}  // namespace ferry
