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
        "the copy on that stream (aclrtMemcpyAsync, aclrtMemsetAsync).",
    .pytorch_advice =
        "A copy that blocks does not wait for other streams. Call stream.synchronize() first, or "
        "copy with non_blocking=True on that stream."};

class SyncCopyRace : public RuleOf<kSyncCopyRaceInfo> {
 public:
  void conflict(World& world, const Conflict& conflict) override {
    if (conflict.task.moment.queue != kHost && conflict.earlier.when.queue != kHost) return;
    Finding found = finding(sentence_of(world, conflict), places_of(world, conflict));
    explain_reuse(world, conflict, found);
    report(found);
  }
};

}  // namespace

Rule& sync_copy_race_rule() {
  return only<SyncCopyRace>();
}

}  // namespace ferry::layers::check
