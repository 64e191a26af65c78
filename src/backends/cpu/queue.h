// SPDX-License-Identifier: Apache-2.0
// One in-order queue of tasks: what a stream is to this backend. A queue holds no thread: threads
// come, take something that can run, and leave.
#pragma once

#include "backends/cpu/copy.h"
#include "backends/cpu/engine.h"
#include "backends/cpu/task.h"
#include "base/pause.h"

#include "ferry/backend.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace ferry::cpu {

class Queue;

// Ties a queue to work on another thread that it waits for: a host function, a device function.
// Either side may go first.
struct Link {
  std::mutex mutex;  // guards queue; held while the queue is told, so that it cannot go meanwhile
  Queue* queue = nullptr;
  uint64_t token = 0;

  // The work is done: lets the queue go on, if it is still there.
  void finish();
};

// What the runtime holds while the host does something in queue order.
struct Callout : ferryx_callout {
  explicit Callout(std::shared_ptr<Link> of_queue);
  std::shared_ptr<Link> link;
};

// May be shared between threads. Lock order: see engine.h.
class Queue {
 public:
  // `cookie` is nullptr for a queue that belongs to no stream; its tasks are prepared.
  Queue(Engine& engine, void* cookie);
  // Drops what has not started, waits for pieces that run.
  ~Queue();
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  // ---- for submitters ----

  // Queues work and returns its place in the queue. References to a marker or flag go over to the
  // task.
  uint64_t submit(const ferryx_work& work);
  uint64_t submit(std::unique_ptr<Task> task);
  bool is_done();
  // 0, 507046 or 107023.
  int synchronize(int64_t timeout);
  enum class Waiters { kUntold, kAborted };
  void drop_tasks(Waiters waiters);
  // Drops what has not begun, ends waits; afterwards only a copy that runs may be left.
  void abort();
  // Reports each work that executes from now on; no report is under way when this returns.
  void observe(ferryx_observer observer, void* argument);

  // ---- for the engine, markers, flags and links ----

  uint64_t number() const { return number_; }
  // Takes something that can run now and runs it. kLittle: a few small tasks, all that was there.
  enum class Ran { kNothing, kLittle, kMuch };
  Ran run_some();
  // Whether run_some would find something.
  bool is_ready();
  // Lazy: tasks up to this one may run.
  void allow(uint64_t sequence);
  void allow_all();
  // The clock of look_at has come: the front task goes ahead if it has waited long enough.
  void look_for_late_task();
  // Ends the parking under this token, if it is still the present one. False when it is not.
  bool resume(uint64_t token);
  // The same, with a fault of the task that was parked.
  void fail_parked(uint64_t token, int code, const char* text);
  // Runs something that the front task is parked for, also through several queues. False when there
  // was nothing.
  bool run_awaited(int depth);
  // Between the two the queue does not go away.
  void enter();
  void leave();

 private:
  friend class Engine;

  // kIdle    no task
  // kHeld    the front task may not run yet (lazy)
  // kReady   the front task can be started
  // kBusy    one thread runs the front task, or several small ones at the front
  // kShared  the front task is cut into pieces that any thread takes
  // kParked  the front task waits for something; no thread is involved
  enum class State { kIdle, kHeld, kReady, kBusy, kShared, kParked };
  using Lock = std::unique_lock<std::mutex>;

  // What has to follow once the lock is released.
  struct News {
    State state = State::kIdle;
    bool is_listed = false;  // the engine knows already
    uint64_t sequence = 0;
    Clock::time_point late_at = Clock::time_point::max();
  };
  struct Observer {
    ferryx_observer call = nullptr;
    void* argument = nullptr;
  };
  uint64_t push(Lock& lock, std::unique_ptr<Task> task);
  News settle();
  News news() const;
  // The tasks up to `last` are over; there are running_ of them.
  News complete(Task* last);
  News complete_front();
  void announce(const News& news);
  // Shuffle: runs tasks up to this one as far as they can run now.
  void run_up_to(uint64_t sequence);
  void wake_waiters();
  bool is_observed() const { return is_observed_.load(std::memory_order_relaxed); }
  void note_spans(const Task* last);
  void report_spans();

