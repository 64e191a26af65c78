// SPDX-License-Identifier: Apache-2.0
// Labels, their lists, and jumps.
#include "core/model/label.h"

#include "core/copy.h"
#include "core/event.h"
#include "core/model/model.h"
#include "core/model/model_build.h"
#include "core/model/recording.h"
#include "core/stream.h"

#include <algorithm>
#include <mutex>

namespace ferry {
namespace {

constexpr uint32_t kMostLabels = 65535;
std::atomic<uint32_t> live_labels{0};

Status fail_label(const Label& label, MessageCode message, const char* why) {
  return reject(ACL_ERROR_RT_INTERNAL_ERROR, message, "label", Value::beside(label.handle()))
      .because(" %s", why);
}

}  // namespace

Result<Ref<Label>> Label::create(const Context& context) {
  if (live_labels.fetch_add(1) >= kMostLabels) {
    live_labels.fetch_sub(1);
    return fail(ACL_ERROR_RT_INTERNAL_ERROR, kEE1017, "the process has %u labels, the most allowed",
                kMostLabels);
  }
  return HandleTable<Label>::instance().insert(std::make_unique<Label>(context.handle()));
}

Label::~Label() {
  live_labels.fetch_sub(1);
}

Status check_label_context(const char* argument, const void* handle, const void* context) {
  FERRY_TRY(Ref<Context>, current, current_context());
  if ((*current)->handle() == context) return {};
  return reject(ACL_ERROR_RT_LABEL_CONTEXT, kEE1010, argument, Value::beside(handle))
      .because(" was made in context %p, but the calling thread uses context %p", context,
               (*current)->handle());
}

Result<Ref<LabelList>> create_label_list(const Context& context,
                                         std::span<const aclrtLabel> labels) {
  std::vector<Ref<Label>> listed;
  for (const aclrtLabel each : labels) {
    Ref<Label> label = HandleTable<Label>::instance().find(each);
    if (!label) return fail_handle(ACL_ERROR_RT_INVALID_HANDLE, "labels", each, "label");
    listed.push_back(std::move(label));
  }
  const std::lock_guard lock(recordings_mutex());
  for (const Ref<Label>& label : listed)
    label->is_listed = true;
  return HandleTable<LabelList>::instance().insert(
      std::make_unique<LabelList>(context.handle(), std::move(listed)));
}

Status set_label(const Ref<Label>& label, Stream& stream) {
  FERRY_TRY(BoundLane, bound, bound_lane(stream));
  const std::lock_guard lock(recordings_mutex());
  if (label->model != nullptr) return fail_label(*label, kEE1017, "is set already");
  if (!label->is_listed) {
    return fail_label(*label, kEE1018, "is in no list yet: call aclrtCreateLabelList first");
  }
  ferryx_work nothing = make_no_work();
  stream.fill_in_origin(nothing);
  RecordedTask task;
  task.form = RecordedTask::Form::kNothing;
  task.work = WorkClone(nothing);
  Model& model = *bound->model;
  if (model.add_task(bound->lane, std::move(task)) == nullptr) return fail_built_model(model);
  label->model = &model;
  label->place = {.lane = bound->lane,
                  .task = model.group().lanes()[bound->lane]->tasks.size() - 1};
  return {};
}

Status record_jump(const void* address, uint32_t count, const Ref<LabelList>& list,
                   Stream& stream) {
  FERRY_TRY(BoundLane, bound, bound_lane(stream));
  Model& model = *bound->model;
  Lane& lane = *model.group().lanes()[bound->lane];
  return record_flow(stream, [&model, &lane, address, count, list] {
    uint32_t index = 0;
    const Status read = copy_now(model.context().device(), &index, address, sizeof index);
    if (!read.ok())
      return model.runs().fail_run(model.runs().current(), read.code(),
                                   FixedText("the index of a label cannot be read"));
    const size_t last = std::min<size_t>(count, list->labels.size()) - 1;
    const Label& label = *list->labels[std::min<size_t>(index, last)];
    if (label.model != &model) {
      return model.runs().fail_run(
          model.runs().current(), ACL_ERROR_RT_INTERNAL_ERROR,
          FixedText("a label of a list is not set in model %u", model.id()));
    }
    Lane& target = *model.group().lanes()[label.place.lane];
    model.group().jump(lane, target, target.tasks[label.place.task].first_work);
  });
}

}  // namespace ferry
