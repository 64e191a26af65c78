// SPDX-License-Identifier: Apache-2.0
// Querying events, waiting for them on the host, and measuring time.
#include "api/adapters.h"
#include "api/arguments.h"
#include "base/status.h"
#include "core/event.h"
#include "core/ipc_event.h"
#include "core/model/captured_event.h"
#include "core/wait_limit.h"

namespace ferry::api {
namespace {

// The event of a query: not one that was recorded in a capture.
Result<Ref<Event>> event_to_query(aclrtEvent event, const char* argument = "event") {
  FERRY_TRY(Ref<Event>, found, find_event(event, argument));
  FERRY_RETURN_IF_ERROR(check_not_captured(**found));
  return found;
}

// The host does not wait for events of ACL_EVENT_EXTERNAL, and does not ask for their state: they
// are for streams and the runs of models.
Status check_not_external(const Event& event) {
  if ((event.flags() & ACL_EVENT_EXTERNAL) == 0) return {};
  return reject(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kWE0001, "event", Value::beside(event.handle()))
      .because(" was made with ACL_EVENT_EXTERNAL: synchronise the stream that it was recorded on");
}

// The older queries support no Ex events and no events that are shared.
Status check_queryable(const Event& event) {
  FERRY_RETURN_IF_ERROR(check_not_external(event));
  const bool is_shared = (event.flags() & ACL_EVENT_IPC) != 0;
  if (event.kind() != Event::Kind::kEx && !is_shared) return {};
  return reject(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kWE0001, "event", Value::beside(event.handle()))
      .because(" is of a kind this query does not support: use aclrtQueryEventStatus");
}

Status synchronize(Event& event, const WaitLimit& limit) {
  if (event.ipc() != nullptr) return event.ipc()->synchronize(event.handle(), limit);
  const MarkerRef marker = event.latest();
  if (!marker) return {};
  const uint64_t aborts = Device::task_aborts_of_all();
  const Status waited = marker.synchronize(limit.nanoseconds_left());
  if (waited.code() == ACL_ERROR_RT_EVENT_SYNC_TIMEOUT) {
    return reject(waited, kEE1002, "event", Value::beside(event.handle()))
        .expected()
        .because(" was not complete after %d ms", limit.milliseconds());
  }
  if (waited.code() == ACL_ERROR_RT_STREAM_ABORT && aborts != Device::task_aborts_of_all()) {
    return fail(ACL_ERROR_RT_DEVICE_TASK_ABORT, kEE1016,
                "the tasks of a device were aborted, among them the record of event %p",
                event.handle());
  }
  if (waited.code() == ACL_ERROR_RT_STREAM_ABORT) {
    return fail(waited, kEE1016, "the stream that event %p was recorded on was aborted",
                event.handle());
  }
  return waited;
}

// Processes have no clock in common that a device would give.
Status check_has_time(const Event& event, const char* argument) {
  if (event.ipc() == nullptr) return {};
  return reject(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kWE0001, argument, Value::beside(event.handle()))
      .because(" was made with ACL_EVENT_IPC: such events record no time");
}

Status completion_time(Event& event, const char* argument, uint64_t& nanoseconds) {
  const MarkerRef marker = event.latest();
  if (!marker) {
    return reject(ACL_ERROR_RT_INTERNAL_ERROR, kEE9999, argument, Value::beside(event.handle()))
        .because(" was never recorded");
  }
  bool is_reached = false;
  FERRY_RETURN_IF_ERROR(marker.query(is_reached));
  if (!is_reached) {
    return reject(ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID, kEE1018, argument,
                  Value::beside(event.handle()))
        .expected()
        .because(" is recorded but not complete: synchronise first");
  }
  return marker.time(nanoseconds);
}

// Whether the latest record is complete; `otherwise` when there is none.
Status query_latest(Event& event, bool otherwise, bool& is_complete) {
  if (event.ipc() != nullptr) return event.ipc()->query(is_complete);
  const MarkerRef marker = event.latest();
  is_complete = otherwise;
  return marker ? marker.query(is_complete) : Status();
}

}  // namespace

aclError aclrtQueryEvent(aclrtEvent event, aclrtEventStatus* status) {
  if (event == nullptr) return fail_null("event");
  if (status == nullptr) return fail_null("status");
  FERRY_TRY(Ref<Event>, found, event_to_query(event));
  FERRY_RETURN_IF_ERROR(check_queryable(**found));
  bool is_complete = false;
  FERRY_RETURN_IF_ERROR(query_latest(**found, true, is_complete));
  *status = is_complete ? ACL_EVENT_STATUS_COMPLETE : ACL_EVENT_STATUS_NOT_READY;
  return ACL_SUCCESS;
}

aclError aclrtQueryEventStatus(aclrtEvent event, aclrtEventRecordedStatus* status) {
  if (event == nullptr) return fail_null("event");
  if (status == nullptr) return fail_null("status");
  FERRY_TRY(Ref<Event>, found, event_to_query(event));
  FERRY_RETURN_IF_ERROR(check_not_external(**found));
  bool is_complete = false;
  FERRY_RETURN_IF_ERROR(query_latest(**found, (*found)->kind() == Event::Kind::kEx, is_complete));
  *status = is_complete ? ACL_EVENT_RECORDED_STATUS_COMPLETE : ACL_EVENT_RECORDED_STATUS_NOT_READY;
  return ACL_SUCCESS;
}

aclError aclrtQueryEventWaitStatus(aclrtEvent event, aclrtEventWaitStatus* status) {
  if (event == nullptr) return fail_null("event");
  if (status == nullptr) return fail_null("status");
  FERRY_TRY(Ref<Event>, found, event_to_query(event));
  FERRY_RETURN_IF_ERROR(check_queryable(**found));
  *status =
      (*found)->are_waits_done() ? ACL_EVENT_WAIT_STATUS_COMPLETE : ACL_EVENT_WAIT_STATUS_NOT_READY;
  return ACL_SUCCESS;
}

aclError aclrtSynchronizeEvent(aclrtEvent event) {
  FERRY_TRY(Ref<Event>, found, event_to_query(event));
  FERRY_RETURN_IF_ERROR(check_not_external(**found));
  return synchronize(**found, WaitLimit::none());
}

aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t timeout) {
  if (timeout < -1) return check_wait_time(timeout);
  if (event == nullptr) return fail_null("event");
  FERRY_RETURN_IF_ERROR(check_wait_time(timeout));
  FERRY_TRY(Ref<Event>, found, event_to_query(event));
  FERRY_RETURN_IF_ERROR(check_not_external(**found));
  return synchronize(**found, WaitLimit(timeout));
}