  uint32_t count_small_tasks() const;
  void run_small_tasks(Task* first, uint32_t count);
  bool run_small_task(Task& task);
  // The runtime has stopped the stream because of a failure elsewhere.
  bool is_stopped() const;
  bool has_piece() const;
  Ran run_shared_piece(Lock& lock);
  void run_task(Task& task);
  void run_work(Task& task);
  void finish(Task* last);
  void finish_front();
  // Reports a fault of the front task and drops the rest if the runtime says so.
  void report(Task& task, int code, const char* text);
  void park(Task& task);
  std::shared_ptr<Link> make_link(uint64_t token);
  // Empty when the task was dropped before it could be parked.
  std::optional<uint64_t> begin_parking();
  void start_function(const ferryx_function& function, uint64_t token);
  void park_on(ferryx_marker* marker, ferryx_flag* flag, int64_t timeout, uint64_t token);
  bool is_parked_under(uint64_t token);
  // Somebody waits for the tasks up to `target`, unless the queue is aborted.
  struct Wait {
    uint64_t target = 0;
    uint64_t aborts = 0;
  };
  bool is_over(const Wait& wait) const;
  bool sleep_until_over(const Wait& wait, Clock::time_point deadline);
  // Runs the tasks that are waited for, or sleeps while others do.
  void help_until_over(const Wait& wait, Clock::time_point deadline);
  // Undoes what park() did with the marker, flag or link of a task that is parked no more.
  void unpark(const Task& task, uint64_t token);
  void discard(Task& task);

  Engine& engine_;
  void* const cookie_;
  const uint64_t number_;

  // Guards what follows, which comes in the order of use: what every small task needs stands
  // together in few cache lines, away from what never changes. The three atomic numbers change
  // under it and may be read without: who reads that a task is finished also sees what it did.
  alignas(64) std::mutex mutex_;
  State state_ = State::kIdle;
  uint32_t running_ = 0;  // tasks at the front that kBusy is about
  TaskList tasks_;
  TaskPool pool_;
  std::atomic<uint64_t> submitted_{0};  // the place of the latest task
  std::atomic<uint64_t> finished_{0};   // all tasks up to this place are over
  std::atomic<uint64_t> aborts_{0};
  uint64_t small_tail_ = 0;        // so many tasks submitted in a row up to the latest were small
  uint64_t allowed_;               // tasks up to this place may run
  uint64_t wake_at_ = UINT64_MAX;  // the earliest place somebody sleeps for

  std::condition_variable changed_;
  uint32_t unready_queries_ = 0;
  Cursor cursor_;                         // of a shared task
  bool is_cut_ = false;                   // all pieces of it are taken
  uint32_t pieces_running_ = 0;           // of it
  bool is_front_dropped_ = false;         // by drop_tasks, when a thread had just begun with it
  uint64_t token_ = 0;                    // of the latest parking
  std::shared_ptr<Link> link_;            // of a task parked on a link
  std::atomic<bool> is_observed_{false};  // there is an observer; may be read without the lock
  Observer observer_;
  std::vector<ferryx_span> spans_;  // of work that is over, for the observer
  uint32_t reporters_ = 0;          // threads that call the observer
  uint32_t visitors_ = 0;  // threads inside that nobody else counts; the queue stays for them

  // Guarded by the engine's lock. is_listed_ may be read with the queue's lock: an engine that has
  // taken the queue off its list looks at the queue afterwards, so either that thread sees a task
  // that just became ready, or who made it ready sees that the queue is not listed.
  std::atomic<bool> is_listed_{false};
  Queue* next_ready_ = nullptr;
  uint32_t threads_inside_ = 0;
  bool is_clock_set_ = false;  // look_at counts for this queue; one clock serves all its tasks
};

}  // namespace ferry::cpu
