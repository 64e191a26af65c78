// SPDX-License-Identifier: Apache-2.0
// A stream, the runtime or the program ends with work that nothing has waited for: whether it ran,
// and with what result, is never known.
#include "layers/check/calls/call.h"
#include "layers/check/rules/rules.h"
#include "layers/check/world/world.h"

#include <map>

namespace ferry::layers::check {
namespace {

constexpr RuleInfo kUnsynchronisedEndInfo{
    .name = "unsynchronised-end",
    .severity = Severity::kNote,
    .summary = "a stream, device or program ends with work that nobody has waited for",
    .advice =
        "Synchronise the stream (aclrtSynchronizeStream) and look at the code before you end "
        "it: only that tells whether its work was done."};

std::string tasks_text(size_t count) {
  return count == 1 ? "1 task" : std::to_string(count) + " tasks";
}

class UnsynchronisedEnd : public RuleOf<kUnsynchronisedEndInfo> {
 public:
  void stream_ends(World& world, const std::vector<const Task*>& unfinished) override {
    const Call* call = Call::current();
    const std::string who = call != nullptr ? call->name() : "the runtime";
    tell(unfinished,
         who + " ends " + queue_text(world, unfinished) + " with " + tasks_text(unfinished.size()));
    told_.erase(unfinished.front()->moment.queue);
  }

  void after_call(World& world, const Call& call, aclError code) override {
    if (call.function() == Function::aclFinalize && code == ACL_SUCCESS)
      tell_all(world, call.name());
  }

  void program_ends(World& world) override { tell_all(world, "the program"); }

 private:
  void tell_all(World& world, const char* who) {
    std::map<QueueId, std::vector<const Task*>> by_queue;
    for (const Task* task : world.all_in_flight())
      by_queue[task->moment.queue].push_back(task);
    for (const auto& [queue, tasks] : by_queue)
      tell(tasks, std::string(who) + " ends with " + tasks_text(tasks.size()) + " on " +
                      queue_text(world, tasks));
  }

  static std::string queue_text(const World& world, const std::vector<const Task*>& tasks) {
    return world.describe_queue(tasks.front()->moment.queue);
  }

  void tell(const std::vector<const Task*>& unfinished, const std::string& what) {
    const Task& first = *unfinished.front();
    uint64_t& told = told_[first.moment.queue];
    if (unfinished.back()->moment.number <= told) return;
    told = unfinished.back()->moment.number;
    std::vector<Place> places{{"the task was queued", first.site}};
    if (Call::current() != nullptr) places.insert(places.begin(), {"the end", current_site()});
    report(finding(what + " that nobody has waited for, the first one queued by " + first.function,
                   std::move(places)));
  }

  // The last reported task of each queue; protected by World's lock.
  std::map<QueueId, uint64_t> told_;
};

}  // namespace

Rule& unsynchronised_end_rule() {
  return only<UnsynchronisedEnd>();
}

}  // namespace ferry::layers::check
