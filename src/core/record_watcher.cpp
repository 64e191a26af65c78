// SPDX-License-Identifier: Apache-2.0
// The thread sleeps on the page while it has records to watch, and on its own condition otherwise.
#include "core/record_watcher.h"

#include "base/log.h"
#include "base/thread.h"

#include <utility>

namespace ferry {

using sharing::EventPage;

void finish_record_marker_with(const MarkerRef& marker, int code) {
  if (marker.backend().marker_finish(marker.get(), code) != ACL_SUCCESS) {
    FERRY_LOG(kWarn, "a stream may wait for ever for the record of another process");
  }
}

void finish_record_marker(const MarkerRef& marker, EventPage::State state) {
  const bool is_abandoned = state == EventPage::State::kAbandoned;
  finish_record_marker_with(marker, is_abandoned ? kRecordAbandoned : ACL_SUCCESS);
}

Status RecordWatcher::tell(uint64_t ticket, Told told) {
  const std::lock_guard lock(mutex_);
  entries_.push_back({.ticket = ticket, .told = std::move(told)});
  if (!is_started_) {
    const Status started =
        start_thread("ferry-events", [self = shared_from_this()] { self->watch(); });
    if (!started.ok()) {
      entries_.pop_back();
      return started;
    }
    is_started_ = true;
  }
  changed_.notify_one();
  page_->wake();
  return {};
}

void RecordWatcher::close() {
  const std::lock_guard lock(mutex_);
  is_closed_ = true;
  changed_.notify_one();
}

// On the thread: allocates nothing, since no caller would learn of a failure.
bool RecordWatcher::take_ended(Entry& taken) {
  for (Entry& entry : entries_) {
    entry.state = page_->state(entry.ticket);
    if (entry.state == State::kPending) continue;
    taken = std::exchange(entry, entries_.back());
    entries_.pop_back();
    return true;
  }
  return false;
}

void RecordWatcher::look_for_dead_processes() {
  for (const Entry& entry : entries_)
    page_->look(entry.ticket);
}

void RecordWatcher::watch() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return !entries_.empty() || is_closed_; });
    if (entries_.empty()) return;
    const uint32_t seen = page_->changes();
    Entry ended;
    const bool has_ended = take_ended(ended);
    lock.unlock();
    if (has_ended) {
      ended.told(ended.state);
    } else {
      page_->wait_for_change(seen, EventPage::Clock::time_point::max());
    }
    lock.lock();
    if (!has_ended && page_->changes() == seen) look_for_dead_processes();
  }
}

}  // namespace ferry
