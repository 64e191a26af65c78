// SPDX-License-Identifier: Apache-2.0
// An in-order queue: one per stream. Work goes to a CUDA stream, the line, as long as CUDA can
// execute it without the host. Work that needs the host is a stop: the queue holds it, and all work
// behind it, until the stop is done. So a line never waits for the host, and a wait for a line, or
// for the device as in cudaFree, always ends.
#pragma once

#include "backends/cuda/plugin/services.h"
#include "backends/cuda/queue/line.h"
#include "backends/cuda/queue/spans.h"
#include "backends/cuda/queue/task.h"

#include "ferry/backend.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace ferry::cuda {

class Queue;

// Visits queues that have something to do besides submissions. Lock order: its lock is the last.
class Watcher {
 public:
  virtual ~Watcher() = default;
  // Asks for a call of Queue::advance soon, from one thread at a time.
  virtual void post(Queue& queue) = 0;
  // The queue is not visited any more when this returns.
  virtual void forget(Queue& queue) = 0;
};

// Connects a queue with the callout that it waits for. Either side may be destroyed first. Lock
// order: its lock is taken before the queue's.
struct Link {
  std::mutex mutex;  // guards queue; held while the queue is notified, so that it stays alive
  Queue* queue = nullptr;
  uint64_t token = 0;
};

// Held by the runtime while the host executes the callout. Deleted by done().
struct Callout : ferryx_callout {
  explicit Callout(std::shared_ptr<Link> to_queue);

  const std::shared_ptr<Link> link;
};

// May be shared between threads.
class Queue {
 public:
  Queue(Line& line, Watcher& watcher, void* cookie);
  // Drops the held work and waits for the line.
  ~Queue();
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  // ---- for submitters; results are 0 or an error that was recorded ----

  // Copies and columns take a fast path while the queue is open and their addresses are resolved:
  // nothing is allocated, no array is copied. 207000 for work that this backend cannot execute.
  int submit(const ferryx_work& work);
  int query(bool& is_done);
  // Also 507046 and 107023, as queue_synchronize.
  int synchronize(int64_t timeout);
  enum class Waiters { kUntold, kAborted };
  void drop_tasks(Waiters waiters);
  // As drop_tasks. When it returns, no call into the runtime is in progress for the front.
  void abort();
  // From now on reports begin and end of work; nullptr ends that. Work that CUDA refuses and work
  // that is dropped is not reported. Waits that time out are.
  void observe(ferryx_observer observer, void* argument);

  // ---- for the watcher, markers, flags and links ----

  // What the queue needs next unless it is posted first.
  struct Visit {
    bool polls = false;  // it waits for CUDA: visit it again soon
    bool has_moved = false;
    Clock::time_point deadline = Clock::time_point::max();
  };
  // Makes all progress that is possible now. Called by the watcher only, from one thread at a time.
  Visit advance();
  // Something that the queue waits for has happened.
  void wake() { watcher_.post(*this); }
  void finish_callout(uint64_t token);

 private:
  using Lock = std::unique_lock<std::mutex>;
  // The queue is open while nothing is held: submissions go to the line during the call. The front
  // of the held work is a stop or about to be handed over.
  enum class Stage {
    kNew,  // not examined yet: it may be possible to hand it over
    // Its turn comes when the line is idle. Nothing is submitted meanwhile, so an idle line means
    // that all earlier work is done.
    kDraining,
    kWaiting,  // its turn has come, and it waits for a marker, a flag or the host
    // The watcher's thread calls into the runtime for it, without the lock. No other thread removes
    // it meanwhile: a drop only sets is_front_dropped_.
    kBusy
  };

  // Work on the line whose kernel may still report a fault.
  struct Check {
    WorkClone work;
    FaultSlot* slot = nullptr;
    uint64_t place = 0;  // of the work in the queue
    bool is_reported = false;
  };

  // A wait for all work up to a place; it ends early if the queue is aborted.
  struct Wait {
    uint64_t target = 0;
    uint64_t aborts = 0;
  };

  bool is_stopped() const;
  // The fast path. `copy` hands the work to the line.
  template <class Payload, class Copy>
  int submit_now_or_later(const ferryx_work& work, const Payload& payload, Copy copy);
  // The same with a span around the copy.
  template <class Copy>
  Trouble observed(const ferryx_work& work, Copy copy);
  int submit_task(const ferryx_work& work);
  // Hands the task to the line unless it has to wait. If true, `trouble` is CUDA's result.
  bool try_now(Task& task, Trouble& trouble);
  bool try_on_line(Task& task, Trouble& trouble);
  bool try_await(Task& task, Trouble& trouble);
  Trouble hand_over(const Task& task);
  Trouble hand_over_checked(const Task& task);
  Trouble record(const Task& task);

  // Steps of advance(); each returns nothing when the front is done.
  std::optional<Visit> step_front(Lock& lock);
  std::optional<Visit> reach_front(Lock& lock);
  std::optional<Visit> wait_front(Lock& lock);
  std::optional<Visit> wait_for_marker(Lock& lock);
  std::optional<Visit> time_out_or(Lock& lock, const Visit& visit);
  std::optional<Visit> start_callout(Lock& lock);
  void run_late(Lock& lock);
  void pass_front();
  void unpark_front();

  // Ends the span of the work that follows passed_, if it has started one.
  void end_span(const ferryx_work& work);

  // Calls the runtime without the lock; the front stays.
  void report_front(Lock& lock, int code, const std::string& text);
  // Reports faults that kernels have written, and gives back the slots up to the place `done`.
  void collect_checks(Lock& lock, uint64_t done);
  void collect_known_checks(Lock& lock);
  void report(Lock& lock, const ferryx_work& work, int code, const std::string& text);

  bool wait_for_hand_over(Lock& lock, const Wait& wait, Clock::time_point deadline);
  bool is_idle();
  Trouble wait_for_line(const Wait& wait, Clock::time_point deadline, bool& is_late);

  Line& line_;
  Watcher& watcher_;
  void* const cookie_;

  std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  std::deque<std::unique_ptr<Task>> held_;
  Stage stage_ = Stage::kNew;                              // of the front
  bool is_front_dropped_ = false;                          // while kBusy
  Clock::time_point deadline_ = Clock::time_point::max();  // of the front, while kWaiting
  uint64_t submitted_ = 0;                                 // the place of the latest work
  uint64_t passed_ = 0;              // all work up to this place is on the line or done
  std::atomic<uint64_t> aborts_{0};  // written with the lock, read also without it
  std::vector<Check> checks_;
  uint32_t reporters_ = 0;  // threads that are reporting faults to the runtime
  uint64_t token_ = 0;      // of the latest callout
  bool is_callout_done_ = false;
  std::shared_ptr<Link> link_;  // of the front, if it is a callout that was started
  Spans spans_;
};

}  // namespace ferry::cuda
