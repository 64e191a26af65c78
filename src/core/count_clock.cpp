// SPDX-License-Identifier: Apache-2.0
// Sleeps until the earliest deadline of all counters.
#include "core/count_clock.h"

#include "base/thread.h"

#include <algorithm>

namespace ferry {

CountClock& CountClock::instance() {
  static auto* clock = new CountClock;
  return *clock;
}

Status CountClock::expect(const std::shared_ptr<Counter>& counter) {
  const std::lock_guard lock(mutex_);
  std::erase_if(counters_, [](const std::weak_ptr<Counter>& each) { return each.expired(); });
  const bool is_known =
      std::any_of(counters_.begin(), counters_.end(),
                  [&](const std::weak_ptr<Counter>& each) { return each.lock() == counter; });
  if (!is_known) counters_.push_back(counter);
  if (is_started_) return {};
  const Status started = start_thread("ferry-count", [this] { serve(); });
  is_started_ = started.ok();
  return started;
}

void CountClock::note_begin() {
  const std::lock_guard lock(mutex_);
  has_news_ = true;
  changed_.notify_one();
}

void CountClock::serve() {
  std::unique_lock lock(mutex_);
  for (;;) {
    has_news_ = false;
    Counter::Clock::time_point next = Counter::Clock::time_point::max();
    // By index: without the lock, counters may be added; they come with news.
    for (size_t i = 0; i < counters_.size(); ++i) {
      const std::shared_ptr<Counter> counter = counters_[i].lock();
      if (counter == nullptr) continue;
      lock.unlock();
      next = std::min(next, counter->expire(Counter::Clock::now()));
      lock.lock();
    }
    const auto has_news = [&] { return has_news_; };
    if (next == Counter::Clock::time_point::max()) {
      changed_.wait(lock, has_news);
    } else {
      changed_.wait_until(lock, next, has_news);
    }
  }
}

}  // namespace ferry
