// SPDX-License-Identifier: Apache-2.0
// The base class of rules. A rule lives in a folder below rules/ and is named after it; it
// overrides the hooks it needs, reads the state of World, and reports. Adding one touches its
// folder and one line of rules.def.
#pragma once

#include "layers/check/report/report.h"

#include "acl/acl_base_rt.h"

#include <span>
#include <vector>

namespace ferry::layers::check {

class Call;
class World;
struct Allocation;
struct MemoryEnd;
struct Conflict;
struct Task;
struct TaskRange;
struct Touch;
struct Object;

// Hooks are called with World's lock held; they must not call the API or a backend.
class Rule {
 public:
  explicit constexpr Rule(const RuleInfo& info) : info_(info) {}
  virtual ~Rule() = default;
  Rule(const Rule&) = delete;
  Rule& operator=(const Rule&) = delete;

  const RuleInfo& info() const { return info_; }

  // An API function is about to run; it has returned `code`.
  virtual void before_call(World& /*world*/, const Call& /*call*/) {}
  virtual void after_call(World& /*world*/, const Call& /*call*/, aclError /*code*/) {}
  // A task was accepted by its stream; it is about to run; a blocking copy or fill is about to run.
  virtual void task_queued(World& /*world*/, const Task& /*task*/) {}
  // A run of a model, which the task is part of, is about to be queued.
  virtual void task_announced(World& /*world*/, const Task& /*task*/) {}
  virtual void task_starts(World& /*world*/, const Task& /*task*/) {}
  virtual void blocking_work(World& /*world*/, const Task& /*task*/) {}
  // The content of host memory changed, at `address` and perhaps beyond, while `task` was queued;
  // detected when the task starts.
  virtual void contents_changed(World& /*world*/, const Task& /*task*/, uintptr_t /*address*/) {}
  // The program touched guarded memory.
  virtual void host_touched(World& /*world*/, const Touch& /*touch*/) {}
  // Two accesses that nothing orders.
  virtual void conflict(World& /*world*/, const Conflict& /*conflict*/) {}
  // Memory is about to be freed, unregistered or unmapped.
  virtual void memory_ends(World& /*world*/, const Allocation& /*allocation*/,
                           const MemoryEnd& /*end*/) {}
  // The program has unmapped registered memory of a range of the task, which is in flight.
  virtual void memory_unmapped(World& /*world*/, const Task& /*task*/, const TaskRange& /*range*/) {
  }
  // A stream ends with tasks that nothing has waited for.
  virtual void stream_ends(World& /*world*/, const std::vector<const Task*>& /*unfinished*/) {}
  // The process ends by exit() or by returning from main.
  virtual void program_ends(World& /*world*/) {}

 protected:
  // A finding of this rule; `code` if it explains why a call failed.
  Finding finding(std::string sentence, std::vector<Place> places,
                  aclError code = ACL_SUCCESS) const;

 private:
  const RuleInfo& info_;
};

// All rules, in the order of the documentation.
std::span<Rule* const> all_rules();

}  // namespace ferry::layers::check
