// SPDX-License-Identifier: Apache-2.0
// The host read the destination of a copy that was not known to be done.
#include "layers/check/guard/guard.h"
#include "layers/check/rules/rules.h"
#include "layers/check/rules/touches.h"

namespace ferry::layers::check {
namespace {

constexpr RuleInfo kHostReadInFlightInfo{
    .name = "host-read-in-flight",
    .severity = Severity::kError,
    .summary = "the host read the destination of a copy before the copy was known to be done",
    .advice =
        "Wait before you read: aclrtSynchronizeStream, aclrtSynchronizeEvent on an event "
        "recorded behind the copy, or ask aclrtQueryEventStatus until it says complete."};

class HostReadInFlight : public RuleOf<kHostReadInFlightInfo> {
 public:
  void host_touched(World& world, const Touch& touch) override {
    if (touch.is_write || touch.is_freed) return;
    report(finding(sentence_of(world, touch, "read"), places_of(touch)));
  }
};

}  // namespace

Rule& host_read_in_flight_rule() {
  return only<HostReadInFlight>();
}

}  // namespace ferry::layers::check
