// SPDX-License-Identifier: Apache-2.0
// An item of a batch reads bytes that another item of the same batch writes.
#include "layers/check/rules/rules.h"
#include "layers/check/rules/words.h"
#include "layers/check/world/shared_bytes.h"
#include "layers/check/world/world.h"

namespace ferry::layers::check {
namespace {

constexpr RuleInfo kBatchOrderInfo{
    .name = "batch-order",
    .severity = Severity::kError,
    .summary = "an item of a batch reads bytes that another item of the same batch writes",
    .advice =
        "The items of a batch run in any order. Put the ones that depend on others into a "
        "second batch on the same stream."};

class BatchOrder : public RuleOf<kBatchOrderInfo> {
 public:
  void after_call(World& world, const Call& call, aclError code) override {
    if (!is_batch(call) || code != ACL_SUCCESS) return;
    const std::vector<ArgumentRange> ranges = ranges_of(call, code);
    const std::optional<SharedBytes> both = find_read_of_written(pieces_of(ranges, world.memory()));
    if (!both.has_value()) return;
    const ArgumentRange& read = ranges[both->first.source];
    const ArgumentRange& written = ranges[both->second.source];
    report(finding(std::string(call.name()) + ": " + read.sentence() + ", " + written.sentence() +
                       ": item " + std::to_string(both->first.item) + " reads " +
                       bytes_text(both->where.size()) + " that item " +
                       std::to_string(both->second.item) +
                       " writes, and the items of a batch run in any order",
                   places_of(world, {"the call", call.site()}, both->where.begin)));
  }
};

}  // namespace

Rule& batch_order_rule() {
  return only<BatchOrder>();
}

}  // namespace ferry::layers::check
