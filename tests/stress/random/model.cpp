// SPDX-License-Identifier: Apache-2.0
// The order of operations: what each is known to come after, between threads and on streams.
#include "model.h"

#include "calls.h"

#include <algorithm>

namespace stress {

namespace {

// The operation is in order with all others, earlier and later: it waits for everything on a
// device, or changes what every thread sees.
bool is_fence(Call call) {
  return call == Call::kSynchronizeDevice || call == Call::kSynchronizeDeviceWithTimeout ||
         call == Call::kFreeWithDevSync || call == Call::kDestroyContext ||
         call == Call::kCreateContext;
}

bool uses_slot(const Operation& op, Call first, Call last, int slots) {
  return is_between(op.call, first, last) && op.slot >= 0 && op.slot < slots;
}

}  // namespace

Model::Model() {
  current_.fill(kNull);
  for (int i = 0; i < kDevices; ++i) {
    contexts_[static_cast<size_t>(i)] = {.life = Life::kAlive, .device = i};
    Stream& default_stream = streams_[static_cast<size_t>(kStreams) + static_cast<size_t>(i)];
    default_stream.life = Life::kAlive;
    default_stream.context = i;
  }
}

std::optional<Prediction> Model::apply(const Operation& op) {
  thread_ = op.thread;
  call_ = op.call;
  is_dropped_ = false;
  prediction_ = {};
  conflict_ = kNull;
  try {
    const std::vector<int> shared = shared_by(op);
    for (const int each : shared) {
      const Shared& used = shared_[static_cast<size_t>(each)];
      acquire(used.changes);
      if (!is_reader(op, each)) acquire(used.reads);
    }
    if (op.call == Call::kMeet || is_fence(op.call)) {
      for (size_t i = 0; i < kThreads; ++i) {
        join(thread_, clocks_[i]);
        if (static_cast<int>(i) != thread_ && latest_[i] != 0) {
          prediction_.after.push_back(latest_[i] - 1);
        }
      }
    }
    const bool is_failing = uses_failing_context(op);
    try {
      prediction_.code = apply_call(op);
    } catch (const Refused&) {
      prediction_.code = ACL_ERROR_RT_TS_ERROR;
    }
    // Only the refusal is decided: the contract does not say which error of a call comes first, nor
    // what happens to a call that has nothing to queue.
    require(!is_failing || is_dropped_ || prediction_.code == ACL_ERROR_RT_TS_ERROR);
    release(op, shared);
  } catch (const Undecided&) {
    return std::nullopt;
  }
  std::vector<size_t>& after = prediction_.after;
  std::sort(after.begin(), after.end());
  after.erase(std::unique(after.begin(), after.end()), after.end());
  return prediction_;
}

bool Model::is_complete() const {
  return !is_any_blocked(kNull);
}

aclError Model::apply_call(const Operation& op) {
  if (is_batch(op.call)) return apply_batch(op);
  if (op.call <= Call::kMemsetD32Async) return apply_copy(op);
  if (op.call <= Call::kHostUnregister) return apply_memory(op);
  if (op.call <= Call::kDisablePeer) return apply_context(op);
  if (op.call <= Call::kSynchronizeDevice) return apply_stream(op);
  if (op.call <= Call::kQueryEventStatus) return apply_event(op);
  if (op.call <= Call::kNotifyBatchReset) return apply_notify(op);
  if (op.call <= Call::kLaunchCallback) return apply_callback(op);
  return apply_step(op);
}

std::vector<int> Model::shared_by(const Operation& op) const {
  std::vector<int> shared;
  if (is_fence(op.call)) {
    for (int i = 0; i < kShared; ++i)
      shared.push_back(i);
    return shared;
  }
  shared.push_back(kFence);
  const auto add_buffer = [&](int slot) {
    if (slot < 0) return;
    shared.push_back(kFirstBuffer + slot);
    if (buffer(slot).memory == Memory::kFreedDevice) shared.push_back(kWorld);
  };
  add_buffer(op.dst.buffer);
  add_buffer(op.src.buffer);
  for (const Item& item : op.items) {
    add_buffer(item.dst.buffer);
    add_buffer(item.src.buffer);
  }
  if (op.call == Call::kSetMemcpyDesc || op.call == Call::kMapHost || op.call == Call::kUnmapHost ||
      is_between(op.call, Call::kMalloc, Call::kHostUnregister)) {
    add_buffer(op.slot);
  }
  const bool is_world = is_between(op.call, Call::kMalloc, Call::kHostUnregister) ||
                        is_between(op.call, Call::kEnablePeer, Call::kDisablePeer) ||
                        op.call == Call::kMemcpy || op.call == Call::kMemcpyAsync ||
                        op.call == Call::kMemcpyAsyncWithCondition ||
                        op.call == Call::kMemcpy2dAsync;
  if (is_world) shared.push_back(kWorld);
  if (op.stream >= 0 && op.stream < kStreams) shared.push_back(op.stream);
  if (const StreamRef ref = stream_of(op); ref.index != kNull) {
    const Stream& used = stream(ref.index);
    shared.push_back(ref.index);
    // What ends a wait must not overtake what shows that it goes on, or drops it.
    if (used.blocking_event != kNull) shared.push_back(kFirstEvent + used.blocking_event);
    if (used.blocking_notify != kNull) shared.push_back(kFirstNotify + used.blocking_notify);
    // A failure on one stream is seen on the others.
    if (context(used.context).stops_on_failure || op.call == Call::kSetStreamFailureMode) {
      shared.push_back(kFirstContext + used.context);
    }
    // Calls on its streams, also destroyed ones, must have returned: later ones may be refused.
    if (op.call == Call::kSetStreamFailureMode) add_streams_of(used.context, shared);
  }
  if (uses_slot(op, Call::kCreateEvent, Call::kQueryEventStatus, kEvents)) {
    shared.push_back(kFirstEvent + op.slot);
  }
  if (uses_slot(op, Call::kCreateNotify, Call::kNotifyBatchReset, kNotifies)) {
    shared.push_back(kFirstNotify + op.slot);
  }
  if (op.call == Call::kSetCurrentContext && op.slot >= 0) {
    shared.push_back(kFirstContext + op.slot);
  }
  return shared;
}

void Model::add_streams_of(int context, std::vector<int>& shared) const {
  for (int i = 0; i < kAllStreams; ++i) {
    if (stream(i).context == context) shared.push_back(i);
  }
}

// Copies only read what they need to know about a buffer or the process.
bool Model::is_reader(const Operation& op, int shared) {
  if (shared == kFence) return !is_fence(op.call);
  return shared >= kFirstBuffer &&
         (op.call <= Call::kMemsetD32Async || op.call >= Call::kStoreAddress ||
          is_between(op.call, Call::kLaunchHostFunc, Call::kLaunchCallback));
}

void Model::acquire(const std::array<Use, kThreads>& uses) {
  for (size_t i = 0; i < kThreads; ++i) {
    if (!uses[i].is_made || static_cast<int>(i) == thread_) continue;
    join(thread_, uses[i].clock);
    prediction_.after.push_back(uses[i].operation);
  }
}

void Model::release(const Operation& op, const std::vector<int>& shared) {
  const Use use{.operation = operations_, .is_made = true, .clock = clock(thread_)};
  for (const int each : shared) {
    Shared& used = shared_[static_cast<size_t>(each)];
    (is_reader(op, each) ? used.reads : used.changes)[static_cast<size_t>(thread_)] = use;
  }
  latest_[static_cast<size_t>(thread_)] = ++operations_;
}

void Model::join(int actor, const Clock& known) {
  Clock& mine = clock(actor);
  for (size_t i = 0; i < kActors; ++i)
    mine[i] = std::max(mine[i], known[i]);
}

bool Model::knows(int actor, int other, uint32_t time) const {
  return clocks_[static_cast<size_t>(actor)][static_cast<size_t>(other)] >= time;
}

// Whether the calling thread knows that the stream has no work left.
bool Model::is_idle(int stream) const {
  const auto actor = static_cast<size_t>(actor_of(stream));
  return knows(thread_, static_cast<int>(actor), clocks_[actor][actor]);
}

int Model::begin_call() {
  ++clock(thread_)[static_cast<size_t>(thread_)];
  return thread_;
}

int Model::begin_task(int stream) {
  require(!is_blocked(stream));
  const Context& owner = context_of_stream(stream);
  if (owner.has_stopped) throw Refused{};
  if (owner.failing != kNull) {
    // Only behind the task that fails is it certain that nothing runs.
    require(owner.failing == stream && call_ <= Call::kMemsetD32Async);
    prediction_.other_code = ACL_ERROR_RT_TS_ERROR;
    is_dropped_ = true;
  }
  const int actor = actor_of(stream);
  join(actor, clock(thread_));
  ++clock(actor)[static_cast<size_t>(actor)];
  return actor;
}

// Queues a record, and returns what is known to be complete once it is reached. The stream itself
// may still have to finish the record then.
Clock Model::record_task(int stream) {
  const int actor = begin_task(stream);
  const Clock reached = clock(actor);
  ++clock(actor)[static_cast<size_t>(actor)];
  return reached;
}

void Model::wait_for(int stream) {
  require(!is_blocked(stream));
  join(thread_, clock(actor_of(stream)));
}

Model::StreamRef Model::stream_of(const Operation& op) const {
  if (op.stream == kGarbage) return {.handle = Handle::kInvalid};
  if (op.stream >= 0 && stream(op.stream).life == Life::kDead) return {.handle = Handle::kInvalid};
  if (op.stream >= 0 && stream(op.stream).life == Life::kAlive) {
    return {.handle = Handle::kValid, .index = op.stream};
  }
  const int context = context_of(op.thread);
  return {.handle = Handle::kNull, .index = context == kNull ? kNull : kStreams + context};
}

int Model::device() const {
  return context(context_of(thread_)).device;
}

bool Model::is_of_other_context(const StreamRef& ref) const {
  return stream(ref.index).context != context_of(thread_);
}

int Model::device_of(const StreamRef& ref) const {
  return context(stream(ref.index).context).device;
}

std::optional<std::vector<Prediction>> predict(const Program& program) {
  Model model;
  std::vector<Prediction> predictions;
  for (const Operation& op : program) {
    std::optional<Prediction> prediction = model.apply(op);
    if (!prediction) return std::nullopt;
    predictions.push_back(std::move(*prediction));
  }
  if (!model.is_complete()) return std::nullopt;
  return predictions;
}

}  // namespace stress
