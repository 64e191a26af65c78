// SPDX-License-Identifier: Apache-2.0
// Memory was freed, unregistered or unmapped while a queued task uses it.
#include "layers/check/rules/rules.h"
#include "layers/check/rules/words.h"
#include "layers/check/world/world.h"

namespace ferry::layers::check {
namespace {

constexpr RuleInfo kFreeInFlightInfo{
    .name = "free-in-flight",
    .severity = Severity::kError,
    .summary = "memory was freed, unregistered or unmapped while a queued task uses it",
    .advice =
        "Freeing does not wait for queued work. Synchronise the stream of the task first, or "
        "use aclrtFreeWithDevSync for device memory."};

class FreeInFlight : public RuleOf<kFreeInFlightInfo> {
 public:
  void memory_ends(World& world, const Allocation& allocation, const MemoryEnd& end) override {
    bool is_first = true;  // one finding per call is enough
    world.each_in_flight(allocation.range(), [&](const Task& task, size_t range) {
      if (!is_first || (task.is_captured && task.ranges[range].kind == AccessKind::kRead)) return;
      if (end.is_in_queue_order && world.order().is_before(task.moment, end.knowledge)) return;
      is_first = false;
      tell(world, allocation, task, range, end);
    });
  }

  // The place is not known: unmapping is no call of the API.
  void memory_unmapped(World& world, const Task& task, const TaskRange& range) override {
    const Allocation* allocation = world.memory().find(range.range.begin);
    Finding unmapped = finding(
        "the program has unmapped " + describe(*allocation) + " while " + task.function + " on " +
            world.describe_queue(task.moment.queue) + ", which" + verb_of(range.kind) +
            "it, was not known to be done",
        {{"the task was queued", task.site}, {"the memory was registered", allocation->made_at}});
    unmapped.advice =
        "Synchronise the stream of the task and call aclrtHostUnregister before the memory is "
        "given back. A container that grows gives back the memory it had.";
    report(unmapped);
  }

 private:
  void tell(World& world, const Allocation& allocation, const Task& task, size_t range,
            const MemoryEnd& end) const {
    const char* const does = task.is_function                               ? "uses"
                             : task.ranges[range].kind == AccessKind::kRead ? "reads"
                                                                            : "writes";
    report(finding(std::string(end.function) + " ends the life of " + describe(allocation) +
                       " while " + task.function + " on " +
                       world.describe_queue(task.moment.queue) + ", which " + does +
                       " it, is not known to be done",
                   {{"the memory was freed", end.site},
                    {"the task was queued", task.site},
                    {"the memory was allocated", allocation.made_at}}));
  }
};

}  // namespace

Rule& free_in_flight_rule() {
  return only<FreeInFlight>();
}

}  // namespace ferry::layers::check
