// SPDX-License-Identifier: Apache-2.0
// Opening, and the questions of other hosts. Their numbers are not trusted: a visitor ends no
// record but its own.
#include "core/event_offer.h"

#include "core/far_event_records.h"
#include "core/shared_object.h"

#include <cstring>
#include <utility>

namespace ferry {

using sharing::EventPage;

EventOffer::EventOffer(const sharing::Name& name, sharing::Descriptor file,
                       std::shared_ptr<EventPage> page, const EventFacts& facts)
    : name_(name),
      file_(std::move(file)),
      page_(std::move(page)),
      watcher_(std::make_shared<RecordWatcher>(page_)),
      facts_(facts) {}

EventOffer::~EventOffer() {
  watcher_->close();
}

sharing::Answer EventOffer::open(const sharing::Visitor& /*visitor*/) {
  const std::lock_guard lock(mutex_);
  if (holders_ == 0) {
    return {.code = ACL_ERROR_RT_INVALID_HANDLE, .text = "all processes have destroyed it"};
  }
  ++holders_;
  sharing::Answer answer;
  answer.file = file_.number();
  write_facts(facts_, answer.facts);
  return answer;
}

void EventOffer::closed() {
  bool is_over = false;
  {
    const std::lock_guard lock(mutex_);
    is_over = --holders_ == 0;
  }
  // Without the lock: it waits for a call of open().
  if (is_over) sharing::Exchange::instance().withdraw(name_);
}

// ---- visitors of other hosts ----

uint64_t EventOffer::begin_record(uint64_t visitor) {
  const std::lock_guard lock(mutex_);
  std::vector<uint64_t>& tickets = begun_[visitor];
  tickets.reserve(tickets.size() + 1);  // what can fail comes before the record
  const uint64_t ticket = page_->try_begin_record();
  if (ticket != 0) tickets.push_back(ticket);
  return ticket;
}

void EventOffer::end_record(uint64_t visitor, uint64_t ticket, EventPage::State state) {
  const std::lock_guard lock(mutex_);
  const auto found = begun_.find(visitor);
  if (found == begun_.end() || std::erase(found->second, ticket) == 0) return;
  page_->end_record(ticket, state);
}

void EventOffer::left(uint64_t visitor) {
  const std::lock_guard lock(mutex_);
  const auto found = begun_.find(visitor);
  if (found == begun_.end()) return;
  for (const uint64_t ticket : found->second)
    page_->end_record(ticket, EventPage::State::kAbandoned);
  begun_.erase(found);
}

void EventOffer::asked(uint64_t visitor, std::span<const std::byte> bytes,
                       const Answering& answer) {
  using Kind = EventQuestion::Kind;
  const auto tell = [answer](uint64_t ticket, EventPage::State state) {
    const EventAnswer told{.ticket = ticket, .state = static_cast<uint32_t>(state)};
    answer(std::as_bytes(std::span(&told, 1)));
  };
  EventQuestion question;
  if (bytes.size() != sizeof question) return answer({});
  std::memcpy(&question, bytes.data(), sizeof question);
  switch (question.kind) {
    case Kind::kBegin:
      return tell(begin_record(visitor), EventPage::State::kPending);
    case Kind::kEnd: {
      const bool is_done = question.state == static_cast<uint32_t>(EventPage::State::kDone);
      end_record(visitor, question.ticket,
                 is_done ? EventPage::State::kDone : EventPage::State::kDropped);
      return tell(question.ticket, EventPage::State::kDone);
    }
    case Kind::kNewest: {
      const uint64_t ticket = page_->newest();
      return tell(ticket, ticket == 0 ? EventPage::State::kDone : page_->look(ticket));
    }
    case Kind::kAwait: {
      const uint64_t ticket = question.ticket;
      const Status watched =
          watcher_->tell(ticket, [tell, ticket](EventPage::State state) { tell(ticket, state); });
      return watched.ok() ? void() : answer({});
    }
  }
  answer({});
}

}  // namespace ferry
