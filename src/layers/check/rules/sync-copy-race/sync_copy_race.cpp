// SPDX-License-Identifier: Apache-2.0
// A copy or fill done during its call accesses bytes that queued work accesses too.
#include "layers/check/rules/races.h"
#include "layers/check/rules/rules.h"

namespace ferry::layers::check {
namespace {

constexpr RuleInfo kSyncCopyRaceInfo{
    .name = "sync-copy-race",
    .severity = Severity::kError,
    .summary =
        "a synchronous copy or memset touches bytes of work that is queued and not known to "
        "be done",
    .advice =
        "A synchronous call does not wait for streams. Synchronise the stream first, or queue "
        "the copy on that stream (aclrtMemcpyAsync, aclrtMemsetAsync)."};

class SyncCopyRace : public RuleOf<kSyncCopyRaceInfo> {
 public:
  void conflict(World& world, const Conflict& conflict) override {
    if (conflict.task.moment.queue != kHost && conflict.earlier.when.queue != kHost) return;
    report(finding(sentence_of(world, conflict), places_of(world, conflict)));
  }
};

}  // namespace

Rule& sync_copy_race_rule() {
  return only<SyncCopyRace>();
}

}  // namespace ferry::layers::check
