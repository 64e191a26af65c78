// SPDX-License-Identifier: Apache-2.0
// Streams that wait for records of other processes: a thread waits for the records and lets the
// streams go on.
#pragma once

#include "base/status.h"
#include "core/event.h"
#include "sharing/event_page.h"

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace ferry {

// What waits for a record fails with this code when the process of the record has ended: the work
// before the record may never have been done.
constexpr aclError kRecordAbandoned = ACL_ERROR_RT_STREAM_ABORT;

// One per event that several processes share. May be shared between threads. The thread has a
// reference: queued waits still end after the event was destroyed.
class RecordWatcher : public std::enable_shared_from_this<RecordWatcher> {
 public:
  explicit RecordWatcher(std::shared_ptr<sharing::EventPage> page) : page_(std::move(page)) {}

  // Finishes the marker when the record has ended. Starts the thread on first use: 207005 when the
  // system cannot create it.
  Status finish_after(uint64_t ticket, const MarkerRef& marker);
  // The event is destroyed: the thread ends when no marker is left to finish.
  void close();

 private:
  using State = sharing::EventPage::State;
  struct Entry {
    uint64_t ticket = 0;
    MarkerRef marker;
    State state = State::kPending;
  };

  void watch();
  // Takes out an entry whose record has ended. False when there is none.
  bool take_ended(Entry& taken);
  // Their records end then.
  void look_for_dead_processes();
  static void finish(const Entry& ended);

  const std::shared_ptr<sharing::EventPage> page_;
  std::mutex mutex_;  // guards the members below; not held while markers are finished
  std::condition_variable changed_;
  std::vector<Entry> entries_;
  bool is_started_ = false;
  bool is_closed_ = false;
};

}  // namespace ferry
