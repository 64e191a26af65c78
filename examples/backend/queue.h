// SPDX-License-Identifier: Apache-2.0
// Queues of the arena backend. One thread per device, the worker, executes them.
#pragma once

#include "memory.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <thread>

using Clock = std::chrono::steady_clock;
using Lock = std::unique_lock<std::mutex>;

// Guards all that follows. Never destroyed: workers wait here until the process ends.
inline std::mutex& mutex = *new std::mutex;
inline std::condition_variable& changed = *new std::condition_variable;

// What a queue can wait for: a marker, a flag, the end of a callout or device function.
struct Point {
  bool is_reached = false, is_dropped = false;
  uint64_t time = 0;
};
struct ferryx_marker {
  std::shared_ptr<Point> point = std::make_shared<Point>();
  std::atomic<int> references = 1;
};
struct ferryx_flag {
  std::shared_ptr<Point> point = std::make_shared<Point>();
};

struct Callout : ferryx_callout {
  std::shared_ptr<Point> point;
};
inline void finish(ferryx_callout* callout) {
  const std::unique_ptr<Callout> own(static_cast<Callout*>(callout));
  const Lock lock(mutex);
  own->point->is_reached = true;
  changed.notify_all();
}

// Work that was submitted. The runtime's value and its arrays are gone by now: this has its own.
struct Task {
  explicit Task(const ferryx_work& submitted) {
    std::memcpy(&work, &submitted, submitted.struct_size);
    const ferryx_payload& as = work.as;
    if (work.kind == FERRYX_MARK || work.kind == FERRYX_AWAIT) point = as.marker.marker->point;
    if (work.kind == FERRYX_SET_FLAG || work.kind == FERRYX_TAKE_FLAG) point = as.flag.flag->point;
    if (work.kind == FERRYX_AWAIT) timeout = as.marker.timeout;
    if (work.kind == FERRYX_TAKE_FLAG) timeout = as.flag.timeout;
    if (work.kind != FERRYX_COPIES) return;
    copies.assign(as.copies.items, as.copies.items + as.copies.count);
    work.as.copies.items = copies.data();
    if ((as.copies.flags & FERRYX_COPY_CAPTURE) == 0) return;
    const auto* source = static_cast<const char*>(copies[0].src_storage);
    captured.assign(source, source + copies[0].size);
    copies[0].src_storage = captured.data();
  }
  ferryx_work work;
  std::vector<ferryx_copy> copies;
  std::vector<char> captured;    // source bytes
  std::shared_ptr<Point> point;  // what it reaches or waits for
  int64_t timeout = FERRYX_FOREVER;
  bool has_begun = false;
  Clock::time_point deadline = Clock::time_point::max();
};

// Tasks are numbered from 1 in the order of submission. Only the worker removes them.
struct ferryx_queue {
  void add(Task task) {
    tasks.push_back(std::move(task));
    ++submitted;
  }
  bool is_idle() const { return std::max(finished, dropped) == submitted && !is_in_use; }

  // Takes the front task as far as it gets. False when there is nothing to do before `wake`.
  bool advance(Lock& lock, Clock::time_point& wake) {
    if (tasks.empty()) return false;
    Task& task = tasks.front();
    if (front_runs() && runtime->before_work(cookie) == FERRYX_STOP) dropped = submitted;
    if (!task.has_begun) begin(task, lock);
    if (front_runs() && (task.point == nullptr || !task.point->is_reached)) {
      wake = std::min(wake, task.deadline);
      if (task.point != nullptr && Clock::now() < task.deadline) return false;
      execute(task, lock);
    } else if (front_runs() && task.work.kind == FERRYX_TAKE_FLAG) {
      task.point->is_reached = false;
    }
    ++finished;
    tasks.pop_front();
    changed.notify_all();
    return true;
  }

  // Reaches a point, or starts what will reach one. Functions that were dropped are called only to
  // release their arguments.
  void begin(Task& task, Lock& lock) {
    const uint32_t kind = task.work.kind;
    const ferryx_payload as = task.work.as;
    const bool runs = front_runs();
    task.has_begun = true;
    if (task.timeout != FERRYX_FOREVER)
      task.deadline = Clock::now() + std::chrono::nanoseconds(task.timeout);
    if (kind == FERRYX_MARK || (kind == FERRYX_SET_FLAG && runs))
      *task.point = {true, !runs, static_cast<uint64_t>(Clock::now().time_since_epoch().count())};
    if (kind != FERRYX_CALLOUT && kind != FERRYX_FUNCTION) return;
    task.point = std::make_shared<Point>();
    Callout* const callout = runs ? new Callout{{finish}, task.point} : nullptr;
    lock.unlock();
    if (kind == FERRYX_CALLOUT) {
      as.callout.start(as.callout.argument, callout);
    } else if (!runs) {
      as.function.run(as.function.argument, 0);
    } else {  // may block, so it gets a thread of its own
      std::thread([function = as.function, callout] {
        function.run(function.argument, 1);
        finish(callout);
      }).detach();
    }
    lock.lock();
  }

  // Moves bytes, or fails a wait that has taken too long.
  void execute(const Task& task, Lock& lock) {
    const int code = task.point != nullptr ? ACL_ERROR_RT_WAIT_TIMEOUT : ACL_ERROR_RT_TS_ERROR;
    ferryx_after_fault then = FERRYX_CONTINUE;
    is_in_use = true;
    lock.unlock();
    try {
      if (task.point != nullptr) throw std::runtime_error("the time limit of the wait has passed");
      move_bytes(task.work, true);
    } catch (const std::exception& wrong) {
      const ferryx_fault fault{&task.work, code, wrong.what()};
      then = runtime->work_failed(cookie, &fault);
    }
    lock.lock();
    is_in_use = false;
    if (then == FERRYX_STOP) dropped = submitted;
  }

  bool front_runs() const { return finished + 1 > dropped; }

  void* const cookie;
  std::deque<Task> tasks{};
  uint64_t submitted = 0, finished = 0, aborts = 0;
  uint64_t dropped = 0;    // tasks up to this one do not execute
  bool is_in_use = false;  // by the worker, without the lock
  bool is_gone = false;    // the worker deletes it
};
using Queues = std::vector<std::unique_ptr<ferryx_queue>>;

// The worker.
inline void execute_forever(Queues& queues) {
  Lock lock(mutex);
  for (;;) {
    Clock::time_point wake = Clock::now() + std::chrono::hours(1);
    bool has_advanced = false;
    for (size_t i = 0; i < queues.size(); ++i)  // queues may be added while the lock is released
      has_advanced |= queues[i]->advance(lock, wake);
    std::erase_if(queues, [](const auto& each) { return each->is_gone && each->tasks.empty(); });
    if (!has_advanced) changed.wait_until(lock, wake);
  }
}
