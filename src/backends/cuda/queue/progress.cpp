// SPDX-License-Identifier: Apache-2.0
// The progress thread.
#include "backends/cuda/queue/progress.h"

#include "base/pause.h"
#include "base/thread.h"

#include <algorithm>

namespace ferry::cuda {
namespace {

// Passes without a sleep after a queue has progressed. They take some tens of microseconds, enough
// for work that is about to complete.
constexpr int kHurriedPasses = 64;
constexpr int kPausesBetweenPasses = 16;

bool is_due(bool is_posted, const Queue::Visit& visit, Clock::time_point now) {
  return is_posted || visit.polls || visit.deadline <= now;
}

}  // namespace

bool Progress::start() {
  return start_thread("ferry-cuda", [this] { serve(); }).ok();
}

Progress::Entry* Progress::find(const Queue& queue) {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& entry) { return entry.queue == &queue; });
  return found == entries_.end() ? nullptr : &*found;
}

void Progress::post(Queue& queue) {
  const Lock lock = lock_soon(mutex_);
  Entry* entry = find(queue);
  if (entry == nullptr)
    entry = &entries_.emplace_back(Entry{.queue = &queue, .is_posted = false, .visit = {}});
  entry->is_posted = true;
  hurry_ = kHurriedPasses;
  if (is_resting_) changed_.notify_all();
}

bool Progress::is_still() {
  const Lock lock = lock_soon(mutex_);
  return visited_ == nullptr &&
         std::none_of(entries_.begin(), entries_.end(),
                      [](const Entry& entry) { return entry.is_posted || entry.visit.polls; });
}

void Progress::pause() {
  const Lock lock = lock_soon(mutex_);
  is_paused_ = true;
}

void Progress::forget(Queue& queue) {
  Lock lock = lock_soon(mutex_);
  std::erase_if(entries_, [&](const Entry& entry) { return entry.queue == &queue; });
  changed_.wait(lock, [&] { return visited_ != &queue; });
}

bool Progress::visit_due_queues() {
  std::vector<Queue*> due;
  Lock lock = lock_soon(mutex_);
  const Clock::time_point now = Clock::now();
  for (const Entry& entry : entries_) {
    if (is_due(entry.is_posted, entry.visit, now)) due.push_back(entry.queue);
  }
  for (Queue* queue : due) {
    if (is_paused_) return false;
    if (find(*queue) != nullptr) visit(lock, *queue);  // it may have been forgotten meanwhile
  }
  return !due.empty();
}

void Progress::visit(Lock& lock, Queue& queue) {
  find(queue)->is_posted = false;
  visited_ = &queue;
  lock.unlock();
  const Queue::Visit visit = queue.advance();
  lock = lock_soon(mutex_);
  visited_ = nullptr;
  changed_.notify_all();
  if (visit.has_moved) hurry_ = kHurriedPasses;
  Entry* entry = find(queue);
  if (entry == nullptr) return;
  entry->visit = visit;
  const bool needs_more =
      entry->is_posted || visit.polls || visit.deadline != Clock::time_point::max();
  if (!needs_more) std::erase_if(entries_, [&](const Entry& each) { return each.queue == &queue; });
}

bool Progress::has_posted() const {
  return std::any_of(entries_.begin(), entries_.end(),
                     [](const Entry& entry) { return entry.is_posted; });
}

void Progress::rest(Lock& lock) {
  changed_.wait(lock, [&] { return !is_paused_; });
  if (has_posted()) return;
  bool polls = false;
  Clock::time_point wake_at = Clock::time_point::max();
  for (const Entry& entry : entries_) {
    polls = polls || entry.visit.polls;
    wake_at = std::min(wake_at, entry.visit.deadline);
  }
  if (polls && hurry_ > 0) {
    --hurry_;
    patience_.reset();
    lock.unlock();
    for (int i = 0; i < kPausesBetweenPasses; ++i)
      pause_processor();
    lock.lock();
    return;
  }
  if (polls) wake_at = std::min<Clock::time_point>(wake_at, Clock::now() + patience_.next());
  is_resting_ = true;
  if (wake_at == Clock::time_point::max()) {
    changed_.wait(lock);
  } else {
    changed_.wait_until(lock, wake_at);
  }
  is_resting_ = false;
}

void Progress::serve() {
  for (;;) {
    visit_due_queues();
    Lock lock = lock_soon(mutex_);
    rest(lock);
  }
}

}  // namespace ferry::cuda
