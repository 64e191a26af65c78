// SPDX-License-Identifier: Apache-2.0
// The happens-before relation between the host, the tasks of queues, and those that wait for them.
// What the tasks access is not known here.
//
// The host counts as one: what one of its threads has learnt counts as known to all of them from
// then on, because synchronisation between the program's threads is not visible. So the relation
// may hold where a program is wrong, and never fails to hold where it is right.
//
// Everything the host does gets an epoch, an increasing number. A task knows the epoch in which it
// was queued, so "the host had learnt A before it queued B" is one comparison of epochs. What
// queues learn from each other, through markers and flags, is a Knowledge: for some queues, the
// last task known to be done.
//
// Memory is bounded: whatever is dropped or rounded makes the relation hold more often, never less.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <unordered_map>
#include <vector>

namespace ferry::layers::check {

using QueueId = uint32_t;
constexpr QueueId kHost = 0;  // not the id of any queue

// When something happened: task `number` of a queue or, for kHost, an action of the host in epoch
// `number`.
struct Moment {
  QueueId queue = kHost;
  uint64_t number = 0;

  bool operator==(const Moment&) const = default;
};

// What something that starts now can rely on.
struct Knowledge {
  uint64_t epoch = 0;                  // all that the host knew or had done by then
  std::map<QueueId, uint64_t> queues;  // done up to and including this task

  void join(const Knowledge& other);
};

// Not safe to share between threads: protected by the owner's lock. A queue that was removed, or
// never added, counts as one whose tasks were all done long ago.
class Order {
 public:
  QueueId add_queue();
  // Its tasks are done or were dropped: they count as known from now on.
  void remove_queue(QueueId queue);

  // The host queues the next task. Tasks of a queue are numbered from 1.
  Moment submit(QueueId queue);
  // The same, but the task relies on nothing that the host has learnt since `epoch`, which is held.
  Moment submit(QueueId queue, uint64_t epoch);
  // Work that is not submitted yet relies on the present epoch, which this returns. Until it is
  // released, as often as it was held, nothing is forgotten that such work may have to know.
  uint64_t hold();
  void release(uint64_t epoch) { count_out(epoch); }
  // The task will never start. Its number is not used again.
  void drop(const Moment& task);
  // The host itself acts.
  Moment act();
  // What the host itself can rely on now.
  Knowledge host_knowledge() const { return {epoch_, {}}; }

  // The host has learnt that the tasks of the queue up to `number`, and all that they relied on,
  // are done.
  void host_learns(QueueId queue, uint64_t number);
  void host_learns(const Knowledge& knowledge);

  // The following are called in the order in which things happen on the device.
  // A task starts: returns what it can rely on. Earlier tasks that never started are skipped.
  Knowledge start(const Moment& task);
  // The queue has come to this task: returns what can be relied on after waiting for it. The task
  // need not have started.
  Knowledge publish(const Moment& task);
  // The same for a task that was dropped, as all that preceded it or is done: the queue has not
  // come to it.
  Knowledge behind(const Moment& dropped) const;
  // What something can rely on that comes from outside, another process: all that has been done by
  // now. Whatever that process may know of is among it.
  Knowledge all_done() const;
  // The same, and what every queue has come to counts as done: the effect that was seen may be its.
  Knowledge all_reached() const;
  // The queue has waited for what was published, or for the host (its present epoch). It did so in
  // the task it has come to, the last one that started or was published: whatever knows that this
  // task is done has learnt it too.
  void queue_learns(QueueId queue, const Knowledge& knowledge);
  void queue_learns_host(QueueId queue);
  // Removes what says nothing more than the rest of it.
  void shorten(Knowledge& knowledge) const { forget_implied(knowledge); }

  // Whether `earlier` is done for something that relies on `knowledge`; whether the host knows that
  // it is done. The answer is exact for the knowledge of something that starts now.
  bool is_before(const Moment& earlier, const Knowledge& knowledge) const;
  bool is_known(const Moment& earlier) const;
  // Whether it is too late for the task to start: its queue has come to a later one, or the host
  // knows that it is done. Such a task was dropped.
  bool is_passed(const Moment& task) const;
  // Whether nothing that starts from now on, queued already or not, can be unordered with it.
  bool is_past(const Moment& earlier) const;

  // Number of remembered items, to test that memory is bounded. Slow.
  size_t size() const;

 private:
  // Since `epoch` the host knows that the tasks up to `up_to` are done.
  struct KnownStep {
    uint64_t up_to;
    uint64_t epoch;
  };
  // What the queue learnt in task `number` and the host did not know yet.
  struct Lesson {
    uint64_t number;
    Knowledge knowledge;
  };
  // A task that was submitted and has not started yet.
  struct Waiting {
    uint64_t number;
    uint64_t epoch;
  };
  struct Queue {
    uint64_t submitted = 0;  // number of the last task
    uint64_t reached = 0;    // number of the task it has come to
    Knowledge learnt;  // what its next task can rely on, apart from its own past and new epochs
    std::deque<Waiting> waiting;
    std::vector<KnownStep> known;  // invariant: up_to increases, epoch never decreases
    std::vector<Lesson> lessons;   // by increasing number; without those the host has learnt
  };
  struct Removed {
    QueueId queue;
    uint64_t epoch;
  };

  Queue* find(QueueId queue);
  void come_to(Queue& queue, uint64_t number);
  void count_out(uint64_t epoch);
  uint64_t oldest_epoch() const;
  uint64_t known_since(QueueId queue, uint64_t number) const;
  void learn(QueueId queue, uint64_t number, uint64_t lessons_before);
  void add_step(Queue& queue, uint64_t number);
  void add_lesson(Queue& queue, const Knowledge& knowledge);
  void forget_known(Knowledge& knowledge) const;
  void forget_implied(Knowledge& knowledge) const;
  void forget_removed();

  uint64_t epoch_ = 1;
  QueueId last_queue_ = kHost;
  std::unordered_map<QueueId, Queue> queues_;
  std::map<uint64_t, uint64_t> unstarted_;  // epoch -> number of its unstarted tasks
  std::deque<Removed> removed_;             // still needed by unstarted tasks
};

}  // namespace ferry::layers::check
