// SPDX-License-Identifier: Apache-2.0
// An address lies in freed memory: it is copied, filled, freed again, or touched by the program.
// Querying an address (aclrtPointerGetAttributes) does not use it.
#include "layers/check/calls/argument_ranges.h"
#include "layers/check/guard/guard.h"
#include "layers/check/rules/found_ranges.h"
#include "layers/check/rules/rules.h"
#include "layers/check/rules/words.h"
#include "layers/check/world/allocation_finder.h"

namespace ferry::layers::check {
namespace {

constexpr RuleInfo kUseAfterFreeInfo{
    .name = "use-after-free",
    .severity = Severity::kError,
    .summary = "an address lies in memory that was freed",
    .advice =
        "Free memory once, after its last use, and forget every copy of its address. The "
        "address may belong to somebody else by now.",
    .codes = {ACL_ERROR_RT_PARAM_INVALID, ACL_ERROR_INVALID_PARAM}};

// The freed allocation at an address that is not live.
const Allocation* freed_at(World& world, uintptr_t address) {
  const Allocation* freed = world.memory().find_freed(address);
  return freed != nullptr && !freed->is_of_program() ? freed : nullptr;
}

std::string was_freed(const Allocation& freed) {
  return ", which lies in " + describe(freed) + " that thread " + std::to_string(freed.freed_by) +
         " has freed";
}

// The argument of a function that frees; nullptr for other functions.
const char* freed_argument(const Call& call) {
  switch (call.function()) {
    case Function::aclrtFree:
    case Function::aclrtFreeWithDevSync:
      return "devPtr";
    case Function::aclrtFreeHost:
    case Function::aclrtFreeHostWithDevSync:
      return "hostPtr";
    case Function::aclrtMemPoolFreeAsync:
      return "ptr";
    default:
      return nullptr;
  }
}

class UseAfterFree : public RuleOf<kUseAfterFreeInfo> {
 public:
  void after_call(World& world, const Call& call, aclError code) override {
    if (const char* argument = freed_argument(call)) {
      if (code == ACL_ERROR_RT_PARAM_INVALID) look_at_free(world, call, argument);
      return;
    }
    AllocationFinder finder(world.memory());
    for (const ArgumentRange& named : ranges_of(call, code)) {
      if (finder.find(named.range.begin, named.kind) != nullptr) continue;
      const Allocation* freed = freed_at(world, named.range.begin);
      if (freed == nullptr) continue;
      // One finding per call is enough.
      return report(finding(std::string(call.name()) + ": " + named.sentence() + was_freed(*freed),
                            places_of({"the call", call.site()}, *freed), code));
    }
  }

  // What was alive when the task was recorded may be gone when it is to run.
  void task_announced(World& world, const Task& task) override {
    look_at(world, task, task.ranges);
  }

  // Addresses stored in device memory are known only now.
  void task_starts(World& world, const Task& task) override {
    look_at(world, task, found_ranges(task));
  }

  void host_touched(World& world, const Touch& touch) override {
    if (!touch.is_freed) return;
    const Allocation* freed = world.memory().find_freed(touch.address);
    if (freed == nullptr) return;
    report(finding("thread " + std::to_string(touch.thread) +
                       (touch.is_write ? " wrote " : " read ") + address_text(touch.address) +
                       was_freed(*freed),
                   places_of({"the host touched it", intern_site(touch.site())}, *freed)));
  }

 private:
  void look_at(World& world, const Task& task, std::span<const TaskRange> ranges) const {
    for (const TaskRange& range : ranges) {
      if (world.memory().find(range.range.begin) != nullptr) continue;
      const Allocation* freed = freed_at(world, range.range.begin);
      if (freed == nullptr) continue;
      return report(finding(access_text(world, task, range) + was_freed(*freed),
                            places_of({"the copy was queued", task.site}, *freed)));
    }
  }

  void look_at_free(World& world, const Call& call, const char* argument) const {
    const uint64_t address = call.argument(argument);
    if (world.memory().find(address) != nullptr) return;
    const Allocation* freed = freed_at(world, address);
    if (freed == nullptr) return;
    report(finding(std::string(call.name()) + ": " + argument + " is " + address_text(address) +
                       was_freed(*freed) + " before",
                   places_of({"the call", call.site()}, *freed), ACL_ERROR_RT_PARAM_INVALID));
  }

  static std::vector<Place> places_of(const Place& first, const Allocation& freed) {
    return {first,
            {"the memory was freed by thread " + std::to_string(freed.freed_by), freed.freed_at},
            {"the memory was allocated", freed.made_at}};
  }
};

}  // namespace

Rule& use_after_free_rule() {
  return only<UseAfterFree>();
}

}  // namespace ferry::layers::check
