// SPDX-License-Identifier: Apache-2.0
// Finds copies that may become one batch without any of them passing what orders it.
#include "replay/as_batch.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

namespace ferry::tools::replay {
namespace {

using trace::Direction;
using trace::Memory;

// Disjoint ranges of regions.
class RangeSet {
 public:
  void add(const Extent& extent) {
    std::map<uint64_t, uint64_t>& ranges = by_region_[extent.region];
    uint64_t begin = extent.begin;
    uint64_t end = extent.end;
    auto next = ranges.upper_bound(begin);
    if (next != ranges.begin() && std::prev(next)->second >= begin) {
      --next;
      begin = next->first;
    }
    while (next != ranges.end() && next->first <= end) {
      end = std::max(end, next->second);
      next = ranges.erase(next);
    }
    ranges.emplace(begin, end);
  }

  bool overlaps(const Extent& extent) const {
    const auto ranges = by_region_.find(extent.region);
    if (ranges == by_region_.end()) return false;
    const auto next = ranges->second.lower_bound(extent.end);
    return next != ranges->second.begin() && std::prev(next)->second > extent.begin;
  }

 private:
  std::unordered_map<uint32_t, std::map<uint64_t, uint64_t>> by_region_;
};

// Copies of one thread, stream and direction that nothing orders.
struct Group {
  std::vector<uint32_t> members;  // steps, in their order
  RangeSet written;
  RangeSet read;

  bool conflicts_with(const std::vector<Extent>& extents) const {
    return std::any_of(extents.begin(), extents.end(), [this](const Extent& extent) {
      return written.overlaps(extent) || (extent.is_written && read.overlaps(extent));
    });
  }
  void add(uint32_t step, const std::vector<Extent>& extents) {
    members.push_back(step);
    for (const Extent& extent : extents)
      (extent.is_written ? written : read).add(extent);
  }
};

bool blocks_host(const Step& step) {
  if (step.action == Action::kRecord || step.action == Action::kWait) return false;
  return !step.is_async || step.memory == Memory::kPageable || step.memory == Memory::kUnknown;
}

// Finds the groups. A group with one member is none.
class Grouping {
 public:
  Grouping(const Plan& plan, const BatchRule& rule) : plan_(plan), rule_(rule) {}

  std::vector<std::vector<uint32_t>> groups() {
    for (uint32_t i = 0; i < plan_.steps.size(); ++i)
      look_at(i);
    close_if([](const Step& /*first*/, const Group& /*group*/) { return true; });
    return std::move(groups_);
  }

 private:
  // Every step costs a look at every open group.
  static constexpr size_t kMostOpen = 64;

  bool may_be_item(const Step& step) const {
    const bool is_over_bus =
        step.direction == Direction::kHostToDevice || step.direction == Direction::kDeviceToHost;
    return step.action == Action::kCopy && is_over_bus && !blocks_host(step) &&
           step.bytes <= rule_.largest && (!rule_.accepts || rule_.accepts(step));
  }

  bool may_join(const Step& step, const Group& group) const {
    const Step& first = plan_.steps[group.members.front()];
    return first.thread == step.thread && first.direction == step.direction &&
           first.memory == step.memory;
  }

  void look_at(uint32_t index) {
    const Step& step = plan_.steps[index];
    const std::vector<Extent> extents = extents_of(plan_, step);
    const bool is_item = may_be_item(step);
    close_if([&](const Step& first, const Group& group) {
      if (group.conflicts_with(extents)) return true;
      if (first.stream == step.stream) return !is_item || !may_join(step, group);
      if (step.action == Action::kSynchronizeDevice && first.device == step.device) return true;
      return blocks_host(step) && first.thread == step.thread;
    });
    if (!is_item) return;
    if (open_.size() >= kMostOpen && !open_.contains(step.stream))
      close_if([](const Step& /*first*/, const Group& /*group*/) { return true; });
    open_[step.stream].add(index, extents);
  }

  template <class Condition>
  void close_if(Condition condition) {
    for (auto place = open_.begin(); place != open_.end();) {
      const Group& group = place->second;
      if (!condition(plan_.steps[group.members.front()], group)) {
        ++place;
        continue;
      }
      if (group.members.size() >= std::max(2U, rule_.fewest)) groups_.push_back(group.members);
      place = open_.erase(place);
    }
  }

  const Plan& plan_;
  const BatchRule& rule_;
  std::map<uint32_t, Group> open_;  // by stream
  std::vector<std::vector<uint32_t>> groups_;
};

bool continues(const CopyItem& before, const CopyItem& item) {
  return before.dst.region == item.dst.region && before.src.region == item.src.region &&
         before.dst.offset + before.size == item.dst.offset &&
         before.src.offset + before.size == item.src.offset;
}

// Makes the plan with the groups as batches.
class Rewriting {
 public:
  explicit Rewriting(const Plan& plan) : plan_(plan), result_(plan) {
    result_.steps.clear();
    result_.items.clear();
    places_.assign(plan.steps.size(), kNoIndex);
    pauses_.assign(plan.threads, 0);
  }

  Plan rewrite(const std::vector<std::vector<uint32_t>>& groups) {
    std::vector<const std::vector<uint32_t>*> group_of(plan_.steps.size(), nullptr);
    for (const std::vector<uint32_t>& group : groups) {
      for (const uint32_t member : group)
        group_of[member] = &group;
    }
    for (uint32_t i = 0; i < plan_.steps.size(); ++i) {
      if (group_of[i] == nullptr) {
        keep(i);
      } else if (group_of[i]->back() == i) {
        join(*group_of[i]);
      } else {
        pauses_[plan_.steps[i].thread] += plan_.steps[i].pause;
      }
    }
    return std::move(result_);
  }

 private:
  void keep(uint32_t index) {
    Step step = plan_.steps[index];
    const auto first = plan_.items.begin() + step.first_item;
    step.first_item = static_cast<uint32_t>(result_.items.size());
    result_.items.insert(result_.items.end(), first, first + step.items);
    places_[index] = static_cast<uint32_t>(result_.steps.size());
    append(step);
  }

  void join(const std::vector<uint32_t>& members) {
    Step step = plan_.steps[members.front()];
    step.pause = plan_.steps[members.back()].pause;
    step.first_item = static_cast<uint32_t>(result_.items.size());
    step.bytes = 0;
    for (const uint32_t member : members) {
      const CopyItem& item = plan_.items[plan_.steps[member].first_item];
      const bool is_first = result_.items.size() == step.first_item;
      if (!is_first && continues(result_.items.back(), item)) {
        result_.items.back().size += item.size;
      } else {
        result_.items.push_back(item);
      }
      step.bytes += item.size;
      places_[member] = static_cast<uint32_t>(result_.steps.size());
    }
    step.items = static_cast<uint32_t>(result_.items.size()) - step.first_item;
    step.action = step.items == 1 ? Action::kCopy : Action::kBatch;
    append(step);
  }

  void append(Step step) {
    step.pause += std::exchange(pauses_[step.thread], 0);
    if (step.after_record != kNoIndex) step.after_record = places_[step.after_record];
    if (step.after_stream != kNoIndex) step.after_stream = places_[step.after_stream];
    result_.steps.push_back(step);
  }

  const Plan& plan_;
  Plan result_;
  std::vector<uint32_t> places_;  // in the result, of each step
  std::vector<int64_t> pauses_;   // by thread: before steps that went into a later one
};

}  // namespace

Plan as_batch(const Plan& plan, const BatchRule& rule) {
  return Rewriting(plan).rewrite(Grouping(plan, rule).groups());
}

}  // namespace ferry::tools::replay
