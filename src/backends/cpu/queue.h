// SPDX-License-Identifier: Apache-2.0
// One in-order queue of tasks: this backend's side of a stream. A queue owns no thread: threads
// enter it, take something that can run, and leave.
#pragma once

#include "backends/cpu/copy.h"
#include "backends/cpu/engine.h"
#include "backends/cpu/memory_use.h"
#include "backends/cpu/sync.h"
#include "backends/cpu/task.h"
#include "base/pause.h"

#include "ferry/backend.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ferry::cpu {

class Queue;

// Ties a queue to work on another thread that it waits for: a host function, a device function.
// Either side may be destroyed first.
struct Link : ferryx_callout {
  Link();

  // Guards queue. Held while the queue is resumed, so that it cannot be destroyed meanwhile.
  sync::Mutex mutex;
  Queue* queue = nullptr;
  uint64_t token = 0;
  std::shared_ptr<Link> self;  // while the runtime holds it as a callout
  std::string kernel;          // its name: the submitter's copy is gone once the kernel has run
  // Why the kernel failed, as an aclError. Written before finish() by the thread that ran it.
  int failure = 0;

  // The work is done: resumes the queue if it still exists, and reports a failure there.
  void finish();
  // The queue no longer waits for the work.
  void cut();
};

// May be shared between threads. Lock order: see engine.h.
class Queue {
 public:
  // `cookie` is nullptr for a queue without a stream, whose tasks are submitted prepared.
  // A prompt queue is not delayed by schedule lazy.
  enum class Delay { kAsScheduled, kPrompt };
  Queue(Engine& engine, void* cookie, Delay delay = Delay::kAsScheduled);
  // Drops tasks that have not started and waits for running pieces.
  ~Queue();
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  // ---- for submitters ----

  // Enqueues work and returns its place in the queue. Nothing has changed when it throws.
  uint64_t submit(const ferryx_work& work);
  uint64_t submit(std::unique_ptr<Task> task);
  // Enqueues several works at once. Nothing has changed when it throws.
  // Small work is executed here: waking a copy thread would cost more.
  void submit_all(std::span<const ferryx_work> works);
  // The same for a store of a value: under lazy, a queue that waits for it makes this one run.
  uint64_t submit_write(const ferryx_work& work);
  bool is_done();
  // 0, 507046 or 107023.
  int synchronize(int64_t timeout);
  // For a queue without a stream, once its tasks are done: an address that the latest one could not
  // access, or nullptr.
  const void* fault() const { return fault_; }
  enum class Waiters { kUntold, kAborted };
  void drop_tasks(Waiters waiters);
  // Drops tasks that have not begun and ends waits. Returns when the queue executes nothing more.
  void abort();
  // Ends the task that runs or waits. Those behind it run after the next submission.
  void stop();
  // Reports all work executed from now on. No report to the previous observer is in progress when
  // this returns.
  void observe(ferryx_observer observer, void* argument);

  // ---- for the engine, markers, flags and links ----

  // The fault of work that waits for a failed marker.
  static constexpr const char* kFailedMarker =
      "the awaited record of an event will never complete: the process that made it has ended, or "
      "has dropped its work";

  uint64_t number() const { return number_; }
  // Takes something that can run now and runs it. kLittle: a few small tasks, all there were.
  enum class Ran { kNothing, kLittle, kMuch };
  Ran run_some();
  // Whether run_some would find something.
  bool is_ready();
  // Lazy: tasks up to this one may run.
  void allow(uint64_t sequence);
  void allow_all();
  // The timer of look_at has fired: runs the front task if it has waited long enough.
  void look_for_late_task();
  // Ends the parking under this token. False when it is not the present one any more.
  bool resume(uint64_t token);
  // Returns when the task is parked under this token, or will not be: a kernel may have failed
  // before the thread that started it has parked the queue. The kernel's own thread reports it.
  void await_parking(uint64_t token);
  // Ends the parking like resume, and reports a fault of the parked task. A task that is still
  // being parked looks itself whether its marker has failed.
  void fail_parked(uint64_t token, int code, const char* text);
  // The memory of the value that the front task waits for is not live any more. False when the
  // queue is not parked under this token.
  bool fail_gone_value(uint64_t token);
  // Runs something that the front task is parked on, also through several queues. False when there
  // was nothing.
  bool run_awaited(int depth);

