// SPDX-License-Identifier: Apache-2.0
// Queues that wait: for a marker or flag of another queue, a value, a callout or a device function.
// A parked queue occupies no thread; a token distinguishes the present parking from earlier ones.
#include "backends/cpu/function_threads.h"
#include "backends/cpu/marker.h"
#include "backends/cpu/queue.h"
#include "backends/cpu/value_watch.h"
#include "base/fixed_text.h"
#include "base/live_memory.h"
#include "base/pause.h"

#include "acl/error_codes/rt_error_codes.h"

#include <new>
#include <optional>
#include <utility>

namespace ferry::cpu {

void Link::finish() {
  Queue* failed = nullptr;
  {
    const sync::Lock lock(mutex);
    if (queue == nullptr) return;
    if (failure == ACL_RT_SUCCESS) {
      queue->resume(token);
      return;
    }
    failed = queue;
    failed->enter();
  }
  // Without the lock: this calls the runtime.
  const FixedText text("kernel %s failed with code %d", kernel.c_str(), failure);
  failed->await_parking(token);
  failed->fail_parked(token, failure, text.c_str());
  failed->leave();
}

Link::Link()
    : ferryx_callout{.done = [](ferryx_callout* callout) {
        const std::shared_ptr<Link> own = std::move(static_cast<Link*>(callout)->self);
        own->finish();
      }} {}

void Link::cut() {
  const sync::Lock lock(mutex);
  queue = nullptr;
}

// Invariant: while the state is kParking, the task stays at the front. So a callout has been
// started, or a flag taken, before a task behind it runs and before abort() returns.
void Queue::park(Task& task) {
  const std::optional<uint64_t> token = begin_parking();
  if (!token.has_value()) {
    discard(task);
    return finish_front();
  }
  int64_t timeout = FERRYX_FOREVER;
  if (task.marker() != nullptr) timeout = task.as.marker.timeout;
  if (task.flag() != nullptr) timeout = task.as.flag.timeout;
  if (begin_wait(task, *token) && end_parking()) {
    // From here on, another thread may complete the task and reuse it.
    if (timeout != FERRYX_FOREVER) limit_parking(timeout, *token);
    return;
  }
  unpark(task, *token);
  if (link_ != nullptr) link_->cut();  // while the state is kParking, only this thread uses link_
  if (task.kind == FERRYX_AWAIT) report_failed_marker(task);
  finish_front();
}

void Queue::report_failed_marker(Task& task) {
  const int code = task.marker()->failure();
  if (code == 0) return;
  {
    const Lock lock = lock_soon(mutex_);
    if (is_front_dropped_) return;
  }
  report(task, code, kFailedMarker);
}

std::optional<uint64_t> Queue::begin_parking() {
  const Lock lock = lock_soon(mutex_);
  if (is_front_dropped_) return {};
  state_ = State::kParking;
  is_resumed_ = false;
  return ++token_;
}

bool Queue::end_parking() {
  const Lock lock = lock_soon(mutex_);
  const bool waits = !is_resumed_ && !is_front_dropped_;
  if (waits) state_ = State::kParked;
  if (is_front_dropped_) tasks_.front()->begun_at = {};  // it is not reported
  if (std::exchange(is_parking_awaited_, false)) changed_.notify_all();
  return waits;
}

void Queue::await_parking(uint64_t token) {
  Lock lock(mutex_);
  changed_.wait(lock, [&] {
    const bool is_over = token_ != token || state_ != State::kParking || is_front_dropped_;
    if (!is_over) is_parking_awaited_ = true;
    return is_over;
  });
}

void Queue::limit_parking(int64_t timeout, uint64_t token) {
  try {
    engine_.time_out_at(deadline_after(timeout), *this, token);
  } catch (const std::bad_alloc&) {
    fail_parked(token, ACL_ERROR_RT_MEMORY_ALLOCATION,
                "host memory is exhausted, so the stream cannot wait with a time limit");
  }
}

bool Queue::begin_wait(Task& task, uint64_t token) {
  switch (task.kind) {
    case FERRYX_CALLOUT:
      start_callout(task, token);
      return true;
    case FERRYX_FUNCTION:
    case FERRYX_KERNEL:
      return start_function(task, token);
    case FERRYX_AWAIT:
      task.parking.front() = {.queue = this, .token = token};
      return task.marker()->park(task.parking);
    case FERRYX_AWAIT_VALUE:
      return begin_value_wait(task, token);
    default:
      task.parking.front() = {.queue = this, .token = token};
      return task.flag()->park(task.parking);
  }
}

std::shared_ptr<Link> Queue::tie(Task& task, uint64_t token) {
  std::shared_ptr<Link> link = std::move(task.link);
  link->queue = this;
  link->token = token;
  const Lock lock = lock_soon(mutex_);
  link_ = link;
  return link;
}

void Queue::start_callout(Task& task, uint64_t token) {
  const std::shared_ptr<Link> link = tie(task, token);
  link->self = link;
  task.as.callout.start(task.as.callout.argument, link.get());
}

bool Queue::start_function(Task& task, uint64_t token) {
  const DeviceCall call = call_of(task);
  if (run_device_function(call, tie(task, token))) return true;
  call(0);
  report(task, ACL_ERROR_RT_RESOURCE_ALLOC_FAIL,
         "there is no room for the thread of a device function");
  return false;
}

bool Queue::begin_value_wait(Task& task, uint64_t token) {
  task.parking.front() = {.queue = this, .token = token, .awaited = task.as.value};
  switch (value_watch().park(task.parking)) {
    case ValueWatch::Answer::kWaits:
      return true;
    case ValueWatch::Answer::kGone:
      report_gone_value(task);
      break;
    case ValueWatch::Answer::kSatisfied:
      break;
  }
  return false;
}

void Queue::report_gone_value(Task& task) {
  const ferryx_value& awaited = task.as.value;
  try {
    report(task, ACL_ERROR_RT_TS_ERROR,
           not_live(*services, "devAddr", awaited.address, sizeof awaited.value).c_str());
  } catch (const std::bad_alloc&) {
    report(task, ACL_ERROR_RT_TS_ERROR, "devAddr is not in any live allocation");
  }
}

bool Queue::fail_gone_value(uint64_t token) {
  Task* task = nullptr;
  {
    const Lock lock = lock_soon(mutex_);
    if (token_ != token || state_ != State::kParked) return false;
    state_ = State::kBusy;
    task = tasks_.front();
  }
  unpark(*task, token);
  report_gone_value(*task);
  finish_front();
  return true;
}

bool Queue::resume(uint64_t token) {
  News news;
  {
    const Lock lock = lock_soon(mutex_);
    if (token_ != token) return false;
    if (state_ == State::kParking && !is_front_dropped_) return is_resumed_ = true;
    if (state_ != State::kParked) return false;
    ++visitors_;
    news = complete_front();
  }
  announce(news);
  leave();
  return true;
}

void Queue::enter() {
  const Lock lock = lock_soon(mutex_);
  ++visitors_;
}

void Queue::leave() {
  const Lock lock = lock_soon(mutex_);
  if (--visitors_ == 0) changed_.notify_all();
}

bool Queue::run_awaited(int depth) {
  ferryx_marker* marker = nullptr;
  {
    const Lock lock = lock_soon(mutex_);
    if (state_ != State::kParked) return false;
    marker = tasks_.front()->marker();
    if (marker == nullptr) return false;
    marker->retain();
  }
  const bool has_run = marker->run_source(depth);
  marker->release();
  return has_run;
}

void Queue::fail_parked(uint64_t token, int code, const char* text) {
  Task* task = nullptr;
  {
    const Lock lock = lock_soon(mutex_);
    if (token_ != token) return;
    if (state_ == State::kParking) is_resumed_ = true;
    if (state_ != State::kParked) return;
    state_ = State::kBusy;
    task = tasks_.front();
  }
  unpark(*task, token);
  report(*task, code, text);
  finish_front();
}

void Queue::unpark(const Task& task, uint64_t token) {
  if (ferryx_marker* marker = task.marker()) marker->unpark(*this, token);
  if (ferryx_flag* flag = task.flag()) flag->unpark(*this, token);
  if (task.kind == FERRYX_AWAIT_VALUE) value_watch().unpark(*this, token);
}

}  // namespace ferry::cpu
