// SPDX-License-Identifier: Apache-2.0
// Markers and flags. Parked queues are resumed with the lock held: a queue that is destroyed first
// removes itself under the same lock.
#include "backends/cpu/marker.h"

#include "backends/cpu/queue.h"
#include "base/helping.h"
#include "base/pause.h"
#include "base/program_wait.h"

#include "acl/error_codes/rt_error_codes.h"

#include <algorithm>
#include <optional>

using ferry::cpu::Clock;
using ferry::cpu::ParkedQueue;
using ferry::cpu::ParkedQueues;
using ferry::cpu::Queue;
using ferry::cpu::QueuedTask;
using ferry::cpu::sync::Lock;

namespace {

auto is_entry_of(const Queue& queue, uint64_t token) {
  return [&queue, token](const ParkedQueue& parked) {
    return parked.queue == &queue && parked.token == token;
  };
}

uint64_t now_in_nanoseconds() {
  const auto since_start = Clock::now().time_since_epoch();
  return static_cast<uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(since_start).count());
}

}  // namespace

void ferryx_marker::release() {
  if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
}

void ferryx_marker::set_source(const QueuedTask& source) {
  const Lock lock(mutex_);
  if (state_ != State::kWaiting) return;
  source_ = source;
  if (!parked_.empty()) demand_source();
}

void ferryx_marker::demand_source() {
  // The queue is alive: its task reaches or drops the marker, under this lock, before the queue can
  // be destroyed.
  if (source_.queue != nullptr) source_.queue->allow(source_.sequence);
}

void ferryx_marker::finish(State state) {
  {
    const Lock lock(mutex_);
    if (state_ != State::kWaiting) return;
    end(state);
    for (const ParkedQueue& parked : parked_)
      parked.queue->resume(parked.token);
    parked_.clear();
  }
  if (engine_.shuffles()) engine_.note_change();
}

void ferryx_marker::end(State state) {
  state_ = state;
  nanoseconds_ = now_in_nanoseconds();
  source_ = {};
  changed_.notify_all();
}

void ferryx_marker::reach() {
  finish(State::kReached);
}

void ferryx_marker::drop() {
  finish(State::kDropped);
}

// Failures are reported to the runtime, so without the lock. The queues are entered with it held:
// those that are destroyed meanwhile wait until this thread has left them.
void ferryx_marker::fail(int code) {
  ParkedQueues parked;
  {
    const Lock lock(mutex_);
    if (state_ != State::kWaiting) return;
    failure_ = code;
    end(State::kFailed);
    parked.swap(parked_);
    for (const ParkedQueue& each : parked)
      each.queue->enter();
  }
  for (const ParkedQueue& each : parked) {
    each.queue->fail_parked(each.token, code, Queue::kFailedMarker);
    each.queue->leave();
  }
  if (engine_.shuffles()) engine_.note_change();
}

bool ferryx_marker::park(ParkedQueues& entry) {
  const Lock lock(mutex_);
  if (state_ != State::kWaiting) return false;
  parked_.splice(parked_.end(), entry);
  demand_source();
  return true;
}

void ferryx_marker::unpark(Queue& queue, uint64_t token) {
  const Lock lock(mutex_);
  std::erase_if(parked_, is_entry_of(queue, token));
}

Queue* ferryx_marker::enter_source() {
  const Lock lock(mutex_);
  if (state_ != State::kWaiting || source_.queue == nullptr) return nullptr;
  source_.queue->enter();
  return source_.queue;
}

bool ferryx_marker::run_source(int depth) {
  constexpr int kLongestChain = 16;
  Queue* const source = depth < kLongestChain ? enter_source() : nullptr;
  if (source == nullptr) return false;
  const bool has_run = source->run_some() != Queue::Ran::kNothing || source->run_awaited(depth + 1);
  source->leave();
  return has_run;
}

// Until the marker is reached, the time is over, or there is nothing that this thread could do.
void ferryx_marker::help(Clock::time_point deadline) {
  const auto helps = [&] {
    return Clock::now() < deadline && !is_over() && (run_source(0) || ferry::help_along());
  };
  Queue* const source = enter_source();
  {
    std::optional<Queue::Helping> helping;
    if (source != nullptr) helping.emplace(*source);
    while (helps()) {
    }
  }
  if (source != nullptr) source->leave();
}

bool ferryx_marker::is_over() {
  const Lock lock(mutex_);
  return state_ != State::kWaiting;
}

bool ferryx_marker::query() {
  const Lock lock(mutex_);
  if (state_ != State::kWaiting) return true;
  // A second query means that the program is waiting.
  if (++unready_queries_ >= 2) demand_source();
  return false;
}

int ferryx_marker::failure() {
  const Lock lock(mutex_);
  return failure_;
}

int ferryx_marker::synchronize(int64_t timeout) {
  const Clock::time_point deadline = ferry::cpu::deadline_after(timeout);
  const auto is_over_now = [this] { return is_over(); };
  if (engine_.shuffles()) {
    engine_.run_until(is_over_now, deadline);
  } else {
    {
      const Lock lock(mutex_);
      demand_source();
    }
    help(deadline);
    ferry::poll_for_a_while(is_over_now);
  }
  if (!is_over_now()) {
    const ferry::ProgramWait program_wait;
    Lock lock(mutex_);
    const auto has_ended = [&] { return state_ != State::kWaiting; };
    if (deadline == Clock::time_point::max()) {
      changed_.wait(lock, has_ended);
    } else {
      changed_.wait_until(lock, deadline, has_ended);
    }
  }
  const Lock lock(mutex_);
  switch (state_) {
    case State::kReached:
      return ACL_RT_SUCCESS;
    case State::kDropped:
      return ACL_ERROR_RT_STREAM_ABORT;
    case State::kFailed:
      return failure_;
    case State::kWaiting:
      break;
  }
  return ACL_ERROR_RT_EVENT_SYNC_TIMEOUT;
}

uint64_t ferryx_marker::nanoseconds() {
  const Lock lock(mutex_);
  return nanoseconds_;
}

void ferryx_flag::release() {
  if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
}

void ferryx_flag::add_setter(Queue& queue) {
  const Lock lock(mutex_);
  setters_.push_back(&queue);
}

void ferryx_flag::remove_setter(Queue& queue) {
  const Lock lock(mutex_);
  const auto found = std::find(setters_.begin(), setters_.end(), &queue);
  if (found != setters_.end()) setters_.erase(found);
}

void ferryx_flag::demand_setters() {
  const Lock lock(mutex_);
  if (parked_.empty()) return;
  // The setters are alive: they are listed until their tasks are done.
  for (Queue* setter : setters_)
    setter->allow_all();
}

void ferryx_flag::set() {
  const Lock lock(mutex_);
  while (!parked_.empty()) {
    const ParkedQueue first = parked_.front();
    parked_.pop_front();
    if (first.queue->resume(first.token)) return;  // it has taken the flag
  }
  is_set_ = true;
}

void ferryx_flag::clear() {
  const Lock lock(mutex_);
  is_set_ = false;
}

bool ferryx_flag::park(ParkedQueues& entry) {
  {
    const Lock lock(mutex_);
    if (is_set_) {
      is_set_ = false;
      return false;
    }
    parked_.splice(parked_.end(), entry);
  }
  demand_setters();
  return true;
}

void ferryx_flag::unpark(Queue& queue, uint64_t token) {
  const Lock lock(mutex_);
  std::erase_if(parked_, is_entry_of(queue, token));
}
