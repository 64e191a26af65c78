// SPDX-License-Identifier: Apache-2.0
// The frame of the generator: objects first, random operations, and the comparison of every byte.
#include "generator.h"

#include "calls.h"

#include <algorithm>

namespace stress {

namespace {

constexpr int kAttempts = 6;

}  // namespace

Program generate(uint64_t seed, Arguments arguments) {
  return Generator(seed, arguments).run();
}

Generator::Generator(uint64_t seed, Arguments arguments) : random_(seed), arguments_(arguments) {}

Program Generator::run() {
  set_up();
  const size_t steps = 20 + pick(60);
  for (size_t i = 0; i < steps; ++i)
    step();
  finish();
  return program_;
}

// Appends the operation if the model can predict it.
bool Generator::propose(const Operation& op) {
  Model trial = model_;
  const std::optional<Prediction> prediction = trial.apply(op);
  const bool is_refused = prediction && prediction->code != ACL_SUCCESS;
  if (!prediction || (is_refused && arguments_ == Arguments::kValid)) {
    conflict_ = trial.conflict();
    return false;
  }
  model_ = std::move(trial);
  program_.push_back(op);
  return true;
}

bool Generator::add(Operation op) {
  if (arguments_ == Arguments::kAlsoInvalid && is_api_call(op.call) && one_in(6)) corrupt(op);
  for (int i = 0; i < kAttempts; ++i) {
    if (propose(op)) return true;
    if (conflict_ == kNull || !order(op, conflict_)) return false;
  }
  return false;
}

// Lets the operation come after what the actor did so far.
bool Generator::order(const Operation& op, int conflict) {
  if (conflict < kThreads) return propose({.call = Call::kMeet, .thread = op.thread});
  const int stream = conflict - kThreads;
  if (model_.stream(stream).life != Model::Life::kAlive) {
    return propose({.call = Call::kMeet, .thread = op.thread});
  }
  const bool is_queued = is_between(op.call, Call::kMemcpy, Call::kMemsetD32Async) ||
                         op.call == Call::kLaunchHostFunc || op.call == Call::kLaunchCallback;
  // A record that is refused would leave the wait without an end.
  const bool can_record = model_.context(model_.stream(stream).context).failing == kNull;
  if (is_queued && can_record && one_in(2) && order_by_event(op, stream)) return true;
  if (is_queued && can_record && one_in(2) && order_by_notify(op, stream)) return true;
  return order_by_wait(op, stream);
}

bool Generator::order_by_event(const Operation& op, int stream) {
  const int recorder = thread_in(model_.stream(stream).context);
  const int event = pick_slot(kEvents, [&](int slot) {
    return model_.event(slot).life == Model::Life::kAlive &&
           (model_.event(slot).flags & ACL_EVENT_SYNC) != 0;
  });
  if (recorder == kNull || event == kNull) return false;
  const int handle = stream < kStreams ? stream : kNull;
  return propose(
             {.call = Call::kRecordEvent, .thread = recorder, .slot = event, .stream = handle}) &&
         propose({.call = Call::kStreamWaitEvent,
                  .thread = op.thread,
                  .slot = event,
                  .stream = op.stream});
}

bool Generator::order_by_notify(const Operation& op, int stream) {
  const int recorder = thread_in(model_.stream(stream).context);
  const int notify = pick_slot(kNotifies, [&](int slot) {
    return model_.notify(slot).life == Model::Life::kAlive && !model_.notify(slot).is_signalled;
  });
  if (recorder == kNull || notify == kNull) return false;
  const int handle = stream < kStreams ? stream : kNull;
  const Model before = model_;
  if (!propose(
          {.call = Call::kRecordNotify, .thread = recorder, .slot = notify, .stream = handle})) {
    return false;
  }
  if (propose({.call = Call::kWaitAndResetNotify,
               .thread = op.thread,
               .slot = notify,
               .stream = op.stream})) {
    return true;
  }
  model_ = before;
  program_.pop_back();
  return false;
}

bool Generator::order_by_wait(const Operation& op, int stream) {
  if (stream < kStreams && model_.context_of(op.thread) != kNull) {
    return propose({.call = Call::kSynchronizeStream, .thread = op.thread, .stream = stream});
  }
  const int waiter = thread_in(model_.stream(stream).context);
  const int handle = stream < kStreams ? stream : kNull;
  return waiter != kNull &&
         propose({.call = Call::kSynchronizeStream, .thread = waiter, .stream = handle}) &&
         propose({.call = Call::kMeet, .thread = op.thread});
}

// Makes one argument wrong, or at least unusual. The model knows what the call must return.
void Generator::corrupt(Operation& op) {
  switch (pick(14)) {
    case 0:
      op.dst = {};
      return;
    case 1:
      op.src = {};
      return;
    case 2:
      op.count = 0;
      return;
    case 3:
      op.dest_max = op.count == 0 ? 0 : pick(op.count);
      return;
    case 4:
      op.kind = static_cast<int>(pick(10)) - 1;
      return;
    case 5:
      op.stream = one_in(2) ? kGarbage : static_cast<int>(pick(kStreams));
      return;
    case 6:
      op.thread = static_cast<int>(pick(kThreads));
      return;
    case 7:
      if (op.slot >= 0) op.slot = one_in(4) ? kNull : static_cast<int>(pick(4));
      return;
    case 8:
      op.value = static_cast<int32_t>(pick(40)) - 3;
      return;
    case 9:
      op.count += kBeyond;
      op.dest_max += kBeyond;
      return;
    case 10:
      op.dst_step = one_in(2) ? pick(op.dst_step + 1) : op.dst_step + 1 + pick(40);
      return;
    case 11:
      op.height = one_in(2) ? 0 : 5242881;
      return;
    case 12:
      op.missing = 1U << pick(7);
      return;
    default:
      if (op.items.empty()) return;
      Item& item = op.items[pick(op.items.size())];
      switch (pick(7)) {
        case 0:
          item.dst = {};
          return;
        case 1:
          item.src = {};
          return;
        case 2:
          item.size = 0;
          return;
        case 3:
          item.dest_max = item.size - 1;
          return;
        case 4:
          std::swap(item.dst, item.src);
          return;
        case 5:
          item.size += kBeyond;
          item.dest_max += kBeyond;
          return;
        default:
          if (op.attributes.empty()) return;
          Attribute& attribute = op.attributes[pick(op.attributes.size())];
          attribute.first += pick(2);
          attribute.reserved = static_cast<uint8_t>(pick(2));
          attribute.dst.type = static_cast<aclrtMemLocationType>(pick(5));
          attribute.dst.id = static_cast<uint32_t>(pick(3));
      }
  }
}

int Generator::pick_thread() {
  return static_cast<int>(pick(kThreads));
}

// A thread whose current context it is, or none.
int Generator::thread_in(int context) const {
  for (int thread = 0; thread < kThreads; ++thread) {
    if (model_.context_of(thread) == context) return thread;
  }
  return kNull;
}

// Mostly a stream of the thread's context, else its default stream.
int Generator::pick_stream(int thread) {
  if (one_in(8)) return kNull;
  return pick_slot(kStreams, [&](int slot) {
    const Model::Stream& stream = model_.stream(slot);
    return stream.life == Model::Life::kAlive && stream.context == model_.context_of(thread) &&
           stream.blocking_event == kNull && stream.blocking_notify == kNull;
  });
}

int Generator::pick_device_buffer(int device) {
  return pick_slot(kBuffers, [&](int slot) {
    return model_.buffer(slot).memory == Memory::kDevice && model_.buffer(slot).device == device;
  });
}

int Generator::pick_host_buffer() {
  return pick_slot(kBuffers,
                   [&](int slot) { return model_.buffer(slot).memory >= Memory::kPinned; });
}

size_t Generator::pick_size(size_t capacity) {
  return 1 + pick(std::min(capacity, one_in(4) ? capacity : size_t{200}));
}

Place Generator::pick_place(int buffer, size_t size) {
  return {buffer, pick(capacity(buffer) - size + 1)};
}

Operation Generator::on_thread(Call call) {
  Operation op{.call = call, .thread = pick_thread()};
  op.stream = pick_stream(op.thread);
  return op;
}

void Generator::set_up() {
  for (int thread = 0; thread < kThreads; ++thread) {
    if (arguments_ == Arguments::kAlsoInvalid && one_in(40)) continue;
    propose({.call = Call::kSetDevice,
             .thread = thread,
             .value = one_in(4) ? static_cast<int>(pick(kDevices)) : 0});
  }
  if (one_in(3)) change_context();
  for (int i = 0; i < 4; ++i)
    change_stream();
  for (int i = 0; i < 4; ++i)
    change_event();
  for (int i = 0; i < 2; ++i)
    change_notify();
  for (int i = 0; i < 8; ++i)
    allocate();
}

void Generator::step() {
  using Step = void (Generator::*)();
  constexpr std::pair<Step, size_t> kSteps[] = {
      {&Generator::copy, 12},          {&Generator::copy_now, 4},
      {&Generator::copy_rows, 4},      {&Generator::copy_batch, 8},
      {&Generator::copy_described, 3}, {&Generator::copy_offset, 2},
      {&Generator::fill, 5},           {&Generator::allocate, 2},
      {&Generator::release, 2},        {&Generator::register_host, 1},
      {&Generator::change_context, 1}, {&Generator::set_peer, 2},
      {&Generator::change_stream, 1},  {&Generator::synchronize, 5},
      {&Generator::change_event, 1},   {&Generator::record_event, 4},
      {&Generator::wait_event, 5},     {&Generator::query, 3},
      {&Generator::change_notify, 1},  {&Generator::signal_notify, 4},
      {&Generator::launch, 5},         {&Generator::touch_host, 3},
      {&Generator::compare, 3},        {&Generator::drop_work, 2},
      {&Generator::wait_in_vain, 2},   {&Generator::fail_work, 1}};
  size_t total = 0;
  for (const auto& [step, weight] : kSteps)
    total += weight;
  size_t chosen = pick(total);
  for (const auto& [step, weight] : kSteps) {
    if (chosen < weight) return (this->*step)();
    chosen -= weight;
  }
}

// Thread 0 waits for everything and compares all memory.
void Generator::finish() {
  for (int context = 0; context < kContexts; ++context) {
    if (model_.context(context).life != Model::Life::kAlive) continue;
    propose({.call = Call::kSetCurrentContext, .slot = context});
    propose({.call = Call::kSynchronizeStream});
  }
  propose({.call = Call::kSetDevice, .value = 0});
  for (int stream = 0; stream < kStreams; ++stream) {
    if (model_.stream(stream).life != Model::Life::kAlive) continue;
    propose({.call = Call::kSynchronizeStream, .stream = stream});
  }
  propose({.call = Call::kMeet});
  for (int device = 0; device < kDevices; ++device) {
    propose({.call = Call::kSetDevice, .value = device});
    for (int buffer = 0; buffer < kBuffers; ++buffer) {
      const Model::Buffer& memory = model_.buffer(buffer);
      if (memory.memory == Memory::kNone || memory.memory == Memory::kFreedDevice) continue;
      if (memory.device != device) continue;
      propose({.call = Call::kCompare, .dst = {buffer, 0}, .count = memory.capacity});
    }
  }
}

}  // namespace stress
