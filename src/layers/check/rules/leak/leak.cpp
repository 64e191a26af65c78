// SPDX-License-Identifier: Apache-2.0
// Memory and objects that are alive when the program finalizes or ends, one finding per place that
// created them.
#include "layers/check/calls/call.h"
#include "layers/check/rules/rules.h"
#include "layers/check/rules/words.h"
#include "layers/check/world/world.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace ferry::layers::check {
namespace {

constexpr RuleInfo kLeakInfo{
    .name = "leak",
    .severity = Severity::kNote,
    .summary =
        "memory, reserved addresses, streams, events, contexts, notifies or pools are alive at "
        "aclFinalize or at the end of the program",
    .advice =
        "Free what this place makes: aclrtFree, aclrtFreeHost, aclrtHostUnregister, "
        "aclrtDestroyStream, aclrtDestroyEvent, aclrtDestroyContext, aclrtDestroyNotify, "
        "aclrtFreePhysical, aclrtReleaseMemAddress, aclrtMemPoolFreeAsync, aclrtMemPoolDestroy."};

// What one place created: the site, and a text for the kind.
using Group = std::pair<SiteId, std::string>;

struct Sum {
  uint64_t count = 0;
  uint64_t bytes = 0;  // 0 for objects
};

std::map<Group, Sum> sums_of(World& world) {
  std::map<Group, Sum> sums;
  for (const auto& [address, allocation] : world.memory().live()) {
    // The device's view of registered memory ends with the registration.
    if (allocation.memory.kind == FERRYX_MEMORY_MAPPED) continue;
    // Mapped memory is told of by its handle and its reservation.
    if (allocation.reservation != nullptr || allocation.is_of_runtime) continue;
    Sum& sum = sums[{allocation.made_at, describe_kind(allocation.memory.kind)}];
    ++sum.count;
    sum.bytes += allocation.requested;
  }
  for (const auto& [handle, object] : world.objects().live())
    ++sums[{object.made_at, describe_kind(object.kind)}].count;
  return sums;
}

// "streams", "notifies", "pieces of physical memory"
std::string plural_of(const std::string& kind) {
  if (kind == "notify") return "notifies";
  const size_t noun = std::min(kind.find(' '), kind.size());
  return kind.substr(0, noun) + "s" + kind.substr(noun);
}

// "4 pieces of device memory (16384 bytes in all) are"
std::string subject(const std::string& kind, const Sum& sum) {
  const bool is_one = sum.count == 1;
  std::string text = std::to_string(sum.count) + " ";
  if (sum.bytes == 0) {
    text += is_one ? kind : plural_of(kind);
  } else {
    text += std::string(is_one ? "piece of " : "pieces of ") + kind + " (" + bytes_text(sum.bytes) +
            (is_one ? ")" : " in all)");
  }
  return text + (is_one ? " is" : " are");
}

bool is_finalized_by(const Call& call) {
  if (call.function() == Function::aclFinalize) return true;
  if (call.function() != Function::aclFinalizeReference) return false;
  const auto* left = call.pointer<uint64_t>("refCount");
  return left != nullptr && *left == 0;
}

class Leak : public RuleOf<kLeakInfo> {
 public:
  void after_call(World& world, const Call& call, aclError code) override {
    if (code == ACL_SUCCESS && is_finalized_by(call)) tell(world, call.name());
  }
  void program_ends(World& world) override { tell(world, "the end of the program"); }

 private:
  void tell(World& world, const char* when) {
    for (const auto& [group, sum] : sums_of(world)) {
      const auto& [site, kind] = group;
      if (!told_.insert(group).second) continue;
      report(finding(subject(kind, sum) + " alive at " + when,
                     {{sum.count == 1 ? "it was made" : "they were made", site}}));
    }
  }

  std::set<Group> told_;  // reported once; protected by World's lock
};

}  // namespace

Rule& leak_rule() {
  return only<Leak>();
}

}  // namespace ferry::layers::check
