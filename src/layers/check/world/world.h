// SPDX-License-Identifier: Apache-2.0
// Everything the layer knows of the program, under one lock: memory, objects, streams with the work
// that is in flight, and what is ordered with what. The front and the exported functions tell it
// what happens; it tells the rules.
//
// In flight is a task from the call that queued it until the host has learnt that it is done.
#pragma once

#include "layers/check/order/history.h"
#include "layers/check/order/order.h"
#include "layers/check/rules/rule.h"
#include "layers/check/world/memory_book.h"
#include "layers/check/world/object_book.h"
#include "layers/check/world/task.h"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace ferry::layers::check {

// One stream's work, as the layer sees it.
struct QueueState {
  QueueId id = kHost;
  uint32_t device = 0;
  int32_t stream = -1;                          // id of the stream, as programs see it
  uint64_t submitted = 0;                       // number of the latest task
  std::deque<std::shared_ptr<Task>> in_flight;  // in order
  std::function<bool()> is_stopped;             // whether a failure makes it drop all its work
  uint64_t host_work = 0;                       // functions of the host that are queued or run
  uint64_t waits = 0;                           // waits for others that are not over
};

// May be shared between threads: every function that changes it takes the lock itself, unless it
// says otherwise. The lock is never held while the API or a backend is called.
class World {
 public:
  static World& instance();

  // ---- told by the front ----
  // `is_stopped` is called with the lock held, and may take none.
  QueueId add_queue(uint32_t device, int32_t stream, std::function<bool()> is_stopped);
  // kHost when there is none.
  QueueId queue_of_stream(int32_t stream);
  void remove_queue(QueueId queue);
  // The current call ends the stream and is about to drop its work.
  void end_queue(QueueId queue);

  // A task is about to be queued: gets its moment, and its host memory is watched from now on.
  void submit(const std::shared_ptr<Task>& task, QueueId queue);
  // The backend has accepted it.
  void accept(const Task& task);
  // It will not run: refused or dropped.
  void drop(Task& task);
  // It is about to run.
  void start(Task& task);
  // Work that is done during the call, before it is done.
  void work_now(Task& task);

  // The host has learnt that a queue, or what a marker stands for, is done.
  uint64_t submitted(QueueId queue);
  void host_learns(QueueId queue, uint64_t number);
  void host_learns(const Knowledge& knowledge);
  // A call has failed: the host knows now that streams which a failure has stopped drop their work.
  void host_learns_of_stops();

  // Points that others wait for.
  Moment submit_point(QueueId queue);
  void drop_point(const Moment& point);
  Knowledge publish(const Moment& point);
  // A wait for such a point: queued, over, or dropped.
  Moment wait_queued(QueueId queue);
  void wait_over(const Moment& wait, const Knowledge& knowledge);
  void wait_dropped(const Moment& wait);

  // Functions of the host in queue order: queued, started, over (or dropped).
  Moment host_work_queued(QueueId queue);
  void host_work_starts(const Moment& work);
  void host_work_over(const Moment& work, bool has_run);
  // Functions of the host that play a kernel, on the calling thread. They may write any memory.
  void kernel_starts(const Moment& kernel);
  void kernel_over(const Moment& kernel);

  void memory_made(const ferryx_memory& memory);
  void memory_ends(const void* address);
  // Host memory of the program; what lies in memory of the runtime already stays what it is.
  void memory_registered(const ferryx_memory& memory);
  void memory_unregistered(const void* address);
  // Where the bytes of host memory can be reached whatever is guarded.
  void* unguarded(void* address);
  // Freed host memory has gone back to the system: the program may get the address from others.
  void memory_given_back(const void* address);

  // ---- told by the exported functions ----
  void tell_before(const Call& call);
  void tell_after(const Call& call, aclError code);
  void tell_touch(const Touch& touch);
  void tell_end();

  // ---- for rules and for those who hold the lock ----
  std::mutex& mutex() { return mutex_; }
  const Order& order() const { return order_; }
  MemoryBook& memory() { return memory_; }
  ObjectBook& objects() { return objects_; }
  // Calls `visit` for each task in flight that touches bytes of `range`, with the index of the
  // range.
  void each_in_flight(const Range& range,
                      const std::function<void(const Task&, size_t)>& visit) const;
  // Tasks in flight of one queue.
  std::vector<const Task*> in_flight_of(QueueId queue) const;
  std::vector<const Task*> all_in_flight() const;

  // Whether a task in flight uses any of these bytes. Takes the lock.
  bool is_in_use(const Range& range);

  // "stream 0x…", "the default stream of device 0", "the host"
  std::string describe_queue(QueueId queue) const;
  // "0x… (offset 64 in 4096 bytes of device memory at 0x…)"
  std::string describe_address(uintptr_t address);

 private:
  World() = default;

  void end_memory(const Allocation& allocation, SiteId site);
  bool may_be_prepared_by_host(const QueueState& queue) const;
  void place(Task& task);
  void watch(Task& task);
  void watch_range(Task& task, const TaskRange& range);
  std::vector<Range> writes_under_way(const Range& box) const;
  void watch_deferred();
  void unwatch(Task& task);
  void compare_contents(Task& task);
  void void_watches(const Range& range, const Task& writer);
  void record_accesses(Task& task, const Knowledge& knowledge);
  void mark_written(const Task& task);
  void settle();
  QueueState* find_queue(QueueId queue);
  Moment next_point(QueueState& queue);

  mutable std::mutex mutex_;  // guards all of the following
  Order order_;
  History history_;
  MemoryBook memory_;
  ObjectBook objects_;
  std::map<QueueId, QueueState> queues_;
  uint64_t host_work_ = 0;           // sum over all queues
  std::vector<int> device_threads_;  // that play the device now, by the system's numbers
  std::vector<std::weak_ptr<Task>>
      deferred_;  // to be watched once the host's own queued work is over
};

}  // namespace ferry::layers::check
