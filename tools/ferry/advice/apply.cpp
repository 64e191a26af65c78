// SPDX-License-Identifier: Apache-2.0
// Applying the change of an advice to a plan.
#include "advice/apply.h"

#include "replay/as_batch.h"

#include <algorithm>
#include <utility>

namespace ferry::tools::advice {
namespace {

using replay::Action;
using replay::CopyItem;
using replay::kNoIndex;
using replay::Plan;
using replay::Step;

bool is_synchronisation(const Step& step) {
  return step.action == Action::kSynchronizeStream || step.action == Action::kSynchronizeEvent ||
         step.action == Action::kSynchronizeDevice;
}

class PlanChange {
 public:
  PlanChange(const Plan& plan, const Change& change)
      : plan_(plan), change_(change), places_(plan.steps.size(), kNoIndex), threads_(plan.threads) {
    for (const std::vector<uint64_t>& list : change.merged) {
      for (size_t i = 0; i + 1 < list.size(); ++i)
        joined_.emplace(list[i], list.back());
    }
  }

  Plan apply() {
    result_ = plan_;
    result_.steps.clear();
    for (uint32_t i = 0; i < plan_.steps.size(); ++i) {
      if (is_left_out(plan_.steps[i])) {
        leave_out(i);
      } else {
        keep(i);
      }
    }
    return std::move(result_);
  }

 private:
  struct Thread {
    bool leaves_out_wait = false;  // the next one
    int64_t pause = 0;             // before steps that were left out
  };

  bool is_left_out(const Step& step) {
    Thread& thread = threads_[step.thread];
    if (is_synchronisation(step)) return std::exchange(thread.leaves_out_wait, false);
    if (step.action != Action::kRecord)
      thread.leaves_out_wait = change_.without_wait.contains(step.work);
    if (change_.dropped.contains(step.work)) return true;
    const auto joined = joined_.find(step.work);
    if (joined == joined_.end()) return false;
    const CopyItem& item = plan_.items[step.first_item];
    CopyItem& whole =
        wholes_.try_emplace(joined->second, CopyItem{item.dst, item.src, 0}).first->second;
    whole.size += item.size;
    return true;
  }

  void leave_out(uint32_t index) {
    const Step& step = plan_.steps[index];
    threads_[step.thread].pause += std::max<int64_t>(step.pause - saved_before(step), 0);
    // Later steps of the stream follow what this one followed.
    if (step.after_stream != kNoIndex) places_[index] = places_[step.after_stream];
  }

  void keep(uint32_t index) {
    Step step = plan_.steps[index];
    step.pause = std::max<int64_t>(step.pause - saved_before(step), 0) +
                 std::exchange(threads_[step.thread].pause, 0);
    if (step.after_record != kNoIndex) step.after_record = places_[step.after_record];
    if (step.after_stream != kNoIndex) step.after_stream = places_[step.after_stream];
    if (change_.pinned.contains(step.work)) step.memory = trace::Memory::kPinned;
    const auto whole = wholes_.find(step.work);
    if (whole != wholes_.end()) {
      CopyItem item = whole->second;
      item.size += plan_.items[step.first_item].size;
      replace_items(step, {item});
    }
    const auto fewer = change_.fewer_items.find(step.work);
    if (fewer != change_.fewer_items.end() && fewer->second < step.items) {
      replace_items(step, joined_items(step, fewer->second));
    }
    places_[index] = static_cast<uint32_t>(result_.steps.size());
    result_.steps.push_back(step);
  }

  int64_t saved_before(const Step& step) const {
    const auto saved = change_.saved_pauses.find(step.work);
    return saved == change_.saved_pauses.end() ? 0 : saved->second;
  }

  // The first items become one, so that `fewer` items are left out.
  std::vector<CopyItem> joined_items(const Step& step, uint64_t fewer) const {
    const auto begin = plan_.items.begin() + step.first_item;
    std::vector<CopyItem> items(begin + static_cast<ptrdiff_t>(fewer), begin + step.items);
    items.front() = *begin;
    for (uint64_t i = 1; i <= fewer; ++i)
      items.front().size += begin[static_cast<ptrdiff_t>(i)].size;
    return items;
  }

  void replace_items(Step& step, const std::vector<CopyItem>& items) {
    step.first_item = static_cast<uint32_t>(result_.items.size());
    step.items = static_cast<uint32_t>(items.size());
    step.bytes = 0;
    for (const CopyItem& item : items)
      step.bytes += item.size;
    result_.items.insert(result_.items.end(), items.begin(), items.end());
    if (step.items == 1) step.action = Action::kCopy;
  }

  const Plan& plan_;
  const Change& change_;
  Plan result_;
  std::vector<uint32_t> places_;  // of each step in the result, or of the step it follows
  std::vector<Thread> threads_;
  std::unordered_map<uint64_t, uint64_t> joined_;  // a work, and the work that has its bytes then
  std::unordered_map<uint64_t, CopyItem> wholes_;  // bytes that a work gets from earlier ones
};

}  // namespace

Plan changed(const Plan& plan, const Change& change) {
  if (change.batched.empty()) return PlanChange(plan, change).apply();
  replay::BatchRule rule;
  rule.accepts = [&change](const Step& step) { return change.batched.contains(step.work); };
  Change rest = change;
  rest.batched.clear();
  return PlanChange(replay::as_batch(plan, rule), rest).apply();
}

}  // namespace ferry::tools::advice
