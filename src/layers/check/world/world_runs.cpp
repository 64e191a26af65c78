// SPDX-License-Identifier: Apache-2.0
// Runs of models. The lanes of a run rely on what its launching queue has come to, and on what the
// host knew when it launched the run: not on what it has learnt since, as work does that is
// submitted by the program itself. Behind the run the launching queue relies on all its lanes.
#include "layers/check/world/world.h"

#include <algorithm>
#include <utility>

namespace ferry::layers::check {

void World::run_queued(const std::shared_ptr<Run>& run, QueueId queue) {
  return model([&] {
    QueueState* state = find_queue(queue);
    if (state == nullptr) return;
    run->moment = next_point(*state);
    run->epoch = order_.hold();
    const bool is_watched = !run->has_waits && !(run->has_more && has_run_of(run->model));
    const bool may_be_prepared = may_be_prepared_by_host(*state);
    runs_[run->number] = run;
    if (run->has_more) {
      ++state->host_work;
      ++host_work_;
    }
    for (const auto& [correlation, task] : run->announced) {
      place(*task);
      task->moment = run->moment;
      state->in_flight.push_back(task);
      if (is_watched && may_be_prepared) deferred_.push_back(task);
      if (is_watched && !may_be_prepared) watch(*task);
      for (Rule* rule : all_rules()) {
        if (is_wanted(rule->info())) rule->task_announced(*this, *task);
      }
    }
  });
}

// Its host functions may touch what a run that follows uses.
bool World::has_run_of(uint32_t model) const {
  return std::ranges::any_of(runs_, [&](const auto& run) { return run.second->model == model; });
}

void World::run_reached(Run& run) {
  if (run.has_more) host_work_starts(run.moment);
  return model([&] {
    run.begin = order_.start(run.moment);
    // From now on its own host functions may touch what its tasks use.
    if (run.has_more) forget_announced(run);
  });
}

void World::run_over(Run& run, bool has_run) {
  if (run.has_more) host_work_over(run.moment, has_run);
  return model([&] {
    if (run.epoch == 0) return;
    forget_announced(run);
    if (has_run) {
      order_.queue_learns(run.moment.queue, run.done);
    } else {
      order_.drop(run.moment);
    }
    order_.release(std::exchange(run.epoch, 0));
    runs_.erase(run.number);
  });
}

std::shared_ptr<Run> World::lane_joins(QueueId lane, uint64_t number) {
  return model([&]() -> std::shared_ptr<Run> {
    QueueState* state = find_queue(lane);
    const auto found = runs_.find(number);
    if (state == nullptr || found == runs_.end()) return nullptr;
    std::shared_ptr<Run> run = found->second;
    // The runs of a model follow each other.
    Knowledge known = run->begin;
    if (state->run != nullptr) known.join(state->run->done);
    state->run = run;
    state->launched_in = run->epoch;
    static_cast<void>(order_.start(next_point(*state)));
    order_.queue_learns(lane, known);
    return run;
  });
}

Moment World::lane_end_queued(QueueId lane) {
  return model([&]() -> Moment {
    QueueState* state = find_queue(lane);
    if (state == nullptr) return {};
    const Moment end = next_point(*state);
    state->launched_in = 0;
    return end;
  });
}

void World::lane_over(Run& run, const Moment& end, bool is_dropped) {
  return model([&] {
    run.done.join(is_dropped ? order_.behind(end) : order_.publish(end));
    order_.shorten(run.done);
    if (is_dropped) order_.drop(end);
  });
}

void World::lane_emptied(QueueId lane) {
  return model([&] {
    QueueState* state = find_queue(lane);
    if (state != nullptr && state->run != nullptr) forget_announced(*state->run);
  });
}

// The task of a run is submitted: it takes the place of its announcement, and keeps the contents of
// host memory as they were at the launch.
void World::take_over(QueueState& lane, Task& task) {
  if (lane.run == nullptr) return;
  const auto found = lane.run->announced.find(task.correlation);
  if (found == lane.run->announced.end()) return;
  Task& announced = *found->second;
  if (!announced.watched.empty()) task.watched = std::move(announced.watched);
  withdraw(announced);
  lane.run->announced.erase(found);
}

void World::forget_announced(Run& run) {
  for (const auto& [correlation, task] : run.announced)
    withdraw(*task);
  run.announced.clear();
}

void World::withdraw(Task& announced) {
  announced.is_dropped = true;
  unwatch(announced);
  QueueState* state = find_queue(announced.moment.queue);
  if (state == nullptr) return;
  std::erase_if(state->in_flight,
                [&](const std::shared_ptr<Task>& other) { return other.get() == &announced; });
}

}  // namespace ferry::layers::check
