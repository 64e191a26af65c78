// SPDX-License-Identifier: Apache-2.0
// Markers and flags. Parked queues are woken with the lock held: a queue unparks itself under the
// same lock before it is destroyed.
#include "backends/cuda/queue/marker.h"

#include "backends/cuda/queue/polling.h"
#include "backends/cuda/queue/queue.h"

#include "acl/error_codes/rt_error_codes.h"

#include <algorithm>
#include <utility>

namespace ferry::cuda {
namespace {

Trouble ended_with(int code) {
  return {.code = code, .text = "what the work waits for was ended by the host with a failure"};
}

}  // namespace

// ---- markers ----

void Marker::release() {
  if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
}

void Marker::leave_waiting(State state) {
  state_ = state;
  for (Queue* queue : parked_)
    queue->wake();
  parked_.clear();
  changed_.notify_all();
}

void Marker::set_point(std::unique_ptr<Point> point) {
  const std::lock_guard lock(mutex_);
  if (state_ != State::kWaiting) return;
  point_ = std::move(point);
  leave_waiting(State::kOnLine);
}

void Marker::drop() {
  const std::lock_guard lock(mutex_);
  if (state_ == State::kWaiting) leave_waiting(State::kDropped);
}

void Marker::finish(int code) {
  const std::lock_guard lock(mutex_);
  if (state_ != State::kWaiting) return;
  failure_ = code;
  // The clock from which devices count, too.
  finished_at_ = static_cast<uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch())
          .count());
  leave_waiting(code == 0 ? State::kReached : State::kFailed);
}

Trouble Marker::ask(State& state) {
  Trouble trouble;
  const std::lock_guard lock(mutex_);
  if (state_ == State::kOnLine) {
    bool is_passed = false;
    trouble = point_->query(is_passed);
    if (is_passed || !trouble.ok()) state_ = State::kReached;
  }
  state = state_;
  return state_ == State::kFailed ? ended_with(failure_) : trouble;
}

bool Marker::park(Queue& queue) {
  const std::lock_guard lock(mutex_);
  if (state_ != State::kWaiting) return false;
  if (std::find(parked_.begin(), parked_.end(), &queue) == parked_.end()) parked_.push_back(&queue);
  return true;
}

void Marker::unpark(Queue& queue) {
  const std::lock_guard lock(mutex_);
  std::erase(parked_, &queue);
}

int Marker::synchronize(int64_t timeout) {
  const Clock::time_point deadline = deadline_after(timeout);
  {
    std::unique_lock lock(mutex_);
    const auto has_left = [&] { return state_ != State::kWaiting; };
    if (deadline == Clock::time_point::max()) {
      changed_.wait(lock, has_left);
    } else if (!changed_.wait_until(lock, deadline, has_left)) {
      return ACL_ERROR_RT_EVENT_SYNC_TIMEOUT;
    }
    if (state_ == State::kDropped) return ACL_ERROR_RT_STREAM_ABORT;
    if (state_ == State::kReached) return ACL_RT_SUCCESS;
    if (state_ == State::kFailed) return fail(ended_with(failure_));
  }
  if (deadline == Clock::time_point::max()) return fail(point_->synchronize());
  State state = State::kOnLine;
  Trouble trouble;
  const bool is_reached = poll_until(deadline, [&] {
    trouble = ask(state);
    return state != State::kOnLine;
  });
  if (!trouble.ok()) return fail(trouble);
  return is_reached ? ACL_RT_SUCCESS : ACL_ERROR_RT_EVENT_SYNC_TIMEOUT;
}

int Marker::nanoseconds(uint64_t& time) {
  State state = State::kWaiting;
  Trouble trouble = ask(state);
  time = finished_at_;
  if (trouble.ok() && state == State::kReached && point_ != nullptr) {
    trouble = point_->nanoseconds(time);
  }
  return fail(trouble);
}

// ---- flags ----

void Flag::release() {
  if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
}

void Flag::set() {
  const std::lock_guard lock(mutex_);
  is_set_ = true;
  // Wakes all: the first queue may drop its task before it runs. Queues that find the flag taken
  // stay parked.
  for (Queue* queue : parked_)
    queue->wake();
}

void Flag::clear() {
  const std::lock_guard lock(mutex_);
  is_set_ = false;
}

bool Flag::take_or_park(Queue& queue) {
  const std::lock_guard lock(mutex_);
  if (std::exchange(is_set_, false)) {
    std::erase(parked_, &queue);
    return true;
  }
  if (std::find(parked_.begin(), parked_.end(), &queue) == parked_.end()) parked_.push_back(&queue);
  return false;
}

void Flag::unpark(Queue& queue) {
  const std::lock_guard lock(mutex_);
  std::erase(parked_, &queue);
}

}  // namespace ferry::cuda
