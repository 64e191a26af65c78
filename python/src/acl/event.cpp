// SPDX-License-Identifier: Apache-2.0
// acl.rt: events and notifies.
#include "binding.h"
#include "chapters.h"
#include "collections.h"

#include <vector>

namespace ferry::python {
namespace {

void add_events(nb::module_& rt) {
  bind_outputs_first<aclrtCreateEvent>(rt, "create_event", "tuple[int, int]",
                                       "Creates an event (aclrtCreateEvent).");
  bind_outputs_first<aclrtCreateEventWithFlag>(
      rt, "create_event_with_flag", "(flag: int, /) -> tuple[int, int]",
      "Creates an event; flags: 1 sync, 2 progress, 8 time, or-ed (aclrtCreateEventWithFlag).");
  bind_outputs_first<aclrtCreateEventExWithFlag>(
      rt, "create_event_ex_with_flag", "(flag: int, /) -> tuple[int, int]",
      "Creates an event that can be recorded repeatedly (aclrtCreateEventExWithFlag).");
  bind<aclrtDestroyEvent>(rt, "destroy_event", "(event: int, /) -> int",
                          "Destroys an event (aclrtDestroyEvent).");
  bind<aclrtRecordEvent>(rt, "record_event", "(event: int, stream: int, /) -> int",
                         "Records an event on a stream; the event comes first (aclrtRecordEvent).");
  bind<aclrtStreamWaitEvent>(
      rt, "stream_wait_event", "(stream: int, event: int, /) -> int",
      "Lets a stream wait for an event; the stream comes first (aclrtStreamWaitEvent).");
  bind<aclrtResetEvent>(rt, "reset_event", "(event: int, stream: int, /) -> int",
                        "Resets an event in the order of a stream (aclrtResetEvent).");
  bind<aclrtSynchronizeEvent>(rt, "synchronize_event", "(event: int, /) -> int",
                              "Waits for an event (aclrtSynchronizeEvent).");
  bind<aclrtSynchronizeEventWithTimeout>(
      rt, "synchronize_event_with_timeout", "(event: int, timeout_ms: int, /) -> int",
      "Waits for an event; -1: no limit (aclrtSynchronizeEventWithTimeout).");
  bind<aclrtSetOpWaitTimeout>(rt, "set_op_wait_timeout", "(seconds: int, /) -> int",
                              "Limits later stream_wait_event calls (aclrtSetOpWaitTimeout).");
}

void add_event_queries(nb::module_& rt) {
  bind_outputs_last<aclrtQueryEventStatus>(rt, "query_event_status",
                                           "(event: int, /) -> tuple[int, int]",
                                           "0 not ready, 1 complete (aclrtQueryEventStatus).");
  bind_outputs_last<aclrtQueryEvent>(rt, "query_event", "(event: int, /) -> tuple[int, int]",
                                     "0 complete, 1 not ready; deprecated (aclrtQueryEvent).");
  bind_outputs_last<aclrtQueryEventWaitStatus>(
      rt, "query_event_wait_status", "(event: int, /) -> tuple[int, int]",
      "State of waits for an event: 0 complete, 1 not ready (aclrtQueryEventWaitStatus).");
  bind_outputs_first<aclrtEventElapsedTime>(
      rt, "event_elapsed_time", "(start_event: int, end_event: int, /) -> tuple[float, int]",
      "Milliseconds between two events (aclrtEventElapsedTime).");
  bind_outputs_last<aclrtEventGetTimestamp>(
      rt, "event_get_timestamp", "(event: int, /) -> tuple[int, int]",
      "When an event was recorded, in microseconds (aclrtEventGetTimestamp).");
  bind_outputs_last<aclrtGetEventId>(rt, "get_event_id", "(event: int, /) -> tuple[int, int]",
                                     "Number of an event (aclrtGetEventId).");
  bind_outputs_last<aclrtGetEventAvailNum>(
      rt, "get_event_avail_num", "tuple[int, int]",
      "How many more events can be created (aclrtGetEventAvailNum).");
}

aclError notify_batch_reset(const nb::object& notifies) {
  std::vector<aclrtNotify> handles = pointers_of(notifies, "notifies");
  return unlocked([&] { return aclrtNotifyBatchReset(handles.data(), handles.size()); });
}

void add_notifies(nb::module_& rt) {
  bind_outputs_first<aclrtCreateNotify>(rt, "create_notify", "(flag: int, /) -> tuple[int, int]",
                                        "Creates a notify; flag is 0 (aclrtCreateNotify).");
  bind<aclrtDestroyNotify>(rt, "destroy_notify", "(notify: int, /) -> int",
                           "Destroys a notify (aclrtDestroyNotify).");
  bind<aclrtRecordNotify>(rt, "record_notify", "(notify: int, stream: int, /) -> int",
                          "Sets a notify in the order of a stream (aclrtRecordNotify).");
  bind<aclrtWaitAndResetNotify>(
      rt, "wait_and_reset_notify", "(notify: int, stream: int, timeout_s: int, /) -> int",
      "Lets a stream wait for a notify; 0: no limit (aclrtWaitAndResetNotify).");
  bind_outputs_last<aclrtGetNotifyId>(rt, "get_notify_id", "(notify: int, /) -> tuple[int, int]",
                                      "Number of a notify (aclrtGetNotifyId).");
  define(rt, "notify_batch_reset", "(notifies: list[int], /) -> int",
         "Resets several notifies at once (aclrtNotifyBatchReset).", notify_batch_reset);
}

}  // namespace

void add_event(nb::module_& rt) {
  add_events(rt);
  add_event_queries(rt);
  add_notifies(rt);
}

}  // namespace ferry::python
