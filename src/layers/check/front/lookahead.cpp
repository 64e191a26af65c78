// SPDX-License-Identifier: Apache-2.0
// Keeps the steps behind a stop until the queue has passed it.
#include "layers/check/front/lookahead.h"

#include <algorithm>
#include <utility>

namespace ferry::layers::check {

void Lookahead::tell(std::unique_ptr<Step> step) {
  const std::lock_guard lock(mutex_);
  if (entries_.empty()) {
    step->reached();
  } else {
    entries_.push_back({.aborts = aborts_, .step = std::move(step)});
  }
}

uint64_t Lookahead::add_stop() {
  const std::lock_guard lock(mutex_);
  entries_.push_back(
      {.stop = ++last_stop_, .aborts = aborts_, .is_passed = false, .step = nullptr});
  return last_stop_;
}

void Lookahead::note_abort() {
  const std::lock_guard lock(mutex_);
  ++aborts_;
}

void Lookahead::pass(uint64_t stop, Outcome outcome) {
  const std::lock_guard lock(mutex_);
  const auto passed = std::find_if(entries_.begin(), entries_.end(),
                                   [&](const Entry& entry) { return entry.stop == stop; });
  if (passed == entries_.end()) return;
  passed->is_passed = true;
  if (outcome == Outcome::kDropped) {
    for (auto entry = passed; entry != entries_.end() && entry->aborts == passed->aborts; ++entry) {
      if (entry->step != nullptr) std::exchange(entry->step, nullptr)->dropped();
    }
  }
  while (!entries_.empty() && (entries_.front().stop == 0 || entries_.front().is_passed)) {
    if (entries_.front().step != nullptr) entries_.front().step->reached();
    entries_.pop_front();
  }
}

}  // namespace ferry::layers::check
