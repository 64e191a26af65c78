// SPDX-License-Identifier: Apache-2.0
// Memory was freed or unregistered while a queued task uses it.
#include "layers/check/calls/call.h"
#include "layers/check/rules/rules.h"
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
  void memory_ends(World& world, const Allocation& allocation) override {
    bool is_first = true;  // one finding per call is enough
    world.each_in_flight(allocation.range(), [&](const Task& task, size_t range) {
      if (!is_first || (task.is_captured && task.ranges[range].kind == AccessKind::kRead)) return;
      is_first = false;
      tell(world, allocation, task, range);
    });
  }

 private:
  void tell(World& world, const Allocation& allocation, const Task& task, size_t range) const {
    const Call* call = Call::current();
    const bool is_read = task.ranges[range].kind == AccessKind::kRead;
    report(finding(std::string(call != nullptr ? call->name() : "a call") + " ends the life of " +
                       describe(allocation) + " while " + task.function + " on " +
                       world.describe_queue(task.moment.queue) + ", which " +
                       (is_read ? "reads" : "writes") + " it, is not known to be done",
                   {{"the memory was freed", current_site()},
                    {"the task was queued", task.site},
                    {"the memory was allocated", allocation.made_at}}));
  }
};

}  // namespace

Rule& free_in_flight_rule() {
  return only<FreeInFlight>();
}

}  // namespace ferry::layers::check
