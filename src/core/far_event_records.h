// SPDX-License-Identifier: Apache-2.0
// An event whose creator is on another host: its page has the records, and this process asks for
// them. Drawing a ticket and learning the newest one wait for the answer: so whatever the program
// tells another program afterwards, by any way, comes after the record.
#pragma once

#include "core/event_records.h"
#include "sharing/visit.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace ferry {

// What travels between hosts, as bytes.
struct EventQuestion {
  enum class Kind : uint32_t { kBegin = 1, kEnd, kNewest, kAwait };
  Kind kind{};
  uint32_t state = 0;   // of kEnd: EventPage::State
  uint64_t ticket = 0;  // of kEnd and kAwait
};
struct EventAnswer {
  uint64_t ticket = 0;  // of kBegin and kNewest; 0 for kBegin: too many records have not ended
  uint32_t state = 0;   // EventPage::State
  uint32_t reserved = 0;
};

class FarEventRecords final : public EventRecords,
                              public std::enable_shared_from_this<FarEventRecords> {
 public:
  explicit FarEventRecords(sharing::Hold hold) : hold_(std::move(hold)) {}

  Result<uint64_t> begin_record() override;
  void end_record(uint64_t ticket, State state) override;
  Result<Record> newest() override;
  Result<State> wait(uint64_t ticket, Clock::time_point deadline) override;
  Status finish_after(uint64_t ticket, const MarkerRef& marker) override;
  bool is_lost() const override { return hold_.is_lost(); }

 private:
  // A record that the owner was asked to tell the end of; once, however many wait for it.
  struct Awaited {
    uint32_t is_over = 0;  // changed atomically, after the two below
    bool is_lost = false;
    State state = State::kPending;
    std::vector<MarkerRef> markers;  // guarded by mutex_
  };
  Result<EventAnswer> ask(const EventQuestion& question) const;
  std::shared_ptr<Awaited> await(uint64_t ticket, const MarkerRef* marker);
  void take_end(uint64_t ticket, const sharing::Told& told);

  const sharing::Hold hold_;
  std::mutex mutex_;  // guards awaited_
  std::map<uint64_t, std::shared_ptr<Awaited>> awaited_;
};

}  // namespace ferry
