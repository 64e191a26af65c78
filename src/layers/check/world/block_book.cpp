// SPDX-License-Identifier: Apache-2.0
// Lives of blocks, by the address of their first byte.
#include "layers/check/world/block_book.h"

#include <algorithm>
#include <utility>

namespace ferry::layers::check {
namespace {

constexpr size_t kMostLives = 8;  // of blocks at one address
constexpr size_t kMostBlocks = 100'000;

bool was_submitted(const Moment& moment, const Submitted& by_then) {
  const auto found = by_then.find(moment.queue);
  return found != by_then.end() && moment.number <= found->second;
}

}  // namespace

void BlockBook::taken(uintptr_t address, Submitted submitted) {
  if (lives_.size() >= kMostBlocks) lives_.clear();
  std::deque<Life>& lives = lives_[address];
  lives.push_back({.taken = std::move(submitted), .released = {}});
  if (lives.size() > kMostLives) lives.pop_front();
}

void BlockBook::released(uintptr_t address, Submitted submitted, SiteId site) {
  const auto found = lives_.find(address);
  if (found == lives_.end()) return;
  Life& last = found->second.back();
  if (last.released_at != kNoSite) return;
  last.released = std::move(submitted);
  last.released_at = site;
}

// Blocks that begin at or before the byte, the nearest first: the first one that lived when either
// was submitted held it.
SiteId BlockBook::release_between(const Moment& one, const Moment& other, uintptr_t address) const {
  for (auto at = lives_.upper_bound(address); at != lives_.begin();) {
    --at;
    for (const Life& life : at->second) {
      const bool is_later = was_submitted(one, life.taken) || was_submitted(other, life.taken);
      if (life.released_at == kNoSite) {
        // Taken before either of them, and live ever since.
        if (!is_later) return kNoSite;
        continue;
      }
      const bool is_between =
          was_submitted(one, life.released) != was_submitted(other, life.released);
      if (is_between) return life.released_at;
    }
  }
  return kNoSite;
}

void BlockBook::forget(const Range& range) {
  lives_.erase(lives_.lower_bound(range.begin), lives_.lower_bound(range.end));
}

}  // namespace ferry::layers::check
