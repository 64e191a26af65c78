// SPDX-License-Identifier: Apache-2.0
// The records of an event that several processes share: on a page that the processes of one host
// map, or kept by the process of another host that has created the event.
#pragma once

#include "base/status.h"
#include "core/event.h"
#include "core/record_watcher.h"
#include "sharing/event_page.h"

#include <cstdint>
#include <memory>
#include <utility>

namespace ferry {

// May be shared between threads. Errors are those of a host that is lost.
class EventRecords {
 public:
  using State = sharing::EventPage::State;
  using Clock = sharing::EventPage::Clock;

  struct Record {
    uint64_t ticket = 0;  // 0: none
    State state = State::kDone;
  };

  virtual ~EventRecords() = default;

  // A new record, the newest from now on. Returns its ticket. Waits while too many have not ended.
  virtual Result<uint64_t> begin_record() = 0;
  // kDone or kDropped. Does not wait.
  virtual void end_record(uint64_t ticket, State state) = 0;
  // Of any process. A record whose process has ended is not pending.
  virtual Result<Record> newest() = 0;
  // Waits until the record has ended. kPending when the deadline comes first.
  virtual Result<State> wait(uint64_t ticket, Clock::time_point deadline) = 0;
  // Finishes the marker when the record has ended, also after the event was destroyed.
  virtual Status finish_after(uint64_t ticket, const MarkerRef& marker) = 0;
  // The event is destroyed.
  virtual void close() {}
  // The host that keeps them is lost: opening the event again may succeed.
  virtual bool is_lost() const { return false; }
};

class PageRecords final : public EventRecords {
 public:
  explicit PageRecords(std::shared_ptr<sharing::EventPage> page)
      : page_(std::move(page)), watcher_(std::make_shared<RecordWatcher>(page_)) {}

  const std::shared_ptr<sharing::EventPage>& page() const { return page_; }

  Result<uint64_t> begin_record() override { return page_->begin_record(); }
  void end_record(uint64_t ticket, State state) override { page_->end_record(ticket, state); }
  Result<Record> newest() override {
    const uint64_t ticket = page_->newest();
    return Record{.ticket = ticket, .state = ticket == 0 ? State::kDone : page_->look(ticket)};
  }
  Result<State> wait(uint64_t ticket, Clock::time_point deadline) override {
    return page_->wait(ticket, deadline);
  }
  Status finish_after(uint64_t ticket, const MarkerRef& marker) override {
    return watcher_->tell(ticket, [marker](State state) { finish_record_marker(marker, state); });
  }
  void close() override { watcher_->close(); }

 private:
  const std::shared_ptr<sharing::EventPage> page_;
  const std::shared_ptr<RecordWatcher> watcher_;
};

}  // namespace ferry
