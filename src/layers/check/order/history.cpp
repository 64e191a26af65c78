// SPDX-License-Identifier: Apache-2.0
// The history is a map of segments. An access splits segments at its ends, visits those in between,
// fills the gaps, and merges neighbours that have become equal.
#include "layers/check/order/history.h"

#include <algorithm>
#include <utility>

namespace ferry::layers::check {
namespace {

constexpr size_t kFirstPrune = 4096;
// Segments kept after pruning; at twice as many, some 150 MiB, it prunes again. A program that
// touches more places before the host learns anything loses the record of them, and so findings.
// Findings that are made stay correct.
constexpr size_t kMostAccesses = size_t{1} << 19;

bool is_read(const Access& access) {
  return access.kind == AccessKind::kRead;
}

bool is_conflict(const Access& one, const Access& other) {
  const bool are_stores = one.kind == AccessKind::kStore && other.kind == AccessKind::kStore;
  return !are_stores && !(is_read(one) && is_read(other));
}

// A run of adjacent places of the same earlier access is reported as one; places after a gap are
// not reported.
template <class Conflicts>
void note(Conflicts& conflicts, const Access& earlier, const Range& where) {
  for (auto& one : conflicts) {
    if (one.earlier != earlier) continue;
    if (one.where.end == where.begin) one.where.end = where.end;
    return;
  }
  conflicts.push_back({earlier, where});
}

}  // namespace

void History::add(const Range& range, const Access& access, const Knowledge& knowledge,
                  const Order& order, const OnConflict& on_conflict) {
  if (range.begin >= range.end) return;
  Newcomer newcomer{access, knowledge, order, {}};
  auto next = split(range.begin);
  const auto before = next == segments_.begin() ? segments_.end() : std::prev(next);
  for (uintptr_t at = range.begin; at < range.end;) {
    if (next == segments_.end() || next->first > at) {
      const uintptr_t gap_end =
          next == segments_.end() ? range.end : std::min(range.end, next->first);
      next = segments_.emplace_hint(next, at, Segment{gap_end, {access}});
    } else {
      if (next->second.end > range.end) split(range.end);
      visit({at, next->second.end}, next->second, newcomer);
    }
    at = next->second.end;
    ++next;
  }
  merge(before == segments_.end() ? segments_.begin() : before, range.end);
  if (segments_.size() > std::max(prune_at_, kFirstPrune)) prune(order);
  for (const Conflict& one : newcomer.conflicts) {
    on_conflict(one.earlier, one.where);
  }
}

bool History::has_unordered_write(const Range& range, const Knowledge& knowledge,
                                  const Order& order) const {
  auto next = segments_.upper_bound(range.begin);
  if (next != segments_.begin()) --next;
  for (; next != segments_.end() && next->first < range.end; ++next) {
    if (next->second.end <= range.begin) continue;
    for (const Access& access : next->second.accesses) {
      if (access.kind == AccessKind::kWrite && !order.is_before(access.when, knowledge))
        return true;
    }
  }
  return false;
}

void History::forget(const Range& range) {
  if (range.begin >= range.end) return;
  const auto first = split(range.begin);
  segments_.erase(first, split(range.end));
}

void History::prune(const Order& order) {
  for (auto& [begin, segment] : segments_) {
    std::erase_if(segment.accesses, [&](const Access& one) { return order.is_past(one.when); });
  }
  std::erase_if(segments_, [](const auto& one) { return one.second.accesses.empty(); });
  merge(segments_.begin(), UINTPTR_MAX);
  if (segments_.size() > kMostAccesses) segments_.clear();
  prune_at_ = 2 * segments_.size();
}

// Makes `address` a boundary. Returns the first segment at or after it.
History::Segments::iterator History::split(uintptr_t address) {
  const auto next = segments_.lower_bound(address);
  if (next == segments_.begin()) return next;
  Segment& before = std::prev(next)->second;
  if (before.end <= address) return next;
  Segment rest{std::exchange(before.end, address), before.accesses};
  return segments_.emplace_hint(next, address, std::move(rest));
}

void History::visit(const Range& range, Segment& segment, Newcomer& newcomer) {
  const Access& access = newcomer.access;
  const auto is_replaced = [&](const Access& earlier) {
    const bool is_ordered =
        earlier.when == access.when || newcomer.order.is_before(earlier.when, newcomer.knowledge);
    if (!is_ordered && is_conflict(earlier, access)) note(newcomer.conflicts, earlier, range);
    return is_ordered && (access.kind == AccessKind::kWrite || access.kind == earlier.kind);
  };
  std::erase_if(segment.accesses, is_replaced);
  segment.accesses.push_back(access);
}

// Merges equal neighbours, from `first` to the segment that starts at `end`.
void History::merge(Segments::iterator first, uintptr_t end) {
  if (first == segments_.end()) return;
  auto next = std::next(first);
  while (next != segments_.end() && next->first <= end) {
    const Segment& segment = next->second;
    if (first->second.end == next->first && first->second.accesses == segment.accesses) {
      first->second.end = segment.end;
      next = segments_.erase(next);
    } else {
      first = next++;
    }
  }
}

}  // namespace ferry::layers::check
