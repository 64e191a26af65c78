// SPDX-License-Identifier: Apache-2.0
// Records, host functions, and the submission of tasks.
#include "stage.h"

#include "backends/cpu/copy.h"
#include "base/work.h"

#include <algorithm>

namespace ferry::interleavings {

void require(bool holds, const char* what, Place at) {
  if (!holds) rl::ctx().fail_test(what, rl::test_result_user_assert_failed, shown(at));
}

// ---- records ----

Record::Record() {
  for (Task& task : tasks_)
    for (rl::var<uint32_t>& bytes : task.bytes)
      bytes(shown(Place::current())) = 0;
}

void Record::execute(uint32_t task) {
  for (uint32_t half = 0; half < kHalves; ++half)
    execute(task, half);
}

void Record::execute(uint32_t task, uint32_t half) {
  require(task >= latest_, "tasks are executed in order");
  require(tasks_[task].drops == 0 && tasks_[task].executions[half] == 0,
          "a task is executed once, or dropped");
  // A task reads what earlier ones wrote, as a chain of copies does.
  for (uint32_t earlier = 1; earlier < task; ++earlier)
    read(earlier);
  tasks_[task].bytes[half](shown(Place::current())) = task;
  tasks_[task].executions[half] = 1;
  latest_ = task;
}

void Record::drop(uint32_t task) {
  require(is_untouched(task), "a task is dropped once, or executed");
  tasks_[task].drops = 1;
}

void Record::read(uint32_t task, Place at) {
  for (rl::var<uint32_t>& bytes : tasks_[task].bytes)
    static_cast<void>(static_cast<uint32_t>(bytes(shown(at))));
}

bool Record::is_executed(uint32_t task) const {
  return std::ranges::all_of(tasks_[task].executions, [](uint32_t count) { return count == 1; });
}

bool Record::is_untouched(uint32_t task) const {
  const Task& asked = tasks_[task];
  return asked.drops == 0 &&
         std::ranges::all_of(asked.executions, [](uint32_t count) { return count == 0; });
}

cpu::ValueWatch* watch_of_run = nullptr;

// ---- host functions ----

void HostThread::give(ferryx_callout* callout) {
  const cpu::sync::Lock lock(mutex_);
  is_given_ = true;
  callout_ = callout;
  changed_.notify_all();
}

void HostThread::serve() {
  {
    cpu::sync::Lock lock(mutex_);
    changed_.wait(lock, [&] { return is_given_; });
  }
  if (callout_ != nullptr) callout_->done(callout_);
}

void Stream::start_call(void* argument, ferryx_callout* callout) {
  const HostCall& call = *static_cast<HostCall*>(argument);
  if (callout != nullptr) {
    call.record->execute(call.task);
  } else {
    call.record->drop(call.task);
  }
  if (call.host != nullptr) {
    call.host->give(callout);
  } else if (callout != nullptr) {
    callout->done(callout);
  }
}

// ---- submitting ----

uint64_t Stream::submit(ferryx_work& work) {
  work.origin = {
      .call = "scenario", .task = tasks_, .stream = 0, .context = &record_, .correlation = 0};
  return queue_.submit(work);
}

uint32_t Stream::copy(uint64_t size) {
  static char byte = 0;
  const ferryx_copy item{
      .dst = &byte, .src = &byte, .size = size, .dst_storage = &byte, .src_storage = &byte};
  ferryx_work work = make_work(FERRYX_COPIES, &ferryx_payload::copies,
                               {.items = &item,
                                .count = 1,
                                .direction = FERRYX_HOST_TO_DEVICE,
                                .flags = FERRYX_COPY_RESOLVED});
  ++tasks_;
  submit(work);
  return tasks_;
}

uint32_t Stream::copy() {
  return copy(1);
}

uint32_t Stream::copy_much() {
  return copy(2 * cpu::kLeastShared);
}

uint32_t Stream::call(HostThread* host) {
  ++tasks_;
  calls_[tasks_] = {.record = &record_, .task = tasks_, .host = host};
  ferryx_work work = make_work(FERRYX_CALLOUT, &ferryx_payload::callout,
                               {.start = start_call, .argument = &calls_[tasks_]});
  submit(work);
  return tasks_;
}

void Stream::mark(ferryx_marker& marker) {
  ferryx_work work = make_work(FERRYX_MARK, &ferryx_payload::marker,
                               {.marker = &marker, .timeout = FERRYX_FOREVER});
  marker.set_source({.queue = &queue_, .sequence = submit(work)});
}

void Stream::await(ferryx_marker& marker) {
  ferryx_work work = make_work(FERRYX_AWAIT, &ferryx_payload::marker,
                               {.marker = &marker, .timeout = FERRYX_FOREVER});
  submit(work);
}

void Stream::set(ferryx_flag& flag) {
  flag.add_setter(queue_);
  ferryx_work work =
      make_work(FERRYX_SET_FLAG, &ferryx_payload::flag, {.flag = &flag, .timeout = FERRYX_FOREVER});
  submit(work);
  flag.demand_setters();
}

void Stream::take(ferryx_flag& flag) {
  ferryx_work work = make_work(FERRYX_TAKE_FLAG, &ferryx_payload::flag,
                               {.flag = &flag, .timeout = FERRYX_FOREVER});
  submit(work);
}

void Stream::store(uint64_t& value) {
  ferryx_work work =
      make_work(FERRYX_WRITE_VALUE, &ferryx_payload::value,
                {.address = &value, .storage = &value, .value = 1, .comparison = 0, .reserved = 0});
  work.origin = {
      .call = "scenario", .task = tasks_, .stream = 0, .context = &record_, .correlation = 0};
  queue_.submit_write(work);
}

void Stream::await(uint64_t& value) {
  ferryx_work work = make_work(FERRYX_AWAIT_VALUE, &ferryx_payload::value,
                               {.address = &value,
                                .storage = nullptr,
                                .value = 1,
                                .comparison = FERRYX_EQUAL,
                                .reserved = 0});
  submit(work);
}

}  // namespace ferry::interleavings
