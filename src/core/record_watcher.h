// SPDX-License-Identifier: Apache-2.0
// Waiting for records of other processes: a thread waits for them and tells those that do, such as
// markers that streams wait for.
#pragma once

#include "base/status.h"
#include "core/event.h"
#include "sharing/event_page.h"

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace ferry {

// What waits for a record fails with this code when the process of the record has ended: the work
// before the record may never have been done.
constexpr aclError kRecordAbandoned = ACL_ERROR_RT_STREAM_ABORT;

// A stream that waits for a record waits for such a marker: the record has ended.
void finish_record_marker(const MarkerRef& marker, sharing::EventPage::State state);
// 0, or the code with which the waiting work fails.
void finish_record_marker_with(const MarkerRef& marker, int code);

// One per event that several processes share. May be shared between threads. The thread has a
// reference: queued waits still end after the event was destroyed.
class RecordWatcher : public std::enable_shared_from_this<RecordWatcher> {
 public:
  explicit RecordWatcher(std::shared_ptr<sharing::EventPage> page) : page_(std::move(page)) {}

  using State = sharing::EventPage::State;
  // Called when a record has ended, on the thread; must return soon and not throw.
  using Told = std::function<void(State state)>;

  // Starts the thread on first use: 207005 when the system cannot create it.
  Status tell(uint64_t ticket, Told told);
  // The event is destroyed: the thread ends when nobody is left to tell.
  void close();

 private:
  struct Entry {
    uint64_t ticket = 0;
    Told told;
    State state = State::kPending;
  };

  void watch();
  // Takes out an entry whose record has ended. False when there is none.
  bool take_ended(Entry& taken);
  // Their records end then.
  void look_for_dead_processes();

  const std::shared_ptr<sharing::EventPage> page_;
  std::mutex mutex_;  // guards the members below; not held while ends are told
  std::condition_variable changed_;
  std::vector<Entry> entries_;
  bool is_started_ = false;
  bool is_closed_ = false;
};

}  // namespace ferry
