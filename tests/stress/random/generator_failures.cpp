// SPDX-License-Identifier: Apache-2.0
// Work that is dropped, waits that cannot end, and contexts that stop after a failure.
#include "generator.h"

namespace stress {

namespace {

constexpr size_t kLongestLimit = 3;  // milliseconds

}  // namespace

// Copies that may have run or not when their stream is aborted or destroyed.
void Generator::drop_work() {
  const int thread = pick_thread();
  const int stream = pick_stream(thread);
  for (size_t i = pick(3); i > 0; --i)
    copy_on(thread, stream);
  add({.call = one_in(3) ? Call::kDestroyStreamForce : Call::kStreamAbort,
       .thread = thread,
       .stream = stream});
}

// Ends the wait of a stream.
bool Generator::add_drop(int stream) {
  const int thread = thread_in(model_.stream(stream).context);
  if (thread == kNull) return false;
  return propose({.call = one_in(3) ? Call::kDestroyStreamForce : Call::kStreamAbort,
                  .thread = thread,
                  .stream = stream});
}

// A stream waits for what never comes. Limited waits for it end, and then it is aborted.
void Generator::wait_in_vain() {
  Operation op = on_thread(one_in(3) ? Call::kStreamWaitEvent : Call::kWaitAndResetNotify);
  if (op.stream < 0) return;
  op.slot = static_cast<int>(pick(op.call == Call::kStreamWaitEvent ? kEvents : kNotifies));
  const Model model_before = model_;
  const Program program_before = program_;
  if (!propose(op) || model_.is_complete()) return;
  if (one_in(2)) copy();
  const auto limit = static_cast<int32_t>(1 + pick(kLongestLimit));
  if (one_in(2)) {
    propose({.call = Call::kSynchronizeStreamWithTimeout,
             .thread = pick_thread(),
             .stream = op.stream,
             .value = limit});
  }
  if (one_in(4)) {
    propose({.call = Call::kSynchronizeDeviceWithTimeout, .thread = op.thread, .value = limit});
  }
  add_drop(op.stream);
  if (!model_.is_complete()) {
    model_ = model_before;
    program_ = program_before;
    return;
  }
  if (one_in(2)) copy_on(op.thread, op.stream);
}

// The thread's context, or a new one with a stream if it uses that of a device.
int Generator::enter_context(int thread) {
  const int current = model_.context_of(thread);
  if (current >= kDevices) return current;
  const int free = pick_slot(
      kContexts, [&](int slot) { return model_.context(slot).life != Model::Life::kAlive; });
  if (free == kNull || !propose({.call = Call::kCreateContext,
                                 .thread = thread,
                                 .slot = free,
                                 .value = device_of(thread)})) {
    return kNull;
  }
  const int slot = pick_slot(
      kStreams, [&](int each) { return model_.stream(each).life != Model::Life::kAlive; });
  if (slot != kNull) propose({.call = Call::kCreateStream, .thread = thread, .stream = slot});
  return free;
}

// A task that leaves its memory. In a context that stops, it has to be behind all other work.
void Generator::fail_on(int thread, int stream) {
  const int context = model_.context_of(thread);
  const bool stops = model_.context(context).stops_on_failure;
  for (int slot = 0; stops && slot < kStreams; ++slot) {
    const Model::Stream& other = model_.stream(slot);
    if (other.life != Model::Life::kAlive || other.context != context) continue;
    propose({.call = Call::kSynchronizeStream, .thread = thread, .stream = slot});
  }
  if (stops) propose({.call = Call::kSynchronizeStream, .thread = thread});
  const int buffer = pick_device_buffer(device_of(thread));
  if (buffer == kNull) return;
  const size_t inside = pick_size(capacity(buffer));
  add({.call = Call::kMemsetAsync,
       .thread = thread,
       .stream = stream,
       .dst = {buffer, capacity(buffer) - inside},
       .dest_max = inside + kBeyond,
       .count = inside + kBeyond,
       .value = static_cast<int32_t>(pick(256))});
}

// A failure, calls behind it, and who is told of it. In half of the cases it stops its context, in
// which the program then goes on.
void Generator::fail_work() {
  const int thread = pick_thread();
  if (arguments_ == Arguments::kValid || model_.context_of(thread) == kNull) return;
  if (one_in(2) && enter_context(thread) != kNull) {
    add({.call = Call::kSetStreamFailureMode,
         .thread = thread,
         .stream = pick_stream(thread),
         .value = static_cast<int32_t>(one_in(8) ? ACL_CONTINUE_ON_FAILURE : ACL_STOP_ON_FAILURE)});
  }
  const int stream = pick_stream(thread);
  fail_on(thread, stream);
  for (size_t i = pick(3); i > 0; --i)
    copy_on(thread, stream);
  if (one_in(2)) propose({.call = Call::kSynchronizeDevice, .thread = thread});
  if (one_in(4)) release();
  for (size_t i = pick(3); i > 0; --i)
    propose({.call = Call::kSynchronizeStream, .thread = thread, .stream = stream});
  if (one_in(2)) copy_on(thread, pick_stream(thread));
  if (one_in(4)) change_context();
}

}  // namespace stress
