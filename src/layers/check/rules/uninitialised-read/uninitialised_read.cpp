// SPDX-License-Identifier: Apache-2.0
// A copy reads device memory that nothing has written.
#include "layers/check/rules/rules.h"
#include "layers/check/world/world.h"

#include <optional>

namespace ferry::layers::check {
namespace {

constexpr RuleInfo kUninitialisedReadInfo{
    .name = "uninitialised-read",
    .severity = Severity::kError,
    .summary = "a copy reads device memory that nothing has written",
    .advice =
        "Write the memory first (a copy, or aclrtMemset), or copy fewer bytes. Fresh device "
        "memory holds whatever was there before."};

class UninitialisedRead : public RuleOf<kUninitialisedReadInfo> {
 public:
  void task_starts(World& world, const Task& task) override { look_at(world, task); }
  void blocking_work(World& world, const Task& task) override { look_at(world, task); }

 private:
  void look_at(World& world, const Task& task) const {
    if (task.is_refused) return;
    for (const TaskRange& range : task.ranges) {
      if (range.is_host || range.is_rough || range.kind != AccessKind::kRead) continue;
      const Allocation* allocation = world.memory().find(range.range.begin);
      if (allocation == nullptr || !allocation->is_device() || allocation->is_all_written) continue;
      const std::optional<Range> missing = allocation->written.first_missing(range.range);
      if (!missing.has_value()) continue;
      return tell(world, task, *allocation, *missing);  // one finding per task is enough
    }
  }

  void tell(World& world, const Task& task, const Allocation& allocation,
            const Range& missing) const {
    report(finding(std::string(task.function) + " on " + world.describe_queue(task.moment.queue) +
                       " reads from " + describe(allocation) + ", where " +
                       std::to_string(missing.size()) + " bytes from offset " +
                       std::to_string(missing.begin - allocation.range().begin) +
                       " on were never written",
                   {{"the copy", task.site}, {"the memory was allocated", allocation.made_at}}));
  }
};

}  // namespace

Rule& uninitialised_read_rule() {
  return only<UninitialisedRead>();
}

}  // namespace ferry::layers::check
