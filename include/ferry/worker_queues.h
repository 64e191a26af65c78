// SPDX-License-Identifier: Apache-2.0
// Queues, markers and flags for a backend whose devices have none of their own: one thread per
// device, the worker, executes all queues of the device. The backend supplies the rest:
//
//     struct ferryx_device : ferryx::Worker { ... };
//     struct Slots : ferryx::WorkerSlots<ferryx_device> { ... };  // the other slots
//
// examples/backend shows both.
//
// C++20, header only; one source file of a plugin includes it. Kept simple: one lock for all queues
// of the process, and every change wakes every thread that waits.
#pragma once

#include "acl/error_codes/rt_error_codes.h"
#include "ferry/backend.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace ferryx {

inline const ferryx_runtime* runtime = nullptr;  // the backend's open sets it

using Clock = std::chrono::steady_clock;
using Lock = std::unique_lock<std::mutex>;

// Executes copies, rows, described and indirect copies and fills that were queued. Throws a
// std::exception that says what is wrong with the work.
using MoveBytes = void (*)(const ferryx_work& work);

// Guards all that follows. Never destroyed: workers wait here until the process ends.
inline std::mutex& mutex = *new std::mutex;
inline std::condition_variable& changed = *new std::condition_variable;

// What a queue can wait for: a marker, a flag, the end of a callout or device function.
struct Point {
  bool is_reached = false, is_dropped = false;
  uint64_t time = 0;
  int failure = 0;  // the code of marker_finish: work that waits for it fails
};

}  // namespace ferryx

struct ferryx_marker {
  std::shared_ptr<ferryx::Point> point = std::make_shared<ferryx::Point>();
  std::atomic<int> references = 1;
};
struct ferryx_flag {
  std::shared_ptr<ferryx::Point> point = std::make_shared<ferryx::Point>();
};

namespace ferryx {

// With the lock.
inline void reach(Point& point, bool is_dropped, int failure = 0) {
  const auto time = static_cast<uint64_t>(Clock::now().time_since_epoch().count());
  point = {true, is_dropped, time, failure};
}

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
struct Queue {
  Queue(MoveBytes move, void* settings_cookie) : move_bytes(move), cookie(settings_cookie) {}

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
    } else if (front_runs() && task.work.kind == FERRYX_AWAIT && task.point->failure != 0) {
      report(task, task.point->failure, "the awaited record of an event will never complete", lock);
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
    if (kind == FERRYX_MARK || (kind == FERRYX_SET_FLAG && runs)) reach(*task.point, !runs);
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
    if (task.point != nullptr) {
      report(task, ACL_ERROR_RT_WAIT_TIMEOUT, "the time limit of the wait has passed", lock);
      return;
    }
    ferryx_after_fault then = FERRYX_CONTINUE;
    is_in_use = true;
    lock.unlock();
    try {
      move_bytes(task.work);
    } catch (const std::exception& wrong) {
      then = fault_of(task, ACL_ERROR_RT_TS_ERROR, wrong.what());
    }
    lock.lock();
    is_in_use = false;
    if (then == FERRYX_STOP) dropped = submitted;
  }

  void report(const Task& task, int code, const char* text, Lock& lock) {
    is_in_use = true;
    lock.unlock();
    const ferryx_after_fault then = fault_of(task, code, text);
    lock.lock();
    is_in_use = false;
    if (then == FERRYX_STOP) dropped = submitted;
  }
  // Without the lock.
  ferryx_after_fault fault_of(const Task& task, int code, const char* text) const {
    const ferryx_fault fault{&task.work, code, text};
    return runtime->work_failed(cookie, &fault);
  }

  bool front_runs() const { return finished + 1 > dropped; }

  const MoveBytes move_bytes;
  void* const cookie;
  std::deque<Task> tasks{};
  uint64_t submitted = 0, finished = 0, aborts = 0;
  uint64_t dropped = 0;    // tasks up to this one do not execute
  bool is_in_use = false;  // by the worker, without the lock
  bool is_gone = false;    // the worker deletes it
};

}  // namespace ferryx

struct ferryx_queue : ferryx::Queue {
  using Queue::Queue;
};

namespace ferryx {

// The base of a device: its queues, and the thread that executes them.
class Worker {
 public:
  explicit Worker(MoveBytes move_bytes) : move_bytes_(move_bytes) {
    std::thread([this] { execute_forever(); }).detach();
  }
  ferryx_queue* add_queue(void* cookie) {
    auto queue = std::make_unique<ferryx_queue>(move_bytes_, cookie);
    const Lock lock(mutex);
    return queues_.emplace_back(std::move(queue)).get();
  }

 private:
  void execute_forever() {
    Lock lock(mutex);
    for (;;) {
      Clock::time_point wake = Clock::now() + std::chrono::hours(1);
      bool has_advanced = false;
      for (size_t i = 0; i < queues_.size(); ++i)  // some may be added while the lock is released
        has_advanced |= queues_[i]->advance(lock, wake);
      std::erase_if(queues_, [](const auto& each) { return each->is_gone && each->tasks.empty(); });
      if (!has_advanced) changed.wait_until(lock, wake);
    }
  }

