// SPDX-License-Identifier: Apache-2.0
// Recording, waiting and querying. How processes find the event: ipc_event_sharing.cpp.
#include "core/ipc_event.h"

#include "base/config.h"
#include "base/work.h"
#include "core/callout.h"
#include "core/memory_pool.h"

#include <atomic>
#include <utility>

namespace ferry {
namespace {

using sharing::EventPage;
using RecordState = EventPage::State;

// Ends the ticket of a record when the stream gets there. The ticket is drawn after the submission,
// so that a submission that fails leaves no record behind; the stream may get there first.
// Invariant: the stream and the recording thread each change the word once. The second of them ends
// the record and this object.
class TicketEnd {
 public:
  explicit TicketEnd(std::shared_ptr<EventRecords> records) : records_(std::move(records)) {}

  // A callout; without a queue when the work was dropped.
  static void start(void* argument, ferryx_callout* callout) {
    auto* const self = static_cast<TicketEnd*>(argument);
    const uint64_t outcome = callout != nullptr ? kDone : kDropped;
    const uint64_t before = self->word_.exchange(outcome, std::memory_order_acq_rel);
    if (before != kNeither) self->end(before, outcome);
    if (callout != nullptr) callout->done(callout);
  }

  // kNoTicket: there is no record after all.
  void give(uint64_t ticket) {
    const uint64_t before = word_.exchange(ticket, std::memory_order_acq_rel);
    if (before != kNeither) end(ticket, before);
  }

  static constexpr uint64_t kNoTicket = 0;

 private:
  // No tickets.
  static constexpr uint64_t kNeither = UINT64_MAX;
  static constexpr uint64_t kDone = UINT64_MAX - 1;
  static constexpr uint64_t kDropped = UINT64_MAX - 2;

  void end(uint64_t ticket, uint64_t outcome) {
    const RecordState state = outcome == kDone ? RecordState::kDone : RecordState::kDropped;
    if (ticket != kNoTicket) records_->end_record(ticket, state);
    delete this;
  }

  const std::shared_ptr<EventRecords> records_;
  std::atomic<uint64_t> word_{kNeither};
};

Status submit_mark(Stream& stream, const MarkerRef& marker) {
  ferryx_work work =
      make_work(FERRYX_MARK, &ferryx_payload::marker, {.marker = marker.get(), .timeout = 0});
  return stream.submit(work);
}

Status submit_await(Stream& stream, const MarkerRef& marker, int64_t timeout) {
  ferryx_work work = make_work(FERRYX_AWAIT, &ferryx_payload::marker,
                               {.marker = marker.get(), .timeout = timeout});
  return stream.submit(work);
}

// Schedules that delay work run it when somebody waits. Other processes wait invisibly: a second
// query of a marker says that the program waits. Unlike a synchronisation it never takes time. If
// it fails, the work runs later.
void demand_all_of(Stream& stream) {
  if (config().schedule.kind == Schedule::Kind::kEager) return;
  Result<MarkerRef> marker = MarkerRef::create(stream.context().device());
  if (!marker.ok() || !submit_mark(stream, *marker).ok()) return;
  if (!(*marker).is_reached()) static_cast<void>((*marker).is_reached());
}

// How a marker that was reached or dropped has ended.
RecordState end_of(const MarkerRef& marker) {
  const int code = marker.backend().marker_synchronize(marker.get(), 0);
  return code == ACL_SUCCESS ? RecordState::kDone : RecordState::kDropped;
}

Status fail_ended_early(const void* event, RecordState state) {
  return state == RecordState::kDropped
             ? fail(ACL_ERROR_RT_STREAM_ABORT, kEE1016,
                    "the stream that event %p was recorded on in another process was aborted",
                    event)
             : fail(kRecordAbandoned, kEE1016,
                    "the process that recorded event %p has ended before the record was reached",
                    event);
}

Status fail_event_timeout(const void* event, const WaitLimit& limit) {
  return reject(ACL_ERROR_RT_EVENT_SYNC_TIMEOUT, kEE1002, "event", Value::beside(event))
      .expected()
      .because(" was not complete after %d ms", limit.milliseconds());
}

}  // namespace

IpcEvent::IpcEvent(Device& device, std::shared_ptr<EventRecords> records,
                   std::shared_ptr<EventPage> page)
    : device_(device),
      creator_device_(device.logical_id()),
      records_(std::move(records)),
      page_(std::move(page)) {}

std::shared_ptr<IpcEvent> IpcEvent::make(Device& device, std::shared_ptr<EventPage> page) {
  auto records = std::make_shared<PageRecords>(page);
  return std::shared_ptr<IpcEvent>(new IpcEvent(device, std::move(records), std::move(page)));
}

Result<std::shared_ptr<IpcEvent>> IpcEvent::create(Device& device) {
  FERRY_TRY(std::shared_ptr<EventPage>, page, EventPage::create());
  return make(device, std::move(*page));
}

IpcEvent::OwnRecord IpcEvent::latest() {
  const std::lock_guard lock(latest_mutex_);
  return latest_;
}

Status IpcEvent::record(Stream& stream) {
  FERRY_RETURN_IF_ERROR(stream.check_open_for_work());
  const std::lock_guard order(order_mutex_);
  FERRY_TRY(MarkerRef, marker, MarkerRef::create(stream.context().device()));
  auto made = std::make_unique<TicketEnd>(records_);
  FERRY_RETURN_IF_ERROR(submit_mark(stream, *marker));
  // An idle stream is there already.
  if ((*marker).is_reached()) {
    FERRY_TRY(uint64_t, ticket, begin(*marker, stream));
    records_->end_record(*ticket, end_of(*marker));
    return {};
  }
  TicketEnd* const end = made.get();
  FERRY_RETURN_IF_ERROR(submit_callout(stream, TicketEnd::start, std::move(made)));
  Result<uint64_t> ticket = begin(*marker, stream);
  end->give(ticket.ok() ? *ticket : TicketEnd::kNoTicket);
  demand_all_of(stream);
  return ticket.status();
}

Result<uint64_t> IpcEvent::begin(const MarkerRef& marker, const Stream& stream) {
  FERRY_TRY(uint64_t, ticket, records_->begin_record());
  const std::lock_guard lock(latest_mutex_);
  latest_ = {.ticket = *ticket, .marker = marker, .stream = stream.handle()};
  return ticket;
}

Status IpcEvent::make_stream_wait(Stream& stream, int64_t timeout) {
  FERRY_RETURN_IF_ERROR(stream.check_open_for_work());
  const std::lock_guard order(order_mutex_);
  FERRY_TRY(EventRecords::Record, newest, records_->newest());
  if ((*newest).ticket == 0) return {};
  const OwnRecord own = latest();
  const bool is_own = own.ticket == (*newest).ticket && &own.marker.backend() == &stream.backend();
  if (!is_own) return await_foreign(stream, *newest, timeout);
  const bool is_in_order_already = own.stream == stream.handle();
  if (is_in_order_already || own.marker.is_reached()) return {};
  return submit_await(stream, own.marker, timeout);
}

Status IpcEvent::await_foreign(Stream& stream, const EventRecords::Record& record,
                               int64_t timeout) {
  const RecordState state = record.state;
  if (state == RecordState::kDone || state == RecordState::kDropped) {
    tell_host();
    return {};
  }
  if (stream.backend().marker_finish == nullptr) {
    return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kWE0001,
                "streams of a %s device cannot wait for records of other processes: call "
                "aclrtSynchronizeEvent instead",
                stream.backend().name);
  }
  FERRY_TRY(MarkerRef, marker, MarkerRef::create(stream.context().device()));
  if (state == RecordState::kAbandoned) {
    FERRY_RETURN_IF_ERROR(
        Status(stream.backend().marker_finish((*marker).get(), kRecordAbandoned)));
  } else {
    FERRY_RETURN_IF_ERROR(records_->finish_after(record.ticket, *marker));
  }
  return submit_await(stream, *marker, timeout);
}

