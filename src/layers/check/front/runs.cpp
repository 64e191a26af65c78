// SPDX-License-Identifier: Apache-2.0
// Models: where their work was recorded, and runs, whose tasks are announced when they are
// launched.
#include "layers/check/calls/call.h"
#include "layers/check/front/checked_objects.h"
#include "layers/check/front/ranges_of_work.h"

#include <mutex>
#include <new>
#include <unordered_map>

namespace ferry::layers::check {
namespace {

// Where recorded work was recorded. May be shared between threads.
class RecordedSites {
 public:
  static RecordedSites& instance() {
    static auto* sites = new RecordedSites;
    return *sites;
  }

  void add(uint64_t correlation, SiteId site) {
    const std::lock_guard lock(mutex_);
    sites_[correlation] = site;
  }
  void remove(uint64_t correlation) {
    const std::lock_guard lock(mutex_);
    sites_.erase(correlation);
  }
  // kNoSite for work that was not recorded.
  SiteId find(uint64_t correlation) {
    const std::lock_guard lock(mutex_);
    const auto found = sites_.find(correlation);
    return found == sites_.end() ? kNoSite : found->second;
  }

 private:
  std::mutex mutex_;                            // guards the map
  std::unordered_map<uint64_t, SiteId> sites_;  // by the correlation of the work
};

}  // namespace

SiteId site_of_work(const CheckedQueue& queue, const ferryx_work& work) {
  const SiteId recorded = RecordedSites::instance().find(work.origin.correlation);
  if (recorded == kNoSite) return current_site();
  return queue.run != nullptr ? site_in_run(recorded, queue.run->site) : recorded;
}

namespace slots {
namespace {

void work_recorded(ferryx_device* /*device*/, const ferryx_work* work) {
  const SiteId site = current_site();
  try {
    RecordedSites::instance().add(work->origin.correlation, site);
  } catch (const std::bad_alloc&) {
    // A report without a place is better than a call that fails because of the checker.
  }
}

void work_forgotten(ferryx_device* /*device*/, const ferryx_work* work) {
  RecordedSites::instance().remove(work->origin.correlation);
}

std::shared_ptr<Task> announcement_of(const CheckedQueue& queue, const ferryx_work& work,
                                      SiteId launched) {
  std::shared_ptr<Task> task = task_of(work);
  task->function = work.origin.call;
  task->site = site_in_run(RecordedSites::instance().find(work.origin.correlation), launched);
  task->is_told_ahead = queue.lookahead != nullptr;
  return task;
}

bool is_wait(uint32_t kind) {
  return kind == FERRYX_AWAIT || kind == FERRYX_TAKE_FLAG || kind == FERRYX_AWAIT_VALUE;
}

int queue_submit_run(ferryx_queue* queue, const ferryx_work* start, const ferryx_run* run) {
  CheckedQueue& own = checked(queue);
  auto announced = std::make_shared<Run>();
  announced->number = run->number;
  announced->model = run->model;
  announced->site = current_site();
  announced->has_more = (run->flags & FERRYX_RUN_HAS_MORE) != 0;
  for (size_t i = 0; i < run->work_count; ++i) {
    const ferryx_work& work = *run->works[i];
    announced->has_waits |= is_wait(work.kind);
    std::shared_ptr<Task> task = announcement_of(own, work, announced->site);
    if (!task->ranges.empty()) announced->announced[work.origin.correlation] = std::move(task);
  }
  return submit_run(own, *start, announced);
}

void queue_join_run(ferryx_queue* queue, uint64_t number) {
  CheckedQueue& own = checked(queue);
  const Submission submission(own);
  own.run = world().lane_joins(own.id, number);
}

}  // namespace

void add_run_slots(ferryx_backend& table) {
  table.work_recorded = work_recorded;
  table.work_forgotten = work_forgotten;
  table.queue_submit_run = queue_submit_run;
  table.queue_join_run = queue_join_run;
}

}  // namespace slots
}  // namespace ferry::layers::check
