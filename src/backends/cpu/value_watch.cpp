// SPDX-License-Identifier: Apache-2.0
// Waiting for values in device memory.
#include "backends/cpu/value_watch.h"

#include "backends/cpu/memory_use.h"
#include "backends/cpu/queue.h"
#include "base/fault_trap.h"
#include "base/live_memory.h"
#include "base/pause.h"
#include "base/thread.h"

#include "acl/acl_base_rt.h"
#include "acl/error_codes/rt_error_codes.h"

#include <algorithm>
#include <new>
#include <string>

namespace ferry::cpu {
namespace {

// The program may store the value in any way, also with a copy: for a sanitizer that is a race with
// these accesses. Between two queues the lock of the watch makes the order.
__attribute__((no_sanitize("thread"))) uint64_t load_value(const void* storage) {
  return __atomic_load_n(static_cast<const uint64_t*>(storage), __ATOMIC_ACQUIRE);
}
__attribute__((no_sanitize("thread"))) void store_value(void* storage, uint64_t value) {
  __atomic_store_n(static_cast<uint64_t*>(storage), value, __ATOMIC_RELEASE);
}

bool satisfies(uint64_t present, const ferryx_value& awaited) {
  switch (awaited.comparison) {
    case FERRYX_AT_LEAST:
      return static_cast<int64_t>(present - awaited.value) >= 0;
    case FERRYX_EQUAL:
      return present == awaited.value;
    case FERRYX_ANY_BIT:
      return (present & awaited.value) != 0;
    default:
      return ~(present | awaited.value) != 0;
  }
}

}  // namespace

int ValueWatch::start() {
  const sync::Lock lock = lock_soon(mutex_);
  if (is_started_) return ACL_SUCCESS;
  const Status started = start_thread("ferry-values", [this] { serve(); });
  is_started_ = started.ok();
  return started.code();
}

const void* ValueWatch::write(const ferryx_value& written) {
  const sync::Lock lock = lock_soon(mutex_);
  const void* const fault = catch_fault([&](FaultTrap& trap) {
    trap.expect(written.storage, written.storage, sizeof written.value);
    store_value(written.storage, written.value);
  });
  if (fault != nullptr) return fault;
  std::erase_if(parked_, [&](const ParkedQueue& parked) {
    const bool ends =
        parked.awaited.address == written.address && satisfies(written.value, parked.awaited);
    if (ends) parked.queue->resume(parked.token);
    return ends;
  });
  return nullptr;
}

ValueWatch::Answer ValueWatch::look_at(const ferryx_value& awaited) {
  const void* const storage = live_storage(*services, awaited.address, sizeof awaited.value);
  if (storage == nullptr) return Answer::kGone;
  uint64_t present = 0;
  const void* const fault = catch_fault([&](FaultTrap& trap) {
    trap.expect(storage, storage, sizeof present);
    present = load_value(storage);
  });
  if (fault != nullptr) return Answer::kGone;
  return satisfies(present, awaited) ? Answer::kSatisfied : Answer::kWaits;
}

ValueWatch::Answer ValueWatch::park(ParkedQueues& entry) {
  const void* const address = entry.front().awaited.address;
  {
    const DirectUse use;
    const sync::Lock lock = lock_soon(mutex_);
    const Answer answer = look_at(entry.front().awaited);
    if (answer != Answer::kWaits) return answer;
    parked_.splice(parked_.end(), entry);
    pause_ = kShortestPause;
    changed_.notify_one();
  }
  demand_writers(address);
  return Answer::kWaits;
}

void ValueWatch::unpark(Queue& queue, uint64_t token) {
  const sync::Lock lock = lock_soon(mutex_);
  std::erase_if(parked_, [&](const ParkedQueue& parked) {
    return parked.queue == &queue && parked.token == token;
  });
}

void ValueWatch::add_writer(Queue& queue, const void* address) {
  const sync::Lock lock = lock_soon(mutex_);
  writers_.push_back({.queue = &queue, .address = address});
}

void ValueWatch::remove_writer(Queue& queue, const void* address) {
  const sync::Lock lock = lock_soon(mutex_);
  const auto found = std::find_if(writers_.begin(), writers_.end(), [&](const Writer& writer) {
    return writer.queue == &queue && writer.address == address;
  });
  if (found != writers_.end()) writers_.erase(found);
}

void ValueWatch::demand_writers(const void* address) {
  const sync::Lock lock = lock_soon(mutex_);
  const bool is_awaited = std::any_of(parked_.begin(), parked_.end(), [&](const auto& parked) {
    return parked.awaited.address == address;
  });
  if (!is_awaited) return;
  // The writers are alive: they are listed until their tasks are done.
  for (const Writer& writer : writers_) {
    if (writer.address == address) writer.queue->allow_all();
  }
}

bool ValueWatch::look() {
  bool has_ended = false;
  ParkedQueue gone;
  {
    const DirectUse use;
    const sync::Lock lock = lock_soon(mutex_);
    std::erase_if(parked_, [&](const ParkedQueue& parked) {
      const Answer answer = look_at(parked.awaited);
      if (answer == Answer::kGone && gone.queue == nullptr) gone = parked;
      if (answer != Answer::kSatisfied) return false;
      parked.queue->resume(parked.token);
      return has_ended = true;
    });
    // A queue that is destroyed meanwhile waits until this thread has left it.
    if (gone.queue != nullptr) gone.queue->enter();
  }
  if (gone.queue == nullptr) return has_ended;
  // Without the lock: the failure is reported to the runtime. A queue that is still being parked
  // stays listed, and the next look fails it.
  has_ended |= gone.queue->fail_gone_value(gone.token);
  gone.queue->leave();
  return has_ended;
}

void ValueWatch::serve() {
  for (;;) {
    {
      sync::Lock lock(mutex_);
      changed_.wait(lock, [&] { return !parked_.empty(); });
      changed_.wait_until(lock, Clock::now() + pause_);
    }
    const bool has_ended = look();
    const sync::Lock lock = lock_soon(mutex_);
    pause_ = has_ended ? kShortestPause : std::min(2 * pause_, kLongestPause);
  }
}

}  // namespace ferry::cpu