aclError aclrtEventElapsedTime(float* ms, aclrtEvent startEvent, aclrtEvent endEvent) {
  if (ms == nullptr) return fail_null("ms");
  if (startEvent == nullptr) return fail_null("startEvent");
  if (endEvent == nullptr) return fail_null("endEvent");
  FERRY_TRY(Ref<Event>, first, event_to_query(startEvent, "startEvent"));
  FERRY_TRY(Ref<Event>, last, event_to_query(endEvent, "endEvent"));
  FERRY_RETURN_IF_ERROR(check_has_time(**first, "startEvent"));
  FERRY_RETURN_IF_ERROR(check_has_time(**last, "endEvent"));
  uint64_t start = 0;
  uint64_t end = 0;
  FERRY_RETURN_IF_ERROR(completion_time(**first, "startEvent", start));
  FERRY_RETURN_IF_ERROR(completion_time(**last, "endEvent", end));
  *ms = static_cast<float>(static_cast<double>(static_cast<int64_t>(end - start)) / 1e6);
  return ACL_SUCCESS;
}

aclError aclrtEventGetTimestamp(aclrtEvent event, uint64_t* timestamp) {
  if (event == nullptr) return fail_null("event");
  if (timestamp == nullptr) return fail_null("timestamp");
  FERRY_TRY(Ref<Event>, found, event_to_query(event));
  FERRY_RETURN_IF_ERROR(check_has_time(**found, "event"));
  uint64_t nanoseconds = 0;
  FERRY_RETURN_IF_ERROR(completion_time(**found, "event", nanoseconds));
  *timestamp = nanoseconds / 1000;
  return ACL_SUCCESS;
}

aclError aclrtGetEventId(aclrtEvent event, uint32_t* eventId) {
  if (event == nullptr) return fail_null("event");
  if (eventId == nullptr) return fail_null("eventId");
  FERRY_TRY(Ref<Event>, found, find_event(event));
  *eventId = (*found)->id();
  return ACL_SUCCESS;
}

aclError aclrtGetEventAvailNum(uint32_t* eventCount) {
  if (eventCount == nullptr) return fail_null("eventCount");
  FERRY_TRY(Ref<Context>, context, current_context());
  *eventCount = (*context)->device().events().available();
  return ACL_SUCCESS;
}

}  // namespace ferry::api
