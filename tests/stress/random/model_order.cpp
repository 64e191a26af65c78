// SPDX-License-Identifier: Apache-2.0
// Events, notifies and callbacks: their codes, and what they order.
#include "calls.h"
#include "model.h"

#include <algorithm>

namespace stress {

namespace {

constexpr uint32_t kCommonFlags =
    ACL_EVENT_SYNC | ACL_EVENT_CAPTURE_STREAM_PROGRESS | ACL_EVENT_TIME_LINE;
// Whether a shorter wait of a stream ends before the event is complete depends on the machine.
constexpr int32_t kAmpleSeconds = 600;

}  // namespace

// The checks that all functions share that queue something.
aclError Model::check_queue(const StreamRef& ref) const {
  if (!has_context()) return ACL_ERROR_RT_CONTEXT_NULL;
  return is_of_other_context(ref) ? ACL_ERROR_RT_STREAM_CONTEXT : ACL_SUCCESS;
}

aclError Model::apply_event(const Operation& op) {
  if (op.call <= Call::kCreateEventExWithFlag) return create_event(op);
  const bool is_limited = op.call == Call::kStreamWaitEventWithTimeout;
  if (is_limited && op.value < 0) return ACL_ERROR_RT_PARAM_INVALID;
  if (op.slot == kNull || event(op.slot).life == Life::kNever) {
    return is_limited ? ACL_ERROR_RT_PARAM_INVALID : ACL_ERROR_INVALID_PARAM;
  }
  Event& used = events_[static_cast<size_t>(op.slot)];
  const StreamRef ref = stream_of(op);
  const bool has_stream = is_between(op.call, Call::kRecordEvent, Call::kStreamWaitEvent);
  if (used.life == Life::kDead || (has_stream && ref.handle == Handle::kInvalid)) {
    return ACL_ERROR_RT_INVALID_HANDLE;
  }
  const bool is_awaited = std::any_of(streams_.begin(), streams_.end(), [&](const Stream& each) {
    return each.blocking_event == op.slot;
  });
  switch (op.call) {
    case Call::kDestroyEvent:
      require(!is_awaited);
      used.life = Life::kDead;
      return ACL_SUCCESS;
    case Call::kRecordEvent:
      return record_event(used, op, ref);
    case Call::kResetEvent:
      require(!is_awaited);
      return reset_event(used, ref);
    case Call::kStreamWaitEventWithTimeout:
      require(op.value == 0 || op.value >= kAmpleSeconds);
      return wait_event(used, op, ref);
    case Call::kStreamWaitEvent:
      return wait_event(used, op, ref);
    case Call::kSynchronizeEvent:
      require(!is_awaited);
      if (used.is_recorded) join(thread_, used.clock);
      return ACL_SUCCESS;
    default:
      query_event(used);
      return ACL_SUCCESS;
  }
}

aclError Model::create_event(const Operation& op) {
  const auto flags = static_cast<uint32_t>(op.value);
  Event made{.life = Life::kAlive, .flags = flags};
  bool is_allowed = flags != 0 && (flags & ~kCommonFlags) == 0;
  if (op.call == Call::kCreateEvent) {
    made.flags = kCommonFlags;
    is_allowed = true;
  } else if (op.call == Call::kCreateEventWithFlag) {
    made.kind = EventKind::kFlag;
    is_allowed |= flags == ACL_EVENT_DEVICE_USE_ONLY;
    require(flags != ACL_EVENT_EXTERNAL);
  } else {
    made.kind = EventKind::kEx;
    require(flags != ACL_EVENT_IPC);
  }
  if (op.slot == kNull) return ACL_ERROR_INVALID_PARAM;
  if (!is_allowed) return ACL_ERROR_RT_PARAM_INVALID;
  if (!has_context()) return ACL_ERROR_RT_CONTEXT_NULL;
  require(event(op.slot).life != Life::kAlive);
  events_[static_cast<size_t>(op.slot)] = made;
  return ACL_SUCCESS;
}

aclError Model::record_event(Event& event, const Operation& op, const StreamRef& ref) {
  if (const aclError code = check_queue(ref); code != ACL_SUCCESS) return code;
  if ((event.flags & ACL_EVENT_DEVICE_USE_ONLY) != 0) return ACL_ERROR_RT_PARAM_INVALID;
  event.clock = record_task(ref.index);
  event.is_recorded = true;
  for (int i = 0; i < kAllStreams; ++i) {
    Stream& waiting = streams_[static_cast<size_t>(i)];
    if (waiting.blocking_event != op.slot) continue;
    waiting.blocking_event = kNull;
    join(actor_of(i), event.clock);
  }
  return ACL_SUCCESS;
}

aclError Model::wait_event(Event& event, const Operation& op, const StreamRef& ref) {
  if ((event.flags & ~(ACL_EVENT_TIME_LINE | ACL_EVENT_CAPTURE_STREAM_PROGRESS)) == 0) {
    return ACL_ERROR_RT_FEATURE_NOT_SUPPORT;
  }
  if (event.kind == EventKind::kPlain && !event.is_recorded) return ACL_ERROR_RT_PARAM_INVALID;
  if (const aclError code = check_queue(ref); code != ACL_SUCCESS) return code;
  if (event.is_recorded) {
    join(begin_task(ref.index), event.clock);
  } else if (event.kind == EventKind::kFlag) {
    require((event.flags & ACL_EVENT_DEVICE_USE_ONLY) == 0);
    begin_task(ref.index);
    streams_[static_cast<size_t>(ref.index)].blocking_event = op.slot;
  }
  return ACL_SUCCESS;
}

aclError Model::reset_event(Event& event, const StreamRef& ref) {
  if (const aclError code = check_queue(ref); code != ACL_SUCCESS) return code;
  if (event.kind == EventKind::kEx) return ACL_ERROR_RT_FEATURE_NOT_SUPPORT;
  require(event.kind == EventKind::kFlag);
  begin_task(ref.index);
  event.is_recorded = false;
  return ACL_SUCCESS;
}

void Model::query_event(const Event& event) {
  if (!event.is_recorded) {
    prediction_.status = event.kind == EventKind::kEx ? ACL_EVENT_RECORDED_STATUS_COMPLETE
                                                      : ACL_EVENT_RECORDED_STATUS_NOT_READY;
    return;
  }
  bool is_known = true;
  for (int i = 0; i < kActors; ++i)
    is_known = is_known && knows(thread_, i, event.clock[static_cast<size_t>(i)]);
  if (is_known) prediction_.status = ACL_EVENT_RECORDED_STATUS_COMPLETE;
}

aclError Model::apply_notify(const Operation& op) {
  if (op.call == Call::kNotifyBatchReset) return reset_notify(op);
  if (op.slot == kNull) return ACL_ERROR_INVALID_PARAM;
  Notify& used = notifies_[static_cast<size_t>(op.slot)];
  if (op.call == Call::kCreateNotify) {
    if (op.value != 0 && op.value != 1) return ACL_ERROR_RT_PARAM_INVALID;
    if (!has_context()) return ACL_ERROR_RT_CONTEXT_NULL;
    require(used.life != Life::kAlive && op.value == 0);
    used = {.life = Life::kAlive, .device = device()};
    return ACL_SUCCESS;
  }
  if (used.life == Life::kNever) return ACL_ERROR_INVALID_PARAM;
  if (op.call == Call::kDestroyNotify) {
    if (used.life == Life::kDead) return ACL_ERROR_RT_INVALID_HANDLE;
    require(is_idle(used));
    used.life = Life::kDead;
    return ACL_SUCCESS;
  }
  const StreamRef ref = stream_of(op);
  if (used.life == Life::kDead || ref.handle == Handle::kInvalid) {
    return ACL_ERROR_RT_INVALID_HANDLE;
  }
  if (const aclError code = check_queue(ref); code != ACL_SUCCESS) return code;
  require(used.device == device());
  const bool is_record = op.call == Call::kRecordNotify;
  return is_record ? record_notify(used, op.slot, ref) : wait_notify(used, op.slot, ref);
}

// A second record before the wait has reset the first would not be counted, and another wait could
// take its signal. The next use of the notify must therefore come after the latest wait.
aclError Model::record_notify(Notify& notify, int slot, const StreamRef& ref) {
  require(!notify.is_signalled);
  notify.record = record_task(ref.index);
  require(notify.waiter == kNull || knows(actor_of(ref.index), notify.waiter, notify.wait_time));
  notify.is_signalled = !notify.is_awaited;
  notify.is_awaited = false;
  for (int i = 0; i < kAllStreams; ++i) {
    Stream& waiting = streams_[static_cast<size_t>(i)];
    if (waiting.blocking_notify != slot) continue;
    waiting.blocking_notify = kNull;
    end_wait(notify, actor_of(i));
  }
  return ACL_SUCCESS;
}

aclError Model::wait_notify(Notify& notify, int slot, const StreamRef& ref) {
  require(!notify.is_awaited);
  const int actor = begin_task(ref.index);
  require(notify.waiter == kNull || knows(actor, notify.waiter, notify.wait_time));
  if (notify.is_signalled) {
    notify.is_signalled = false;
    end_wait(notify, actor);
  } else {
    notify.is_awaited = true;
    streams_[static_cast<size_t>(ref.index)].blocking_notify = slot;
  }
  return ACL_SUCCESS;
}

// The wait, the latest operation of the actor, gets the signal.
void Model::end_wait(Notify& notify, int actor) {
  join(actor, notify.record);
  notify.waiter = actor;
  notify.wait_time = clock(actor)[static_cast<size_t>(actor)];
}

// Whether the thread knows that no queued work uses the notify.
bool Model::is_idle(const Notify& notify) const {
  for (int i = 0; i < kActors; ++i) {
    if (!knows(thread_, i, notify.record[static_cast<size_t>(i)])) return false;
  }
  return !notify.is_awaited &&
         (notify.waiter == kNull || knows(thread_, notify.waiter, notify.wait_time));
}

aclError Model::reset_notify(const Operation& op) {
  if (op.slot == kNull || op.count == 0) return ACL_ERROR_INVALID_PARAM;
  Notify& used = notifies_[static_cast<size_t>(op.slot)];
  require(used.life != Life::kNever && op.count == 1);
  if (used.life == Life::kDead) return ACL_ERROR_RT_INVALID_HANDLE;
  require(is_idle(used));
  used.is_signalled = false;
  return ACL_SUCCESS;
}

aclError Model::apply_callback(const Operation& op) {
  const bool is_callback = op.call == Call::kLaunchCallback;
  if (is_callback && op.kind != 0 && op.kind != 1) return ACL_ERROR_INVALID_PARAM;
  const StreamRef ref = stream_of(op);
  if (ref.handle == Handle::kInvalid) return ACL_ERROR_RT_INVALID_HANDLE;
  if (op.call == Call::kLaunchHostFunc || is_callback) return launch(op, ref);
  return subscribe(op, ref);
}

// The default streams of the devices outlive the program, and so would what this call changes.
aclError Model::subscribe(const Operation& op, const StreamRef& ref) {
  if (ref.index == kNull) return ACL_ERROR_RT_CONTEXT_NULL;
  require(ref.index < kStreams || ref.index >= kStreams + kDevices);
  require(op.value >= 0 && op.value < kDevices);
  Stream& served = streams_[static_cast<size_t>(ref.index)];
  if (op.call == Call::kSubscribeReport) {
    if (served.server != kNull || served.runs_functions) return ACL_ERROR_RT_STREAM_SUBSCRIBE;
    require(op.value == device_of(ref));
    served.server = op.value;
    return ACL_SUCCESS;
  }
  if (served.server == kNull) return ACL_ERROR_RT_STREAM_SUBSCRIBE;
  if (served.server != op.value) return ACL_ERROR_RT_THREAD_SUBSCRIBE;
  // Callbacks that are not delivered yet are dropped, which the stream reports as a failure.
  require(is_idle(ref.index) && !served.has_late_callback);
  served.server = kNull;
  return ACL_SUCCESS;
}

aclError Model::launch(const Operation& op, const StreamRef& ref) {
  const bool is_callback = op.call == Call::kLaunchCallback;
  if (op.missing != 0) return ACL_ERROR_RT_PARAM_INVALID;
  if (const aclError code = check_queue(ref); code != ACL_SUCCESS) return code;
  require(ref.index < kStreams || ref.index >= kStreams + kDevices);
  Stream& used = streams_[static_cast<size_t>(ref.index)];
  if (is_callback) {
    require(!used.runs_functions);
    if (used.server == kNull) return ACL_ERROR_RT_STREAM_NO_CB_REG;
    // Later work does not wait for the callback: it must not touch anything.
    require(op.kind == ACL_CALLBACK_BLOCK || op.count == 0);
    // Callbacks are delivered in order: once a blocking one is done, so are those before it.
    used.has_late_callback = op.kind == ACL_CALLBACK_NO_BLOCK;
  } else {
    if (used.server != kNull) return ACL_ERROR_RT_STREAM_SUBSCRIBE;
  }
  const int actor = begin_task(ref.index);
  used.runs_functions = !is_callback;
  used.function_time = clock(actor)[static_cast<size_t>(actor)];
  if (op.count == 0) return ACL_SUCCESS;
  require(!is_null(op.dst) && is_host(op.dst) && is_good(op.dst, op.count));
  fill(actor, op.dst, {static_cast<uint16_t>(op.value & 0xFF)}, op.count);
  return ACL_SUCCESS;
}

}  // namespace stress
