// SPDX-License-Identifier: Apache-2.0
// While the gate is open, a call adds to one counter and reads one flag.
#include "base/call_gate.h"

#include <unistd.h>

namespace ferry {
namespace {

thread_local int calls_of_thread = 0;

// Differs between threads that exist at the same time.
const void* this_thread() {
  return &calls_of_thread;
}

}  // namespace

CallGate& CallGate::instance() {
  static auto* gate = new CallGate;
  return *gate;
}

void CallGate::enter() {
  if (calls_of_thread++ > 0) return;
  while (true) {
    inside_.fetch_add(1, std::memory_order_seq_cst);
    if (!is_closed_.load(std::memory_order_seq_cst)) return;
    {
      const std::lock_guard lock(mutex_);
      if (!is_closed_for_this_thread()) return;
      inside_.fetch_sub(1, std::memory_order_seq_cst);
    }
    changed_.notify_all();  // the thread that closed the gate may be waiting for this one
    wait_until_open();
  }
}

void CallGate::leave() {
  if (--calls_of_thread > 0) return;
  inside_.fetch_sub(1, std::memory_order_seq_cst);
  if (!is_closed_.load(std::memory_order_seq_cst)) return;
  // The lock orders the notification behind the look at inside_ before the wait.
  { const std::lock_guard lock(mutex_); }
  changed_.notify_all();
}

void CallGate::close() {
  const std::lock_guard lock(mutex_);
  owner_ = this_thread();
  process_ = getpid();
  is_closed_.store(true, std::memory_order_seq_cst);
}

void CallGate::open() {
  {
    const std::lock_guard lock(mutex_);
    is_closed_.store(false, std::memory_order_seq_cst);
  }
  changed_.notify_all();
}

bool CallGate::wait_until_empty(std::chrono::steady_clock::time_point deadline) {
  // A callback inside a call of this thread may have brought it here.
  const int64_t own = calls_of_thread > 0 ? 1 : 0;
  std::unique_lock lock(mutex_);
  return changed_.wait_until(lock, deadline,
                             [&] { return inside_.load(std::memory_order_seq_cst) <= own; });
}

bool CallGate::is_closed_for_this_thread() const {
  return is_closed_.load(std::memory_order_seq_cst) && owner_ != this_thread() &&
         process_ == getpid();
}

void CallGate::wait_until_open() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !is_closed_for_this_thread(); });
}

}  // namespace ferry
