// SPDX-License-Identifier: Apache-2.0
// Host memory that a queued copy still has to read was changed, or the destination of a copy that
// is not done was written.
#include "layers/check/guard/guard.h"
#include "layers/check/rules/rules.h"
#include "layers/check/rules/touches.h"
#include "layers/check/rules/words.h"

#include <algorithm>

namespace ferry::layers::check {
namespace {

constexpr RuleInfo kHostWriteInFlightInfo{
    .name = "host-write-in-flight",
    .severity = Severity::kError,
    .summary =
        "host memory that a queued copy still has to read was changed, or its destination "
        "written, before the copy was known to be done",
    .advice =
        "Wait before you write: aclrtSynchronizeStream, or an event recorded behind the copy "
        "and aclrtSynchronizeEvent. To go on without waiting, fill another buffer and come "
        "back to this one when its copy is done."};

class HostWriteInFlight : public RuleOf<kHostWriteInFlightInfo> {
 public:
  void host_touched(World& world, const Touch& touch) override {
    if (!touch.is_write || touch.is_freed) return;
    report(finding(sentence_of(world, touch, "wrote"), places_of(touch)));
  }

  void contents_changed(World& world, const Task& task, uintptr_t address) override {
    const auto changed =
        std::find_if(task.ranges.begin(), task.ranges.end(), [&](const TaskRange& range) {
          return range.is_host && range.range.begin <= address && address < range.range.end;
        });
    if (changed == task.ranges.end()) return;
    report(finding(std::string(task.function) + " on " + world.describe_queue(task.moment.queue) +
                       verb_of(changed->kind) + std::to_string(changed->range.size()) +
                       " bytes of host memory at " + world.describe_address(changed->range.begin) +
                       "; they changed between the call and the copy, first seen at offset " +
                       std::to_string(address - changed->range.begin),
                   {{"the copy was queued", task.site}}));
  }
};

}  // namespace

Rule& host_write_in_flight_rule() {
  return only<HostWriteInFlight>();
}

}  // namespace ferry::layers::check
