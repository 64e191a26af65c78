// SPDX-License-Identifier: Apache-2.0
// Questions to the process that has created the event.
#include "core/far_event_records.h"

#include "acl/error_codes/rt_error_codes.h"

#include <chrono>
#include <cstring>
#include <optional>
#include <thread>

namespace ferry {
namespace {

// How long to wait before asking again for room for a record.
constexpr std::chrono::milliseconds kFullPause{1};

std::span<const std::byte> bytes_of(const EventQuestion& question) {
  return std::as_bytes(std::span(&question, 1));
}

std::optional<EventAnswer> read(const sharing::Told& told) {
  EventAnswer answer;
  if (told.is_lost || told.answer.size() != sizeof answer) return {};
  std::memcpy(&answer, told.answer.data(), sizeof answer);
  const bool is_state = answer.state <= static_cast<uint32_t>(EventRecords::State::kAbandoned);
  return is_state ? std::optional(answer) : std::nullopt;
}

Status fail_lost(const std::string& why) {
  return fail(ACL_ERROR_RT_LINK_ERROR, kEE1016, "the event is of another host: %s", why.c_str());
}

}  // namespace

Result<EventAnswer> FarEventRecords::ask(const EventQuestion& question) const {
  const sharing::Told told = hold_.ask(bytes_of(question));
  const std::optional<EventAnswer> answer = read(told);
  if (!answer.has_value()) {
    return fail_lost(told.text.empty() ? "its answer makes no sense" : told.text);
  }
  return *answer;
}

Result<uint64_t> FarEventRecords::begin_record() {
  for (;;) {
    FERRY_TRY(EventAnswer, answer, ask({.kind = EventQuestion::Kind::kBegin}));
    if ((*answer).ticket != 0) return (*answer).ticket;
    std::this_thread::sleep_for(kFullPause);  // the owner tells nobody when a ticket is free
  }
}

void FarEventRecords::end_record(uint64_t ticket, State state) {
  const EventQuestion question{
      .kind = EventQuestion::Kind::kEnd, .state = static_cast<uint32_t>(state), .ticket = ticket};
  // A host that is lost counts the record as abandoned, or has no use for it.
  hold_.ask_later(bytes_of(question), [](const sharing::Told&) {});
}

Result<EventRecords::Record> FarEventRecords::newest() {
  FERRY_TRY(EventAnswer, answer, ask({.kind = EventQuestion::Kind::kNewest}));
  return Record{.ticket = (*answer).ticket, .state = static_cast<State>((*answer).state)};
}

std::shared_ptr<FarEventRecords::Awaited> FarEventRecords::await(uint64_t ticket,
                                                                 const MarkerRef* marker) {
  std::shared_ptr<Awaited> awaited;
  {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<Awaited>& known = awaited_[ticket];
    const bool is_asked = known != nullptr;
    if (!is_asked) known = std::make_shared<Awaited>();
    if (marker != nullptr) known->markers.push_back(*marker);
    if (is_asked) return known;
    awaited = known;
  }
  const EventQuestion question{.kind = EventQuestion::Kind::kAwait, .ticket = ticket};
  hold_.ask_later(bytes_of(question),
                  [self = shared_from_this(), ticket](const sharing::Told& told) {
                    self->take_end(ticket, told);
                  });
  return awaited;
}

// On the thread that drives the fabric.
void FarEventRecords::take_end(uint64_t ticket, const sharing::Told& told) {
  std::shared_ptr<Awaited> awaited;
  std::vector<MarkerRef> markers;
  {
    const std::lock_guard lock(mutex_);
    const auto found = awaited_.find(ticket);
    awaited = std::move(found->second);
    awaited_.erase(found);
    markers.swap(awaited->markers);
  }
  const std::optional<EventAnswer> answer = read(told);
  awaited->is_lost = !answer.has_value();
  if (answer.has_value()) awaited->state = static_cast<State>(answer->state);
  __atomic_store_n(&awaited->is_over, 1u, __ATOMIC_RELEASE);
  for (const MarkerRef& marker : markers) {
    if (awaited->is_lost) {
      finish_record_marker_with(marker, ACL_ERROR_RT_LINK_ERROR);
    } else {
      finish_record_marker(marker, awaited->state);
    }
  }
}

Result<EventRecords::State> FarEventRecords::wait(uint64_t ticket, Clock::time_point deadline) {
  const std::shared_ptr<Awaited> awaited = await(ticket, nullptr);
  if (!hold_.wait_for(awaited->is_over, deadline)) return State::kPending;
  if (awaited->is_lost) return fail_lost("it is lost, or does not know the event any more");
  return awaited->state;
}

Status FarEventRecords::finish_after(uint64_t ticket, const MarkerRef& marker) {
  static_cast<void>(await(ticket, &marker));
  return {};
}

}  // namespace ferry
