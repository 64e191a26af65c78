// SPDX-License-Identifier: Apache-2.0
// The lanes that run together: those of a model, or of one branch of a condition. Lanes run in
// parallel except where an edge, the record of an event and a wait for it, orders them.
#pragma once

#include "base/status.h"
#include "core/context.h"
#include "core/model/lane.h"
#include "core/work_watcher.h"

#include "ferry/backend.h"

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace ferry {

// What learns of a task that fails.
class RunOwner {
 public:
  // Keeps the failure for the program and ends the run. `failed` ends by itself.
  virtual void fail_run(const ferryx_fault& fault, Lane& failed) = 0;
  // A lane could not be submitted.
  virtual void fail_start(aclError code) = 0;
  // Whether the run is to end.
  virtual bool is_ending() const = 0;
  // For submissions of the calling thread that belong to the run under way.
  virtual WatchedRun watch_run() const = 0;

 protected:
  ~RunOwner() = default;
};

class LaneGroup {
 public:
  LaneGroup(const Ref<Context>& context, RunOwner& owner) : context_(context), owner_(owner) {}
  ~LaneGroup();
  LaneGroup(const LaneGroup&) = delete;
  LaneGroup& operator=(const LaneGroup&) = delete;

  // ---- recording, under the lock of recordings ----

  Lane& add_lane(const Stream& stream);
  std::deque<std::unique_ptr<Lane>>& lanes() { return lanes_; }
  struct Edge {
    TaskPlace from;  // a task of form kFork
    TaskPlace to;    // a task of form kJoin, in another lane
  };
  std::vector<Edge> edges;
  bool is_stale = false;  // tasks were added or removed after the group was built
  // Lanes without tasks are submitted, too: the body of a loop must not end during its start.
  bool is_submitted_when_empty = false;

  // ---- running ----

  WatchedRun watch_run() const { return owner_.watch_run(); }

  // Makes queues, flags and works. Call once, after recording.
  Status build();

  // Makes the works again, after tasks were changed. Not while it runs.
  void remake_works();
  // The same after tasks were added or removed, under the lock of recordings.
  Status rebuild();

  using Over = void (*)(void* argument);
  // Runs the lanes that start with a run. Calls `over` once, when all lanes are over, on any
  // thread, perhaps before this returns; the group may be destroyed then. Not while it runs.
  // `announced`: the number of a run that the backend knows of; 0: none.
  void start(Over over, void* argument, uint64_t announced = 0);
  // Runs another lane, from this work on. Call from a task of a lane that runs.
  void start_lane(Lane& lane, size_t first_work);
  // The same instead of the rest of `from`, the lane of that task.
  void jump(Lane& from, Lane& lane, size_t first_work);
  void empty(Emptying how, const Lane* except = nullptr);

  // Keeps the group running until lane_is_over(); false when it does not run.
  bool retain_if_running();
  void lane_is_over();
  void take_fault(Lane& lane, const ferryx_fault& fault) { owner_.fail_run(fault, lane); }

 private:
  Status make_flags();
  void make_works(size_t lane);
  bool is_effective(const Edge& edge) const;
  void clear_flags();
  const ferryx_backend& backend() const { return context_->device().backend(); }

  const Ref<Context> context_;
  RunOwner& owner_;
  std::deque<std::unique_ptr<Lane>> lanes_;
  std::vector<ferryx_flag*> flags_;    // one per edge
  std::atomic<bool> is_dirty_{false};  // flags may be set: the latest run was not complete
  // Lanes that run, and those that keep the group running.
  std::atomic<uint32_t> running_{0};
  Over over_ = nullptr;
  void* argument_ = nullptr;
};

}  // namespace ferry
