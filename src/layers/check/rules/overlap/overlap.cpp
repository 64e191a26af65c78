// SPDX-License-Identifier: Apache-2.0
// A copy reads bytes that it also writes, or two items of one batch write the same bytes. A copy of
// memory onto itself changes nothing and is fine.
#include "layers/check/rules/found_ranges.h"
#include "layers/check/rules/rules.h"
#include "layers/check/rules/words.h"
#include "layers/check/world/shared_bytes.h"
#include "layers/check/world/world.h"

namespace ferry::layers::check {
namespace {

constexpr RuleInfo kOverlapInfo{
    .name = "overlap",
    .severity = Severity::kError,
    .summary =
        "source and destination of a copy overlap, or two items of one batch write the same "
        "bytes",
    .advice =
        "The bytes of a copy move in any order, and so do the items of a batch. Copy through "
        "other memory in two steps, or name each destination once."};

bool is_copy(const std::vector<ArgumentRange>& ranges, const Call& call) {
  return ranges.size() >= 2 && ranges[0].kind == AccessKind::kWrite &&
         ranges[1].kind == AccessKind::kRead && call.function() != Function::aclrtSetMemcpyDesc;
}

class Overlap : public RuleOf<kOverlapInfo> {
 public:
  void after_call(World& world, const Call& call, aclError code) override {
    if (code != ACL_SUCCESS) return;
    const std::vector<ArgumentRange> ranges = ranges_of(call, code);
    if (!is_copy(ranges, call)) return;
    const std::vector<Piece> pieces = pieces_of(ranges, world.memory());
    for (size_t i = 0; i + 1 < pieces.size(); i += 2) {
      if (look_at_copy(world, call, {ranges[i], ranges[i + 1]}, {pieces[i], pieces[i + 1]})) return;
    }
    if (is_batch(call)) look_at_items(world, call, ranges, pieces);
  }

  // Addresses stored in device memory are known only now.
  void task_starts(World& world, const Task& task) override {
    const std::span<const TaskRange> found_now = found_ranges(task);
    if (found_now.empty()) return;
    const TaskRange& src = found_now[0];
    const TaskRange& dst = found_now[1];
    if (!dst.range.overlaps(src.range) || dst.range.begin == src.range.begin) return;
    if (!world.memory().holds(dst.range) || !world.memory().holds(src.range)) return;
    report(finding(access_text(world, task, dst) + " and reads as many at " +
                       address_text(src.range.begin) + ": source and destination overlap",
                   places_of(world, {"the copy was queued", task.site}, dst.range.begin)));
  }

 private:
  struct Named {
    const ArgumentRange& dst;
    const ArgumentRange& src;
  };
  struct Real {
    const Piece& dst;
    const Piece& src;
  };

  bool look_at_copy(World& world, const Call& call, const Named& named, const Real& real) const {
    if (!real.dst.range.overlaps(real.src.range)) return false;
    if (is_refused(world, real.dst.range, real.src.range)) return false;
    const bool is_same =
        real.dst.range.begin == real.src.range.begin && named.dst.pitch == named.src.pitch;
    if (is_same) return false;
    if (named.dst.height > 0 && !find_common_rows(named.dst, named.src)) return false;
    report(finding(std::string(call.name()) + ": " + named.dst.sentence() + ", " +
                       named.src.sentence() + ": source and destination overlap",
                   places_of(world, {"the call", call.site()}, named.dst.range.begin)));
    return true;
  }

  void look_at_items(World& world, const Call& call, const std::vector<ArgumentRange>& ranges,
                     const std::vector<Piece>& pieces) const {
    const std::optional<SharedBytes> both = find_common_writes(pieces);
    if (!both.has_value()) return;
    const ArgumentRange& first = ranges[both->first.source];
    const ArgumentRange& second = ranges[both->second.source];
    report(finding(std::string(call.name()) + ": " + first.sentence() + ", " + second.sentence() +
                       ": both items write " + bytes_text(both->where.size()) + " at " +
                       address_text(both->where.begin),
                   places_of(world, {"the call", call.site()}, first.range.begin)));
  }

  // A copy that leaves its memory never runs; another rule reports it.
  static bool is_refused(World& world, const Range& dst, const Range& src) {
    return world.memory().is_left_by(dst) || world.memory().is_left_by(src);
  }
};

}  // namespace

Rule& overlap_rule() {
  return only<Overlap>();
}

}  // namespace ferry::layers::check
