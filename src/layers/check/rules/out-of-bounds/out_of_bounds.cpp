// SPDX-License-Identifier: Apache-2.0
// A range starts in an allocation and extends past its end. As in the runtime, device memory
// includes the padding that the documentation promises.
#include "layers/check/calls/argument_ranges.h"
#include "layers/check/rules/found_ranges.h"
#include "layers/check/rules/rules.h"
#include "layers/check/rules/words.h"
#include "layers/check/world/allocation_finder.h"

#include <algorithm>
#include <vector>

namespace ferry::layers::check {
namespace {

constexpr RuleInfo kOutOfBoundsInfo{
    .name = "out-of-bounds",
    .severity = Severity::kError,
    .summary = "a copy or fill leaves the allocation it starts in, whatever destMax says",
    .advice =
        "Compare the size with what was allocated, and pass the real capacity of the "
        "destination as destMax, not the size of the copy again.",
    .codes = {ACL_ERROR_RT_PARAM_INVALID}};

std::string leaves(const Allocation& allocation, uint64_t excess) {
  const uint64_t size = allocation.memory.size;
  const bool is_padded = allocation.requested < size;
  return ", which leaves its allocation (" + describe(allocation) +
         (is_padded ? ", with padding " + std::to_string(size) : "") + ") by " + bytes_text(excess);
}

bool any_is_gone(const MemoryBook& memory, const std::vector<ArgumentRange>& ranges) {
  return std::ranges::any_of(ranges, [&](const ArgumentRange& named) {
    const Allocation* freed = memory.find_freed(named.range.begin);
    return freed != nullptr && !freed->is_of_program();
  });
}

class OutOfBounds : public RuleOf<kOutOfBoundsInfo> {
 public:
  void after_call(World& world, const Call& call, aclError code) override {
    if (code != ACL_SUCCESS && code != ACL_ERROR_RT_PARAM_INVALID) return;
    AllocationFinder finder(world.memory());
    const std::vector<ArgumentRange> ranges = ranges_of(call, code);
    // A refused call has one cause, and freed memory is the more likely one.
    if (code != ACL_SUCCESS && any_is_gone(world.memory(), ranges)) return;
    for (const ArgumentRange& named : ranges) {
      const Allocation* allocation = finder.find(named.range.begin, named.kind);
      if (allocation == nullptr) continue;
      const uint64_t room = allocation->range().end - named.range.begin;
      if (named.size <= room) continue;
      // One finding per call is enough.
      return report(finding(std::string(call.name()) + ": " + named.sentence() +
                                leaves(*allocation, named.size - room),
                            places_of(world, {"the call", call.site()}, named.range.begin), code));
    }
  }

  // Addresses stored in device memory are known only now.
  void task_starts(World& world, const Task& task) override {
    for (const TaskRange& range : found_ranges(task)) {
      const Allocation* allocation = world.memory().find(range.range.begin);
      if (allocation == nullptr || range.range.end <= allocation->range().end) continue;
      return report(
          finding(access_text(world, task, range) +
                      leaves(*allocation, range.range.end - allocation->range().end),
                  places_of(world, {"the copy was queued", task.site}, range.range.begin)));
    }
  }
};

}  // namespace

Rule& out_of_bounds_rule() {
  return only<OutOfBounds>();
}

}  // namespace ferry::layers::check