  const MoveBytes move_bytes_;
  std::vector<std::unique_ptr<ferryx_queue>> queues_;  // guarded by mutex
};

// Changes or reads something with the lock.
template <class Change>
int locked(Change change) {
  const Lock lock(mutex);
  change();
  changed.notify_all();
  return ACL_RT_SUCCESS;
}

// False when the time is up.
template <class IsOver>
bool wait(Lock& lock, int64_t timeout, IsOver is_over) {
  if (timeout != FERRYX_FOREVER)
    return changed.wait_for(lock, std::chrono::nanoseconds(timeout), is_over);
  changed.wait(lock, is_over);
  return true;
}

// Optional slots are absent unless a derived class defines them, also those of later versions.
struct AbsentSlots {
#define FERRYX_ABSENT_OPTIONAL(name) static constexpr std::nullptr_t name = nullptr;
#define FERRYX_ABSENT_REQUIRED(name)
#define FERRYX_SLOT(result, name, parameters, need, what) FERRYX_ABSENT_##need(name)
#include "ferry/backend_slots.def"
#undef FERRYX_ABSENT_OPTIONAL
#undef FERRYX_ABSENT_REQUIRED
};

// The slots of queues, markers and flags. Device is ferryx_device, a class derived from Worker.
template <class Device>
struct WorkerSlots : AbsentSlots {
  static int queue_create(Device* device, const ferryx_queue_settings* settings,
                          ferryx_queue** queue) {
    *queue = device->add_queue(settings->cookie);
    return ACL_RT_SUCCESS;
  }
  static void queue_destroy(ferryx_queue* queue) {
    Lock lock(mutex);
    queue->dropped = queue->submitted;
    changed.notify_all();
    changed.wait(lock, [&] { return !queue->is_in_use; });
    queue->is_gone = true;  // from here on it is the worker's
    changed.notify_all();
  }
  static int queue_submit(ferryx_queue* queue, const ferryx_work* work) {
    if (work->kind == FERRYX_COLUMNS || work->kind > FERRYX_TAKE_FLAG)
      return runtime->fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                           "queues of one worker do not execute work of this kind");
    Task task(*work);
    return locked([&] { queue->add(std::move(task)); });
  }
  // Tasks that were dropped count as over, although the worker has yet to discard them.
  static int queue_query(ferryx_queue* queue, int* done) {
    return locked([&] { *done = queue->is_idle() ? 1 : 0; });
  }
  static int queue_synchronize(ferryx_queue* queue, int64_t timeout) {
    Lock lock(mutex);
    const uint64_t target = queue->submitted;
    const uint64_t aborts = queue->aborts;
    const auto is_over = [&] { return queue->finished >= target || queue->aborts != aborts; };
    if (!wait(lock, timeout, is_over)) return ACL_ERROR_RT_STREAM_SYNC_TIMEOUT;
    return queue->aborts != aborts ? ACL_ERROR_RT_STREAM_ABORT : ACL_RT_SUCCESS;
  }
  static int queue_abort(ferryx_queue* queue) {
    return locked([&] {
      if (!queue->is_idle()) ++queue->aborts;  // otherwise threads that waited have their work
      queue->dropped = queue->submitted;
    });
  }
  static int queue_drop(ferryx_queue* queue) {
    return locked([&] { queue->dropped = queue->submitted; });
  }

  static int marker_create(Device*, ferryx_marker** marker) {
    *marker = new ferryx_marker;
    return ACL_RT_SUCCESS;
  }
  static void marker_retain(ferryx_marker* marker) { ++marker->references; }
  static void marker_release(ferryx_marker* marker) {
    if (--marker->references == 0) delete marker;
  }
  static int marker_query(ferryx_marker* marker, int* reached) {
    return locked([&] { *reached = marker->point->is_reached ? 1 : 0; });
  }
  static int marker_synchronize(ferryx_marker* marker, int64_t timeout) {
    Lock lock(mutex);
    const auto is_over = [&] { return marker->point->is_reached; };
    if (!wait(lock, timeout, is_over)) return ACL_ERROR_RT_EVENT_SYNC_TIMEOUT;
    if (marker->point->failure != 0) return marker->point->failure;
    return marker->point->is_dropped ? ACL_ERROR_RT_STREAM_ABORT : ACL_RT_SUCCESS;
  }
  static int marker_finish(ferryx_marker* marker, int code) {
    return locked([&] {
      if (!marker->point->is_reached) reach(*marker->point, false, code);
    });
  }
  static int marker_time(ferryx_marker* marker, uint64_t* nanoseconds) {
    return locked([&] { *nanoseconds = marker->point->time; });
  }

  static int flag_create(Device*, ferryx_flag** flag) {
    *flag = new ferryx_flag;
    return ACL_RT_SUCCESS;
  }
  static void flag_release(ferryx_flag* flag) { delete flag; }
  static int flag_clear(ferryx_flag* flag) {
    return locked([&] { flag->point->is_reached = false; });
  }
  static int flag_set(ferryx_flag* flag) {
    return locked([&] { reach(*flag->point, false); });
  }
};

}  // namespace ferryx
