// SPDX-License-Identifier: Apache-2.0
// An asynchronous call had to block because the host memory is pageable.
#include "layers/check/calls/call.h"
#include "layers/check/rules/rules.h"
#include "layers/check/world/world.h"

#include <chrono>
#include <cinttypes>
#include <cstdio>

namespace ferry::layers::check {
namespace {

constexpr RuleInfo kBlockingAsyncInfo{
    .name = "blocking-async",
    .severity = Severity::kNote,
    .summary = "an asynchronous call had to block because its host memory is pageable",
    .advice =
        "Pin the buffer: allocate it with aclrtMallocHost, or register it once with "
        "aclrtHostRegister. The call then returns at once."};

class BlockingAsync : public RuleOf<kBlockingAsyncInfo> {
 public:
  void blocking_work(World& world, const Task& task) override {
    const Call* call = Call::current();
    if (call == nullptr || !call->is_asynchronous()) return;
    for (const TaskRange& range : task.ranges) {
      if (!range.is_host || world.memory().find(range.range.begin) != nullptr) continue;
      return tell(task, range, *call);
    }
  }

 private:
  void tell(const Task& task, const TaskRange& range, const Call& call) const {
    const auto waited = std::chrono::duration_cast<std::chrono::microseconds>(
        std::chrono::steady_clock::now() - call.start());
    char text[256];
    std::snprintf(text, sizeof text,
                  "%s blocks: %s is pageable host memory (%p, %" PRIu64
                  " bytes), so it waited %lld us for its stream and copies during the call",
                  task.function, range.kind == AccessKind::kRead ? "the source" : "the destination",
                  reinterpret_cast<void*>(range.range.begin), range.range.size(),
                  static_cast<long long>(waited.count()));
    report(finding(text, {{"the call", task.site}}));
  }
};

}  // namespace

Rule& blocking_async_rule() {
  return only<BlockingAsync>();
}

}  // namespace ferry::layers::check
