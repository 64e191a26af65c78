// SPDX-License-Identifier: Apache-2.0
// Building and running the lanes of a group. An edge is a flag: the runs of a model follow each
// other, so the same flags serve all of them.
#include "core/model/lane_group.h"

#include "base/log.h"
#include "base/work.h"
#include "core/event.h"
#include "core/stream.h"

#include <vector>

namespace ferry {

LaneGroup::~LaneGroup() {
  lanes_.clear();
  for (ferryx_flag* flag : flags_)
    backend().flag_release(flag);
}

Lane& LaneGroup::add_lane(const Stream& stream) {
  return *lanes_.emplace_back(std::make_unique<Lane>(context_, *this, stream));
}

Status LaneGroup::make_flags() {
  flags_.reserve(edges.size());
  while (flags_.size() < edges.size()) {
    ferryx_flag* flag = nullptr;
    FERRY_RETURN_IF_ERROR(Status(backend().flag_create(context_->device().handle(), &flag)));
    flags_.push_back(flag);
  }
  return {};
}

Status LaneGroup::build() {
  FERRY_RETURN_IF_ERROR(service_thread().start());  // it drains lanes after a failure
  FERRY_RETURN_IF_ERROR(make_flags());
  for (size_t i = 0; i < lanes_.size(); ++i) {
    FERRY_RETURN_IF_ERROR(lanes_[i]->open());
    make_works(i);
  }
  return {};
}

void LaneGroup::remake_works() {
  for (size_t i = 0; i < lanes_.size(); ++i)
    make_works(i);
}

Status LaneGroup::rebuild() {
  FERRY_RETURN_IF_ERROR(make_flags());
  remake_works();
  is_stale = false;
  return {};
}

// An edge counts as long as neither end was disabled.
bool LaneGroup::is_effective(const Edge& edge) const {
  const auto form_of = [&](const TaskPlace& place) {
    return lanes_[place.lane]->tasks[place.task].form;
  };
  return form_of(edge.from) == RecordedTask::Form::kFork &&
         form_of(edge.to) == RecordedTask::Form::kJoin;
}

void LaneGroup::make_works(size_t lane_index) {
  Lane& lane = *lanes_[lane_index];
  std::vector<std::vector<ferryx_flag*>> flags_of(lane.tasks.size());
  for (size_t i = 0; i < edges.size(); ++i) {
    if (!is_effective(edges[i])) continue;
    if (edges[i].from.lane == lane_index) flags_of[edges[i].from.task].push_back(flags_[i]);
    if (edges[i].to.lane == lane_index) flags_of[edges[i].to.task].push_back(flags_[i]);
  }
  std::vector<ferryx_work>& works = lane.works();
  works.clear();
  for (size_t i = 0; i < lane.tasks.size(); ++i) {
    RecordedTask& task = lane.tasks[i];
    task.first_work = works.size();
    const bool is_fork = task.form == RecordedTask::Form::kFork;
    switch (task.form) {
      case RecordedTask::Form::kWork:
        works.push_back(*task.work);
        break;
      case RecordedTask::Form::kFork:
      case RecordedTask::Form::kJoin:
        for (ferryx_flag* flag : flags_of[i]) {
          works.push_back(make_work(is_fork ? FERRYX_SET_FLAG : FERRYX_TAKE_FLAG,
                                    &ferryx_payload::flag,
                                    {.flag = flag, .timeout = FERRYX_FOREVER}));
          works.back().origin = task.work->origin;
        }
        break;
      case RecordedTask::Form::kMark:
      case RecordedTask::Form::kAwait:
        works.push_back(make_no_work());
        break;
      case RecordedTask::Form::kNothing:
        break;
    }
  }
  lane.close_works();
}

void LaneGroup::clear_flags() {
  for (ferryx_flag* flag : flags_) {
    if (backend().flag_clear(flag) != ACL_SUCCESS) {
      FERRY_LOG(kWarn, "a flag of a model could not be cleared");
    }
  }
}

void LaneGroup::start(Over over, void* argument, uint64_t announced) {
  over_ = over;
  argument_ = argument;
  if (is_dirty_.exchange(false)) clear_flags();
  for (const auto& lane : lanes_) {
    lane->go_on();
    if (announced != 0) lane->join_run(announced);
  }
  running_.store(1, std::memory_order_relaxed);
  for (const auto& lane : lanes_) {
    if (!lane->starts_with_run) {
      is_dirty_ = true;
    } else if ((lane->works().size() > 1 || is_submitted_when_empty) && !owner_.is_ending()) {
      start_lane(*lane, 0);
    }
  }
  // Lanes that were submitted after the others were emptied.
  if (owner_.is_ending()) empty(Emptying::kDrop);
  lane_is_over();
}

void LaneGroup::start_lane(Lane& lane, size_t first_work) {
  running_.fetch_add(1, std::memory_order_relaxed);
  const Status queued = lane.submit(first_work);
  if (!queued.ok()) owner_.fail_start(queued.code());
}

void LaneGroup::jump(Lane& from, Lane& lane, size_t first_work) {
  // Without this the group could be over between the end of one lane and the start of the other.
  running_.fetch_add(1, std::memory_order_relaxed);
  from.skip_rest();
  start_lane(lane, first_work);
  lane_is_over();
}

void LaneGroup::empty(Emptying how, const Lane* except) {
  is_dirty_ = true;
  for (const auto& lane : lanes_)
    if (lane.get() != except) lane->empty(how);
}

bool LaneGroup::retain_if_running() {
  uint32_t running = running_.load(std::memory_order_relaxed);
  while (running != 0) {
    if (running_.compare_exchange_weak(running, running + 1, std::memory_order_acq_rel)) {
      return true;
    }
  }
  return false;
}

void LaneGroup::lane_is_over() {
  if (running_.fetch_sub(1, std::memory_order_acq_rel) == 1) over_(argument_);
}

}  // namespace ferry
