// SPDX-License-Identifier: Apache-2.0
// Queues that wait: for a marker or flag of another queue, a callout or a device function. A parked
// queue occupies no thread; a token distinguishes the present parking from earlier ones.
#include "backends/cpu/function_threads.h"
#include "backends/cpu/marker.h"
#include "backends/cpu/queue.h"
#include "base/pause.h"

#include "acl/error_codes/rt_error_codes.h"

#include <optional>

namespace ferry::cpu {

void Link::finish() {
  const std::lock_guard lock(mutex);
  if (queue != nullptr) queue->resume(token);
}

Callout::Callout(std::shared_ptr<Link> of_queue)
    : ferryx_callout{.done =
                         [](ferryx_callout* callout) {
                           const std::unique_ptr<Callout> own(static_cast<Callout*>(callout));
                           own->link->finish();
                         }},
      link(std::move(of_queue)) {}

std::optional<uint64_t> Queue::begin_parking() {
  const Lock lock = lock_soon(mutex_);
  if (is_front_dropped_) return {};
  state_ = State::kParked;
  return ++token_;
}

std::shared_ptr<Link> Queue::make_link(uint64_t token) {
  auto link = std::make_shared<Link>();
  link->queue = this;
  link->token = token;
  const Lock lock = lock_soon(mutex_);
  if (token_ == token) {
    link_ = link;
  } else {
    link->queue = nullptr;  // dropped meanwhile: the queue no longer waits for it
  }
  return link;
}

void Queue::park(Task& task) {
  // Copies: once the queue is parked, another thread may complete the task and reuse it.
  const uint32_t kind = task.kind;
  const ferryx_payload as = task.as;
  ferryx_marker* marker = task.marker();
  ferryx_flag* flag = task.flag();
  if (marker != nullptr) marker->retain();
  if (flag != nullptr) flag->retain();

  const std::optional<uint64_t> begun = begin_parking();
  if (!begun.has_value()) {
    discard(task);
    finish_front();
  } else if (kind == FERRYX_CALLOUT) {
    as.callout.start(as.callout.argument, new Callout(make_link(*begun)));
  } else if (kind == FERRYX_FUNCTION) {
    start_function(as.function, *begun);
  } else {
    park_on(marker, flag, marker != nullptr ? as.marker.timeout : as.flag.timeout, *begun);
  }
  if (marker != nullptr) marker->release();
  if (flag != nullptr) flag->release();
}

void Queue::start_function(const ferryx_function& function, uint64_t token) {
  if (run_device_function(function.run, function.argument, make_link(token))) return;
  function.run(function.argument, 0);
  fail_parked(token, ACL_ERROR_RT_RESOURCE_ALLOC_FAIL,
              "there is no room for the thread of a device function");
}

void Queue::park_on(ferryx_marker* marker, ferryx_flag* flag, int64_t timeout, uint64_t token) {
  const bool is_parked = marker != nullptr ? marker->park(*this, token) : flag->park(*this, token);
  if (!is_parked) {
    resume(token);
  } else if (!is_parked_under(token)) {
    // Dropped before it was parked: no other thread will unpark it.
    if (marker != nullptr) marker->unpark(*this, token);
    if (flag != nullptr) flag->unpark(*this, token);
  } else if (timeout != FERRYX_FOREVER) {
    engine_.time_out_at(deadline_after(timeout), *this, token);
  }
}

bool Queue::is_parked_under(uint64_t token) {
  const Lock lock = lock_soon(mutex_);
  return state_ == State::kParked && token_ == token;
}

bool Queue::resume(uint64_t token) {
  News news;
  {
    const Lock lock = lock_soon(mutex_);
    if (state_ != State::kParked || token_ != token) return false;
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
    if (state_ != State::kParked || token_ != token) return;
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
}

}  // namespace ferry::cpu
