// SPDX-License-Identifier: Apache-2.0
// Tasks of different streams access the same bytes, one of them writing, and nothing orders them.
#include "layers/check/rules/races.h"
#include "layers/check/rules/rules.h"

namespace ferry::layers::check {
namespace {

constexpr RuleInfo kStreamRaceInfo{
    .name = "stream-race",
    .severity = Severity::kError,
    .summary =
        "tasks on different streams touch the same bytes, one of them writing, and nothing "
        "orders them",
    .advice =
        "Record an event behind the first (aclrtRecordEvent) and let the other stream wait "
        "for it (aclrtStreamWaitEvent), or use one stream for both.",
    .pytorch_advice =
        "Before the second, let its stream wait for the first: stream.wait_stream(other), or "
        "other.record_event() and stream.wait_event(event). Or use one stream for both."};

class StreamRace : public RuleOf<kStreamRaceInfo> {
 public:
  void conflict(World& world, const Conflict& conflict) override {
    if (conflict.task.moment.queue == kHost || conflict.earlier.when.queue == kHost) return;
    Finding found = finding(sentence_of(world, conflict), places_of(world, conflict));
    explain_reuse(world, conflict, found);
    report(found);
  }
};

}  // namespace

Rule& stream_race_rule() {
  return only<StreamRace>();
}

}  // namespace ferry::layers::check
