// SPDX-License-Identifier: Apache-2.0
// Stored values. The two oldest stores of an address become one when there are too many.
#include "layers/check/world/value_book.h"

#include <algorithm>

namespace ferry::layers::check {
namespace {

bool satisfies(uint64_t stored, const ferryx_value& awaited) {
  switch (awaited.comparison) {
    case FERRYX_AT_LEAST:
      return static_cast<int64_t>(stored - awaited.value) >= 0;
    case FERRYX_EQUAL:
      return stored == awaited.value;
    case FERRYX_ANY_BIT:
      return (stored & awaited.value) != 0;
    default:
      return ~(stored | awaited.value) != 0;
  }
}

}  // namespace

void ValueBook::add(uintptr_t address, uint64_t value, const Knowledge& knowledge) {
  if (stores_.size() >= kMostAddresses) stores_.clear();
  std::vector<Store>& stores = stores_[address];
  // The same value again: a wait may have seen either.
  const auto same =
      std::ranges::find_if(stores, [&](const Store& store) { return store.value == value; });
  if (same != stores.end()) return same->knowledge.join(knowledge);
  stores.push_back({.value = value, .knowledge = knowledge});
  if (stores.size() <= kMostStores) return;
  stores[0].value.reset();
  stores[0].knowledge.join(stores[1].knowledge);
  stores.erase(stores.begin() + 1);
}

std::optional<Knowledge> ValueBook::behind(const ferryx_value& awaited) const {
  const auto found = stores_.find(reinterpret_cast<uintptr_t>(awaited.address));
  if (found == stores_.end()) return {};
  std::optional<Knowledge> known;
  for (const Store& store : found->second) {
    if (store.value.has_value() && !satisfies(*store.value, awaited)) continue;
    if (!known.has_value()) known.emplace();
    known->join(store.knowledge);
  }
  return known;
}

void ValueBook::forget(const Range& range) {
  stores_.erase(stores_.lower_bound(range.begin), stores_.lower_bound(range.end));
}

}  // namespace ferry::layers::check
