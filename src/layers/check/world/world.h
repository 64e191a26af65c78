// SPDX-License-Identifier: Apache-2.0
// The checker's model of the program, under one lock: memory, objects, queues with the tasks in
// flight, and the order between them. The front and the exported functions tell it what happens;
// it calls the hooks of the rules.
//
// A task is in flight from the call that queued it until the host has learnt that it is done.
#pragma once

#include "layers/check/order/history.h"
#include "layers/check/order/order.h"
#include "layers/check/rules/rule.h"
#include "layers/check/world/block_book.h"
#include "layers/check/world/memory_book.h"
#include "layers/check/world/object_book.h"
#include "layers/check/world/run.h"
#include "layers/check/world/task.h"
#include "layers/check/world/value_book.h"

#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <vector>

namespace ferry::layers::check {

// How the life of memory ends.
struct MemoryEnd {
  const char* function = "";  // the exported function that ends it
  SiteId site = kNoSite;
  int thread = 0;  // the kernel's id of the thread that called it
  // What is known to be done by then: all that the host knows, or what a queue knows in whose order
  // the life ends.
  Knowledge knowledge;
  bool is_in_queue_order = false;
};

// The work of one stream.
struct QueueState {
  QueueId id = kHost;
  uint32_t device = 0;
  int32_t stream = -1;                          // id of the stream, as programs see it
  uint64_t submitted = 0;                       // number of the latest task
  std::deque<std::shared_ptr<Task>> in_flight;  // in order
  std::function<bool()> is_stopped;             // whether a failure makes it drop all its work
  uint64_t host_work = 0;                       // host functions that are queued or running
  uint64_t waits = 0;                           // waits for markers and flags that have not ended
  bool is_lane = false;                         // of a model, not of a stream
  std::shared_ptr<Run> run;                     // of a lane: the latest run that it has joined
  uint64_t launched_in = 0;  // the epoch that what is submitted relies on; 0: the present one
};

// May be shared between threads: every function that changes it takes the lock itself, unless it
// says otherwise. The lock is never held while the API or a backend is called. They do not throw
// for lack of memory: queues and destructors call them.
class World {
 public:
  static World& instance();

  // ---- called by the front ----
  // `is_stopped` is called with the lock held and must not take a lock itself.
  QueueId add_queue(uint32_t device, int32_t stream, std::function<bool()> is_stopped,
                    bool is_lane = false);
  // kHost when the stream has no queue.
  QueueId queue_of_stream(int32_t stream);
  void remove_queue(QueueId queue);
  // The current call destroys the stream and is about to drop its work.
  void end_queue(QueueId queue);

  // The task is about to be queued. It gets its moment, and its host memory is watched from now on.
  void submit(const std::shared_ptr<Task>& task, QueueId queue);
  // The backend has accepted it. If its announcement was dropped before, it starts now.
  void accept(const std::shared_ptr<Task>& task);
  // It will not run: the backend refused or dropped it.
  void drop(Task& task);
  // It is about to run. When its turn is over, it was dropped: a backend need not wait for the
  // thread that is about to call this.
  void start(Task& task);
  // Work is about to be executed during the call.
  void work_now(Task& task);

  // A run of a model is about to be queued: it gets its moment, and its announced tasks are in
  // flight. Its queue has come to it; it is over, or was dropped or refused.
  void run_queued(const std::shared_ptr<Run>& run, QueueId queue);
  void run_reached(Run& run);
  void run_over(Run& run, bool has_run);
  // What is submitted to the queue next is a lane of the run, up to the lane's end. nullptr when
  // the run is not known.
  std::shared_ptr<Run> lane_joins(QueueId lane, uint64_t run);
  Moment lane_end_queued(QueueId lane);
  void lane_over(Run& run, const Moment& end, bool is_dropped);
  // The work of a lane is dropped: what its run has not submitted will not be.
  void lane_emptied(QueueId lane);

  // The host has learnt that the tasks of a queue up to `number`, or all a marker knows, are done.
  uint64_t submitted(QueueId queue);
  void host_learns(QueueId queue, uint64_t number);
  void host_learns(const Knowledge& knowledge);
  // A call has failed: the host now knows that streams stopped by a failure drop their work.
  void host_learns_of_stops();

  // Points in a queue that others wait for: markers and flags.
  Moment submit_point(QueueId queue);
  void drop_point(const Moment& point);
  Knowledge publish(const Moment& point);
  // What is known behind a point that was dropped: all that precedes it was dropped too, or is
  // done.
  Knowledge behind(const Moment& dropped);
  // What is known behind a point that another process has reached: it may have waited for anything
  // that is done.
  Knowledge all_done();
  // A wait for such a point: queued, ended, or dropped; with what the point has published.
  Moment wait_queued(QueueId queue);
  void wait_over(const Moment& wait, const Knowledge& knowledge);
  void wait_dropped(const Moment& wait, const Knowledge& knowledge);

  // Values in memory. A queue stores one: whatever waits for it relies on the task and all before
  // it.
  void value_stored(const Moment& task, const void* address, uint64_t value);
  // A wait that was queued with wait_queued has ended, or was dropped.
  void value_wait_over(const Moment& wait, const ferryx_value& awaited);
  void value_wait_dropped(const Moment& wait, const ferryx_value& awaited);

