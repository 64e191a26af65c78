// SPDX-License-Identifier: Apache-2.0
// One in-order queue of tasks: what a stream is to this backend. Tasks go to a CUDA stream, the
// line, as long as CUDA can run them without help of the host; what cannot is a stop, and it and
// all behind it are held here until it is over. So a line never waits for the host: whoever waits
// for a line, or for the device as cudaFree does, comes to an end.
#pragma once

#include "backends/cuda/plugin/host.h"
#include "backends/cuda/queue/line.h"
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

// Who visits queues that have something to do beside submissions. Its lock comes after all others.
class Watcher {
 public:
  virtual ~Watcher() = default;
  // Queue::advance is to be called soon, by one thread at a time.
  virtual void post(Queue& queue) = 0;
  // The queue is not visited any more when this returns.
  virtual void forget(Queue& queue) = 0;
};

// Ties a queue to work of the host that it waits for. Either side may go first. Its lock comes
// before that of the queue.
struct Link {
  std::mutex mutex;  // guards queue; held while the queue is told, so that it cannot go meanwhile
  Queue* queue = nullptr;
  uint64_t token = 0;
};

// What the runtime holds while the host does something in queue order.
struct Callout {
  std::shared_ptr<Link> link;
};
// The work is done: the queue goes on, if it is still there.
void finish(std::unique_ptr<Callout> callout);

// May be shared between threads.
class Queue {
 public:
  Queue(Line& line, Watcher& watcher, void* cookie);
  // Drops what is held and waits for what is on the line.
  ~Queue();
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  // ---- for submitters: 0, or what CUDA said ----

  // The short way: nothing is allocated while the queue is open and the addresses hold.
  int submit_copies(const ferryx_task& origin, const ferryx_copies& copies);
  int submit_columns(const ferryx_task& origin, const ferryx_columns& columns);
  int submit(std::unique_ptr<Task> task);
  int query(bool& is_done);
  // 0, 507046 or 107023, or what CUDA said.
  int synchronize(int64_t timeout);
  enum class Waiters { kUntold, kAborted };
  void drop_tasks(Waiters waiters);
  // As drop_tasks, and returns when no call into the host is under way.
  void abort();

  // ---- for the watcher, markers, flags and links ----

  // What the queue needs next when nothing is posted.
  struct Visit {
    bool polls = false;  // it waits for CUDA, which has to be asked
    bool has_moved = false;
    Clock::time_point deadline = Clock::time_point::max();
  };
  // Does what can be done now. Only the watcher calls it, from one thread at a time.
  Visit advance();
  // Something that the queue waits for has happened.
  void wake() { watcher_.post(*this); }
  void finish_callout(uint64_t token);

 private:
  using Lock = std::unique_lock<std::mutex>;
  // The queue is open when nothing is held: a submission goes to the line during the call. The
  // front of what is held is always a stop or about to be handed over; its stage is
  // kNew       not looked at yet: it may turn out that it can be handed over
  // kDraining  its turn comes when the line has run dry; nothing is submitted meanwhile, so an idle
  //            line means that all before it is over
  // kWaiting   its turn has come, and it waits for a marker, a flag or the host
  // kBusy      the watcher's thread calls into the host on its behalf, without the lock; nobody
  //            else takes it away, a drop only notes that it is to go
  enum class Stage { kNew, kDraining, kWaiting, kBusy };

  // A task on the line that may yet turn out to have failed.
  struct Check {
    ferryx_task origin{};
    FaultSlot* slot = nullptr;
    uint64_t place = 0;  // of the task in the queue
    bool is_reported = false;
  };

  // What waits: everything up to a place, unless the queue is aborted.
  struct Wait {
    uint64_t target = 0;
    uint64_t aborts = 0;
  };

  bool is_stopped() const;
  // submit_copies and submit_columns; `copy` hands the work to the line.
  template <class Work, class Copy>
  int submit_now_or_later(const ferryx_task& origin, const Work& work, Copy copy);
  // Hands the task to the line if nothing has to happen before: then true, with what CUDA said.
  bool try_now(Task& task, Trouble& trouble);
  bool try_await(Task& task, Trouble& trouble);
  Trouble hand_over(Task& task);
  Trouble hand_over_checked(Task& task);
  Trouble record(Task& task);

  // Steps of advance(); each returns nothing when the front is over.
  std::optional<Visit> step_front(Lock& lock);
  std::optional<Visit> reach_front(Lock& lock);
  std::optional<Visit> wait_front(Lock& lock);
  std::optional<Visit> wait_for_marker(Lock& lock);
  std::optional<Visit> time_out_or(Lock& lock, const Visit& visit);
  std::optional<Visit> start_callout(Lock& lock);
  void run_late(Lock& lock);
  void pass_front();
  void unpark_front();

  // Calls the host without the lock; the front stays.
  void report_front(Lock& lock, int code, const std::string& text);
  // Reports what checks have shown, and lets go those up to `done`.
  void collect_checks(Lock& lock, uint64_t done);
  void collect_known_checks(Lock& lock);
  void report(Lock& lock, const ferryx_task& origin, int code, const std::string& text);

  bool wait_for_hand_over(Lock& lock, const Wait& wait, Clock::time_point deadline);
  Trouble wait_for_line(const Wait& wait, Clock::time_point deadline, bool& is_late);

  Line& line_;
  Watcher& watcher_;
  void* const cookie_;

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::deque<std::unique_ptr<Task>> held_;
  Stage stage_ = Stage::kNew;                              // of the front
  bool is_front_dropped_ = false;                          // while kBusy
  Clock::time_point deadline_ = Clock::time_point::max();  // of the front, while kWaiting
  uint64_t submitted_ = 0;                                 // the place of the latest task
  uint64_t passed_ = 0;              // all up to this place are on the line or over
  std::atomic<uint64_t> aborts_{0};  // changed with the lock, read without it, too
  std::vector<Check> checks_;
  uint32_t reporters_ = 0;  // threads that tell the runtime about a check
  uint64_t token_ = 0;      // of the latest callout
  bool is_callout_done_ = false;
  std::shared_ptr<Link> link_;  // of the front, when it is a callout that was started
};

}  // namespace ferry::cuda
