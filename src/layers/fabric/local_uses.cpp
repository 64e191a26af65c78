// SPDX-License-Identifier: Apache-2.0
// A list: transfers in flight are few.
#include "layers/fabric/local_uses.h"

#include <algorithm>
#include <utility>

namespace ferry::layers::fabric {

LocalUses& LocalUses::instance() {
  static auto* uses = new LocalUses;
  return *uses;
}

LocalUses::Entry LocalUses::begin(std::vector<LocalRange> ranges) {
  const std::lock_guard lock(mutex_);
  entries_.push_back(std::move(ranges));
  count_.fetch_add(1);
  return std::prev(entries_.end());
}

void LocalUses::end(Entry entry) {
  const std::lock_guard lock(mutex_);
  entries_.erase(entry);
  count_.fetch_sub(1);
  ended_.notify_all();
}

bool LocalUses::is_used(const LocalRange& range) const {
  const auto overlaps = [&](const LocalRange& other) {
    return range.start < other.start + other.size && other.start < range.start + range.size;
  };
  return std::any_of(entries_.begin(), entries_.end(), [&](const auto& ranges) {
    return std::any_of(ranges.begin(), ranges.end(), overlaps);
  });
}

void LocalUses::wait_for(const void* address, uint64_t size) {
  if (count_.load() == 0) return;
  const LocalRange range{reinterpret_cast<uintptr_t>(address), size};
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [&] { return !is_used(range); });
}

}  // namespace ferry::layers::fabric