  // Host functions in queue order: queued, started, ended (or dropped).
  Moment host_work_queued(QueueId queue);
  void host_work_starts(const Moment& work);
  void host_work_over(const Moment& work, bool has_run);
  // Functions that act as kernels, on the calling thread. They may write any memory.
  void function_starts(const std::shared_ptr<Task>& function);
  void function_over(const Task& function);
  // Kernels whose ranges are those of a task, on the calling thread. `uses` collects what else they
  // ask for.
  void kernel_starts(const std::shared_ptr<Task>& uses);
  void kernel_over(const Task& uses);
  // The function that runs on this thread has asked for an address in device memory.
  void function_uses(const void* address);

  void memory_made(const ferryx_memory& memory);
  // `queued`: not by the current call, but in the order of a queue.
  void memory_ends(const void* address, const MemoryEnd* queued = nullptr);
  // Host memory of the program. Memory that the world knows already keeps its kind.
  void memory_registered(const ferryx_memory& memory);
  void memory_unregistered(const void* address);
  // An address at which the bytes of host memory are accessible even while they are guarded.
  void* unguarded(void* address);
  // Freed memory is returned to the backend: from now on others may get the same address.
  void memory_given_back(const void* address);
  // Physical memory is mapped at reserved addresses, unmapped, and the addresses are released.
  void memory_mapped(const ferryx_memory& part, const void* reservation);
  void mapping_ends(const ferryx_memory& part);
  // Other processes may write to it from now on, in an order that is not known here.
  void memory_shared(const ferryx_memory& part);
  void addresses_released(const ferryx_memory& range);

  // The program's own allocator hands out a block of device memory, and takes it back.
  void block_taken(const void* address);
  void block_released(const void* address);

  // ---- called around exported functions and by guards ----
  void tell_before(const Call& call);
  void tell_after(const Call& call, aclError code);
  void tell_touch(const Touch& touch);
  void tell_end();

  // Objects of the API, such as streams and events.
  void object_made(const Object& object);
  void object_ends(void* handle, SiteId site);

  // A caller of the functions above ran out of memory before it could tell.
  void forget_everything();
  // Memory ran out: nothing is followed and nothing is reported any more.
  bool has_given_up() const { return has_given_up_.load(std::memory_order_acquire); }

  // ---- for rules and other callers that hold the lock ----
  const Order& order() const { return order_; }
  MemoryBook& memory() { return memory_; }
  ObjectBook& objects() { return objects_; }
  const BlockBook& blocks() const { return blocks_; }
  // Calls `visit` for each range of a task in flight that overlaps `range`, with its index. A
  // function counts until it has returned, except to itself: it may outlive its queue.
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
  struct RunningFunction {
    int thread = 0;  // the kernel's thread id
    std::shared_ptr<Task> task;
  };

  World() = default;

  // Changes the model under the lock. If there is no memory to do so, the model would be wrong from
  // then on: the checker gives up.
  template <class Change>
  auto model(Change change) -> decltype(change());
  void give_up();

  void begin(Task& task);
  void forget(Task& task);
  // nullptr when none runs on that thread.
  Task* function_on(int thread);
  void end_memory(const Allocation& allocation, const MemoryEnd& end);
  // Tasks that are done by then, though the host does not know it, do not use the memory any more.
  void end_uses(const Range& range, const Knowledge& knowledge);
  // By the current call, made at `site`.
  MemoryEnd end_by_call(SiteId site) const;
  bool may_be_prepared_by_host(const QueueState& queue) const;
  void take_over(QueueState& lane, Task& task);
  bool has_run_of(uint32_t model) const;
  void forget_announced(Run& run);
  void withdraw(Task& announced);
  void place(Task& task);
  void watch(Task& task);
  void watch_range(Task& task, const TaskRange& range);
  std::vector<Range> writes_under_way(const Range& box) const;
  void watch_deferred();
  void unwatch(Task& task);
  void compare_contents(Task& task);
  void look_for_unmapped(Task& task);
  static void fill_unmapped(const Task& task);
  void void_watches(const Range& range, const Task* writer);
  void record_accesses(Task& task, const Knowledge& knowledge);
  void mark_written(const Task& task);
  void settle();
  QueueState* find_queue(QueueId queue);
  Knowledge known_after(const ferryx_value& awaited, const Knowledge& before);
  bool may_be_stored_elsewhere(const Range& range, const Knowledge& before);
  Moment next_point(QueueState& queue);
  Submitted submitted_by_now();

  std::atomic<bool> has_given_up_{false};

  mutable std::mutex mutex_;  // guards all of the following
  Order order_;
  History history_;
  ValueBook values_;
  MemoryBook memory_;
  ObjectBook objects_;
  BlockBook blocks_;
  std::map<QueueId, QueueState> queues_;
  std::map<uint64_t, std::shared_ptr<Run>> runs_;  // queued or under way, by number
  uint64_t host_work_ = 0;                         // sum over all queues
  std::vector<RunningFunction> functions_;
  std::vector<std::weak_ptr<Task>>
      deferred_;  // to be watched once the queued host functions have ended
};

template <class Change>
auto World::model(Change change) -> decltype(change()) {
  const std::lock_guard lock(mutex_);
  if (!has_given_up()) {
    try {
      return change();
    } catch (const std::bad_alloc&) {
      give_up();
    }
  }
  return decltype(change())();
}

}  // namespace ferry::layers::check
