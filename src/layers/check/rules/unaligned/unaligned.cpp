// SPDX-License-Identifier: Apache-2.0
// The documentation of aclrtMemcpyAsync requires addresses that are multiples of 64. Other copies
// work too, here and on the products we know; so this is a note, and off by default.
#include "layers/check/calls/argument_ranges.h"
#include "layers/check/rules/rules.h"
#include "layers/check/world/world.h"

namespace ferry::layers::check {
namespace {

constexpr RuleInfo kUnalignedInfo{
    .name = "unaligned",
    .severity = Severity::kNote,
    .is_muted_by_default = true,
    .summary =
        "an address given to aclrtMemcpyAsync is not a multiple of 64, as the documentation "
        "demands",
    .advice =
        "Let blocks begin at multiples of 64: round the offsets inside a buffer up. Memory of "
        "aclrtMalloc and aclrtMallocHost begins at one."};

constexpr uintptr_t kAlignment = 64;

class Unaligned : public RuleOf<kUnalignedInfo> {
 public:
  void after_call(World& world, const Call& call, aclError code) override {
    if (call.function() != Function::aclrtMemcpyAsync || code != ACL_SUCCESS) return;
    // One finding per call is enough.
    for (const ArgumentRange& named : ranges_of(call, code)) {
      const uintptr_t excess = named.range.begin % kAlignment;
      if (excess == 0) continue;
      return report(finding(std::string(call.name()) + ": " + named.argument + " is " +
                                world.describe_address(named.range.begin) + ", which is " +
                                std::to_string(excess) + " bytes behind a multiple of 64",
                            {{"the call", call.site()}}));
    }
  }
};

}  // namespace

Rule& unaligned_rule() {
  return only<Unaligned>();
}

}  // namespace ferry::layers::check