  // While it exists, the calling thread runs what it makes ready in the queue, which is not
  // destroyed meanwhile.
  class Helping {
   public:
    explicit Helping(Queue& queue);
    ~Helping();
    Helping(const Helping&) = delete;
    Helping& operator=(const Helping&) = delete;

   private:
    Queue& queue_;
    const bool runs_all_;
    const Queue* const before_;
  };
  // The queue is not destroyed between the two.
  void enter();
  void leave();

 private:
  friend class Engine;

  // kIdle    no task
  // kHeld    the front task may not run yet (lazy)
  // kReady   the front task can be started
  // kBusy    one thread runs the front task, or several small ones at the front
  // kShared  the front task is cut into pieces that any thread may take
  // kParking one thread starts the front task, or lists the queue with what the task waits for
  // kParked  the front task waits for something; no thread is involved
  enum class State { kIdle, kHeld, kReady, kBusy, kShared, kParking, kParked };
  using Lock = sync::Lock;

  // What announce() needs to know once the lock is released.
  struct News {
    State state = State::kIdle;
    bool is_listed = false;  // the engine has it on its ready list already
    uint64_t sequence = 0;
    Clock::time_point late_at = Clock::time_point::max();
  };
  struct Observer {
    ferryx_observer call = nullptr;
    void* argument = nullptr;
  };
  uint64_t push(Lock& lock, std::unique_ptr<Task> task);
  // Executes work at the front that takes little time.
  void run_quick_front();
  bool is_front_quick();
  uint64_t enlist(std::unique_ptr<Task> task);
  News settle();
  News news() const;
  // The first running_ tasks, up to `last`, are finished.
  News complete(Task* last);
  News complete_front();
  void announce(const News& news);
  // Shuffle: runs tasks up to this one as far as they can run now.
  void run_up_to(uint64_t sequence);
  void wake_waiters();
  bool is_observed() const { return is_observed_.load(std::memory_order_relaxed); }
  void note_spans(const Task* last);
  void note_span(const ferryx_span& span) noexcept;
  void report_spans();

  uint32_t count_small_tasks() const;
  static uint32_t count_small_tasks_from(const Task& first);
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
  // The same for a front task that could not access an address.
  void finish_failed(Task& task, const void* fault);
  // Reports a fault of the front task, and drops the rest if the runtime asks for it.
  void report(Task& task, int code, const char* text);
  void park(Task& task);
  // Takes the link of the front task and ties it to the parking.
  std::shared_ptr<Link> tie(Task& task, uint64_t token);
  // Empty when the task was dropped before it could be parked.
  std::optional<uint64_t> begin_parking();
  // Starts what the front task waits for. False when there is nothing to wait for.
  bool begin_wait(Task& task, uint64_t token);
  // False when the wait is over, or the task was dropped meanwhile.
  bool end_parking();
  // Reports the fault of a front task that was not parked because its marker has failed.
  void report_failed_marker(Task& task);
  void start_callout(Task& task, uint64_t token);
  bool start_function(Task& task, uint64_t token);
  bool begin_value_wait(Task& task, uint64_t token);
  void report_gone_value(Task& task);
  // The store was begun or dropped: it is not to come any more.
  void forget_write(const Task& task);
  void limit_parking(int64_t timeout, uint64_t token);
  // A thread is between taking the front task and finishing or parking it.
  bool is_front_taken() const { return state_ == State::kBusy || state_ == State::kParking; }
  // A wait for the tasks up to `target`. It ends early when aborts_ differs from `aborts` and the
  // task that the abort found running is over: whoever waited may use the memory of the tasks.
  struct Wait {
    uint64_t target = 0;
    uint64_t aborts = 0;
  };
  bool is_over(const Wait& wait) const;
  uint64_t end_of(const Wait& wait) const;
  // The tasks wait for the next submission.
  bool is_halted() const { return is_halted_.load(std::memory_order_acquire); }
  bool sleep_until_over(const Wait& wait, Clock::time_point deadline);
  // All tasks up to this one have run or were dropped.
  void wait_until_finished(uint64_t sequence);
  // Runs the awaited tasks, or sleeps while other threads do.
  void help_until_over(const Wait& wait, Clock::time_point deadline);
  // Undoes what begin_wait() did with the marker or flag of a task that is no longer parked.
  void unpark(const Task& task, uint64_t token);
  void discard(Task& task);
  void discard_all(TaskList& dropped);
  // What drop_tasks and stop do with the front task.
  struct Ended {
    std::unique_ptr<Task> was_parked;
    std::shared_ptr<Link> link;
    uint64_t token = 0;
    uint64_t last_running = 0;  // the place of a task that is being run; 0 when there is none
  };
  Ended end_front();
  void tell_aborted(const Ended& ended);
  void let_go(Ended& ended);