Status IpcEvent::query(bool& is_complete) {
  FERRY_TRY(EventRecords::Record, newest, records_->newest());
  const EventRecords::Record& record = *newest;
  const OwnRecord own = latest();
  if (record.ticket != 0 && own.ticket == record.ticket) return own.marker.query(is_complete);
  is_complete = record.ticket == 0 || record.state != RecordState::kPending;
  if (is_complete && record.ticket != 0) tell_host();
  return {};
}

Status IpcEvent::synchronize(const void* event, const WaitLimit& limit) {
  FERRY_TRY(EventRecords::Record, newest, records_->newest());
  const uint64_t ticket = (*newest).ticket;
  if (ticket == 0) return {};
  const OwnRecord own = latest();
  if (own.ticket == ticket) {
    const Status waited = own.marker.synchronize(limit.nanoseconds_left());
    if (waited.code() == ACL_ERROR_RT_EVENT_SYNC_TIMEOUT) return fail_event_timeout(event, limit);
    if (waited.code() != ACL_ERROR_RT_STREAM_ABORT) return waited;
    return fail(waited, kEE1016, "the stream that event %p was recorded on was aborted", event);
  }
  FERRY_TRY(RecordState, waited, records_->wait(ticket, limit.deadline()));
  const RecordState state = *waited;
  if (state == RecordState::kPending) return fail_event_timeout(event, limit);
  tell_host();
  note_synchronisation();
  return state == RecordState::kDone ? Status() : fail_ended_early(event, state);
}

// Fronts learn from markers what the host knows: a marker that the host reaches itself stands for
// all that is done by now.
void IpcEvent::tell_host() const {
  const ferryx_backend& backend = device_.backend();
  if (backend.marker_finish == nullptr) return;
  ferryx_marker* made = nullptr;
  if (backend.marker_create(device_.handle(), &made) != ACL_SUCCESS) return;
  const MarkerRef marker(backend, made);
  if (backend.marker_finish(made, ACL_SUCCESS) != ACL_SUCCESS) return;
  static_cast<void>(backend.marker_synchronize(made, 0));
}

}  // namespace ferry
