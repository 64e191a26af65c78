// SPDX-License-Identifier: Apache-2.0
// Streams: waits for them, their failures, and work that is dropped.
#include "calls.h"
#include "model.h"

#include <algorithm>

namespace stress {

namespace {

// Whether a shorter wait ends before the work is done depends on the machine.
constexpr int32_t kAmpleMilliseconds = 600000;

bool is_ample(int32_t milliseconds) {
  return milliseconds == -1 || milliseconds >= kAmpleMilliseconds;
}

}  // namespace

aclError Model::apply_stream(const Operation& op) {
  switch (op.call) {
    case Call::kCreateStream:
      return create_stream(op.stream);
    case Call::kDestroyStream:
    case Call::kDestroyStreamForce:
      return destroy_stream(op);
    case Call::kStreamAbort:
      return abort_stream(op);
    case Call::kSetStreamFailureMode:
      return set_failure_mode(op);
    case Call::kSynchronizeDevice:
    case Call::kSynchronizeDeviceWithTimeout:
      return wait_for_device(op);
    default:
      return wait_for_stream(op);
  }
}

aclError Model::create_stream(int slot) {
  if (slot == kNull) return ACL_ERROR_INVALID_PARAM;
  if (!has_context()) return ACL_ERROR_RT_CONTEXT_NULL;
  require(slot >= 0 && stream(slot).life != Life::kAlive);
  Stream& made = streams_[static_cast<size_t>(slot)];
  made = {};
  made.life = Life::kAlive;
  made.context = context_of(thread_);
  return ACL_SUCCESS;
}

aclError Model::destroy_stream(const Operation& op) {
  const StreamRef ref = stream_of(op);
  if (ref.handle == Handle::kNull) return ACL_ERROR_INVALID_PARAM;
  if (ref.handle == Handle::kInvalid) return ACL_ERROR_RT_INVALID_HANDLE;
  if (const aclError code = check_queue(ref); code != ACL_SUCCESS) return code;
  const Context& owner = context_of_stream(ref.index);
  require(owner.failing == kNull || owner.has_stopped);
  if (op.call == Call::kDestroyStreamForce) {
    drop_work(ref.index);
  } else if (!owner.has_stopped) {
    wait_for(ref.index);
  }
  streams_[static_cast<size_t>(ref.index)].life = Life::kDead;
  return ACL_SUCCESS;
}

// Whether a context that has stopped refuses this is not specified.
aclError Model::abort_stream(const Operation& op) {
  const StreamRef ref = stream_of(op);
  if (ref.handle == Handle::kInvalid) return ACL_ERROR_RT_INVALID_HANDLE;
  if (const aclError code = check_queue(ref); code != ACL_SUCCESS) return code;
  require(context_of_stream(ref.index).failing == kNull);
  drop_work(ref.index);
  return ACL_SUCCESS;
}

// Ends the work of a stream. Which of the tasks that were not known to be done have run is open, so
// nothing else may rely on them.
void Model::drop_work(int stream) {
  const int actor = actor_of(stream);
  const auto index = static_cast<size_t>(actor);
  const uint32_t known = clock(thread_)[index];
  for (size_t i = 0; i < kActors; ++i)
    require(i == index || clocks_[i][index] <= known);
  for (const Event& each : events_)
    require(each.clock[index] <= known);
  for (const Notify& each : notifies_)
    require(each.record[index] <= known && (each.waiter != actor || each.wait_time <= known));
  Stream& queue = streams_[static_cast<size_t>(stream)];
  require(!queue.has_failed || clocks_[index][index] <= known);
  // Whether a function that runs is waited for is not specified.
  require(queue.function_time <= known);
  if (queue.blocking_notify != kNull) {
    notifies_[static_cast<size_t>(queue.blocking_notify)].is_awaited = false;
  }
  queue.blocking_notify = kNull;
  queue.blocking_event = kNull;
  forget_writes(actor, known);
  // The work is over, but what it waited for may not be.
  clock(thread_)[index] = clock(actor)[index];
  clock(actor) = clock(thread_);
}

// What the actor wrote in tasks after `known` may be there or not.
void Model::forget_writes(int actor, uint32_t known) {
  for (int slot = 0; slot < kBuffers; ++slot) {
    const std::vector<Access> accesses = buffer(slot).accesses;
    for (const Access& each : accesses) {
      if (each.actor != actor || each.time <= known || !each.is_write) continue;
      const size_t size = each.end - each.begin;
      std::fill_n(writable({slot, each.begin}, size).begin() + static_cast<ptrdiff_t>(each.begin),
                  size, kUnknownByte);
    }
  }
}

// The default contexts outlive the program, and would stay in this mode.
aclError Model::set_failure_mode(const Operation& op) {
  const StreamRef ref = stream_of(op);
  if (ref.handle == Handle::kInvalid) return ACL_ERROR_RT_INVALID_HANDLE;
  if (ref.index == kNull) return ACL_ERROR_RT_PARAM_INVALID;
  if (const aclError code = check_queue(ref); code != ACL_SUCCESS) return code;
  Context& owner = context_of_stream(ref.index);
  const bool wants_stop = (op.value & 1) == ACL_STOP_ON_FAILURE;
  require(owner.failing == kNull || owner.has_stopped);
  if (owner.has_stopped || (owner.stops_on_failure && !wants_stop)) {
    return ACL_ERROR_RT_FEATURE_NOT_SUPPORT;
  }
  if (!wants_stop) return ACL_SUCCESS;
  require(stream(ref.index).context >= kDevices);
  for (int i = 0; i < kAllStreams; ++i) {
    const bool is_owned = stream(i).life == Life::kAlive && &context_of_stream(i) == &owner;
    require(!is_owned || !stream(i).has_failed || is_idle(i));
  }
  owner.stops_on_failure = true;
  return ACL_SUCCESS;
}

// A task that was just queued on the stream will fail. What else the context has queued would run
// or not if it were not known to be done by then.
void Model::fail_context(int stream) {
  Context& owner = context_of_stream(stream);
  if (!owner.stops_on_failure) {
    streams_[static_cast<size_t>(stream)].has_failed = true;
    return;
  }
  for (int i = 0; i < kAllStreams; ++i) {
    if (i == stream || this->stream(i).life != Life::kAlive || &context_of_stream(i) != &owner) {
      continue;
    }
    const auto other = static_cast<size_t>(actor_of(i));
    require(!is_blocked(i) && knows(actor_of(stream), actor_of(i), clocks_[other][other]));
  }
  owner.failing = stream;
}

// Whether the call queues, waits for or queries work of a context in which a task fails.
bool Model::uses_failing_context(const Operation& op) const {
  const bool is_queued = op.call <= Call::kMemsetD32Async ||
                         is_between(op.call, Call::kSynchronizeStream, Call::kStreamQuery) ||
                         is_between(op.call, Call::kRecordEvent, Call::kStreamWaitEvent) ||
                         is_between(op.call, Call::kRecordNotify, Call::kWaitAndResetNotify) ||
                         op.call == Call::kLaunchHostFunc || op.call == Call::kLaunchCallback;
  const bool is_now = op.call == Call::kMemcpy || op.call == Call::kMemcpy2d ||
                      op.call == Call::kMemcpyBatch || op.call == Call::kMemcpyBatchV2 ||
                      op.call == Call::kMemset || op.call == Call::kMemsetD32 ||
                      op.call == Call::kSetMemcpyDesc;
  const StreamRef ref = stream_of(op);
  if (!is_queued || is_now || ref.index == kNull) return false;
  return context(stream(ref.index).context).failing != kNull;
}

bool Model::is_blocked(int stream) const {
  const Stream& queue = streams_[static_cast<size_t>(stream)];
  return queue.blocking_event != kNull || queue.blocking_notify != kNull;
}

// Whether a stream of the device waits for something that the program did not do so far; of any
// device if `device` is kNull.
bool Model::is_any_blocked(int device) const {
  for (int i = 0; i < kAllStreams; ++i) {
    if (stream(i).life != Life::kAlive || !is_blocked(i)) continue;
    if (device == kNull || context(stream(i).context).device == device) return true;
  }
  return false;
}

aclError Model::wait_for_stream(const Operation& op) {
  const StreamRef ref = stream_of(op);
  const bool is_limited = op.call == Call::kSynchronizeStreamWithTimeout;
  if (is_limited && op.value < -1) return ACL_ERROR_RT_PARAM_INVALID;
  if (ref.handle == Handle::kInvalid) return ACL_ERROR_RT_INVALID_HANDLE;
  if (is_limited && op.value == 0) return ACL_ERROR_RT_PARAM_INVALID;
  if (!has_context()) return ACL_ERROR_RT_CONTEXT_NULL;
  if (op.call == Call::kStreamQuery) return query_stream(ref.index);
  if (!is_limited || is_ample(op.value)) return synchronize(ref.index);
  require(is_blocked(ref.index));
  return ACL_ERROR_RT_STREAM_SYNC_TIMEOUT;
}

aclError Model::wait_for_device(const Operation& op) {
  const bool is_limited = op.call == Call::kSynchronizeDeviceWithTimeout;
  if (is_limited && (op.value < -1 || op.value == 0)) return ACL_ERROR_RT_PARAM_INVALID;
  if (!has_context()) return ACL_ERROR_RT_CONTEXT_NULL;
  if (!is_limited || is_ample(op.value)) return synchronize_device(device());
  // Which of two failures is returned is not specified.
  for (int i = 0; i < kAllStreams; ++i) {
    const bool is_waited_for =
        stream(i).life == Life::kAlive && context(stream(i).context).device == device();
    require(!is_waited_for || (!stream(i).has_failed && context_of_stream(i).failing == kNull));
  }
  require(is_any_blocked(device()));
  return ACL_ERROR_RT_STREAM_SYNC_TIMEOUT;
}

aclError Model::query_stream(int stream) {
  const Context& owner = context_of_stream(stream);
  if (owner.has_stopped) return ACL_ERROR_RT_TS_ERROR;
  require(owner.failing == kNull);
  if (is_idle(stream)) prediction_.status = ACL_STREAM_STATUS_COMPLETE;
  return ACL_SUCCESS;
}

aclError Model::synchronize(int stream) {
  Context& owner = context_of_stream(stream);
  if (owner.has_stopped) return ACL_ERROR_RT_TS_ERROR;
  require(owner.failing == kNull || owner.failing == stream);
  wait_for(stream);
  owner.has_stopped = owner.failing != kNull;
  Stream& queue = streams_[static_cast<size_t>(stream)];
  const bool has_failed = queue.has_failed || owner.has_stopped;
  queue.has_failed = false;
  return has_failed ? ACL_ERROR_RT_TS_ERROR : ACL_SUCCESS;
}

aclError Model::synchronize_device(int device) {
  bool has_failed = false;
  for (int i = 0; i < kAllStreams; ++i) {
    if (stream(i).life != Life::kAlive || context(stream(i).context).device != device) continue;
    Context& owner = context_of_stream(i);
    // A context that fails is told at once, also by streams whose work is done.
    if (owner.failing == kNull || owner.failing == i) wait_for(i);
    if (owner.failing == i) owner.has_stopped = true;
    has_failed = has_failed || stream(i).has_failed || owner.failing != kNull;
  }
  return has_failed ? ACL_ERROR_RT_TS_ERROR : ACL_SUCCESS;
}

}  // namespace stress