  Engine& engine_;
  void* const cookie_;
  const uint64_t number_;
  const bool is_prompt_;

  // Guards the members below. They are ordered by use: those that every small task needs share few
  // cache lines, apart from members that never change. The atomic members are changed under
  // the lock and may be read without it: a reader of finished_ also sees what those tasks wrote.
  alignas(64) sync::Mutex mutex_;
  State state_ = State::kIdle;
  uint32_t running_ = 0;  // kBusy: how many tasks at the front run
  TaskList tasks_;
  TaskPool pool_;
  MemoryUse memory_use_;                 // begun by the thread that starts to run the front task
  sync::Atomic<uint64_t> submitted_{0};  // the place of the latest task
  sync::Atomic<uint64_t> finished_{0};   // all tasks up to this place are finished
  sync::Atomic<uint64_t> aborts_{0};
  sync::Atomic<uint64_t> running_at_abort_{0};  // Ended::last_running; set before aborts_
  sync::Atomic<bool> is_halted_{false};  // stop() was called, and nothing was submitted since
  uint64_t small_tail_ = 0;        // the number of latest submissions in a row that were small
  uint64_t allowed_;               // tasks up to this place may run
  uint64_t wake_at_ = UINT64_MAX;  // the earliest place that a thread sleeps for

  sync::Condition changed_;
  uint32_t unready_queries_ = 0;
  Cursor cursor_;                          // of the shared task
  bool is_cut_ = false;                    // all pieces of the shared task are taken
  uint32_t pieces_running_ = 0;            // of the shared task
  const void* fault_ = nullptr;            // an address that the shared task could not access
  bool is_front_dropped_ = false;          // drop_tasks was called after a thread had begun it
  bool is_resumed_ = false;                // kParking: the wait is over already
  bool is_parking_awaited_ = false;        // kParking: a failed kernel waits for its end
  uint64_t token_ = 0;                     // of the latest parking
  std::shared_ptr<Link> link_;             // of a task parked on a link
  sync::Atomic<bool> is_observed_{false};  // there is an observer; may be read without the lock
  bool has_times_ = false;                 // tasks may carry times; not before the first observer
  Observer observer_;
  std::vector<ferryx_span> spans_;  // of finished work, for the observer
  uint32_t reporters_ = 0;          // threads that call the observer
  uint32_t visitors_ = 0;  // threads inside that no state covers; the destructor waits for them

  // Guarded by the engine's lock. is_listed_ may be read with the queue's lock: the engine unlists
  // the queue before it looks at it. So either the engine's thread sees a task that just became
  // ready, or the thread that made it ready sees that the queue is not listed.
  sync::Atomic<bool> is_listed_{false};
  Queue* next_ready_ = nullptr;
  uint32_t threads_inside_ = 0;
  Timers::node_type clock_entry_;  // the timer of look_at, which serves all tasks, unless armed
  ReadyByNumber::node_type ready_entry_;  // shuffle: unless listed
};

// The number of copies the task has to store.
inline size_t count_items(const ferryx_work& work) {
  return work.kind == FERRYX_COLUMNS ? work.as.columns.count : work.as.copies.count;
}

// Whether Task::adopt takes little time, so that it may run under the lock.
inline bool is_quick_to_adopt(const ferryx_work& work) {
  if (work.kind == FERRYX_COPIES) {
    return work.as.copies.count == 1 && (work.as.copies.flags & FERRYX_COPY_CAPTURE) == 0;
  }
  return work.kind != FERRYX_COLUMNS;
}

}  // namespace ferry::cpu
