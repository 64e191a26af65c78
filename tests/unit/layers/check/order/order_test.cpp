// SPDX-License-Identifier: Apache-2.0
// The happens-before relation: small programs by hand, thousands of random ones compared with
// reachability in an event graph, and programs that run for long.
#include "layers/check/order/order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bitset>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace ferry::layers::check {
namespace {

// The naive model: everything that happens is a node, which holds the set of all nodes before it.
class Graph {
 public:
  static constexpr size_t kMostNodes = 512;
  using Nodes = std::bitset<kMostNodes>;

  size_t add(const std::vector<size_t>& after) {
    Nodes before;
    for (const size_t node : after) {
      before |= before_[node];
      before.set(node);
    }
    before_.push_back(before);
    return before_.size() - 1;
  }
  bool is_before(size_t earlier, size_t later) const { return before_[later].test(earlier); }
  size_t size() const { return before_.size(); }

 private:
  std::vector<Nodes> before_;
};

// One random program, applied to the Order and recorded as a graph.
class Program {
 public:
  explicit Program(uint32_t seed) : random_(seed) { host_ = graph_.add({}); }

  void run(size_t steps) {
    for (size_t i = 0; i < steps && graph_.size() + 8 < Graph::kMostNodes; ++i) {
      step();
      if (pick(4) == 0) compare_host();
      if (testing::Test::HasFailure()) return;
    }
    compare_host();
  }
  size_t comparisons() const { return comparisons_; }
  size_t unordered() const { return unordered_; }

 private:
  struct Task {
    Moment moment;
    size_t submitted;  // its node
  };
  struct Queue {
    QueueId id = kHost;
    std::vector<Task> waiting;
    size_t last = 0;           // node of the latest event on the queue
    uint64_t reached = 0;      // number of its current task
    std::vector<size_t> done;  // by task number: the last node before the next task
  };
  struct Event {
    Moment moment;
    size_t node;
  };
  struct Published {
    Knowledge knowledge;
    size_t node;
  };

  size_t pick(size_t count) { return std::uniform_int_distribution<size_t>(0, count - 1)(random_); }
  void host_does(const std::vector<size_t>& after) {
    std::vector<size_t> all = after;
    all.push_back(host_);
    host_ = graph_.add(all);
  }
  // Adds an event of the queue, in its current task.
  void queue_does(Queue& queue, const std::vector<size_t>& after) {
    std::vector<size_t> all = after;
    all.push_back(queue.last);
    queue.last = graph_.add(all);
    queue.done.resize(queue.reached + 1, queue.last);
    queue.done.back() = queue.last;
  }

  void step() {
    if (queues_.empty() || (queues_.size() < 5 && pick(20) == 0)) return add_queue();
    Queue& queue = queues_[pick(queues_.size())];
    switch (pick(16)) {
      case 0:
        events_.push_back({order_.act(), 0});
        host_does({});
        events_.back().node = host_;
        return;
      case 1:
        return host_learns_queue(queue);
      case 2:
        return host_learns_published();
      case 3:
      case 4:
        return queue_learns(queue);
      case 5:
        queue_does(queue, {host_});
        return order_.queue_learns_host(queue.id);
      case 6:
        return drop_one(queue);
      case 7:
        return pick(8) == 0 ? remove(queue) : publish(queue);
      case 8:
        return publish(queue);
      case 9:
      case 10:
      case 11:
      case 12:
        return submit(queue);
      default:
        return start(queue);
    }
  }

  void add_queue() {
    Queue queue;
    host_does({});
    queue.id = order_.add_queue();
    queue.last = host_;
    queue.done = {host_};
    queues_.push_back(std::move(queue));
  }

  void submit(Queue& queue) {
    host_does({});
    queue.waiting.push_back({order_.submit(queue.id), host_});
  }

  void drop_one(Queue& queue) {
    if (queue.waiting.empty()) return;
    const size_t index = pick(queue.waiting.size());
    order_.drop(queue.waiting[index].moment);
    queue.waiting.erase(queue.waiting.begin() + static_cast<ptrdiff_t>(index));
  }

  // The queue moves on to one of its next tasks: mostly the next, sometimes skipping some.
  Task come_to_task(Queue& queue) {
    const size_t index = pick(10) == 0 ? pick(queue.waiting.size()) : 0;
    const Task task = queue.waiting[index];
    queue.waiting.erase(queue.waiting.begin(), queue.waiting.begin() + ptrdiff_t(index) + 1);
    while (queue.reached + 1 < task.moment.number) {
      ++queue.reached;
      queue.done.push_back(queue.last);
    }
    queue.reached = task.moment.number;
    queue_does(queue, {task.submitted});
    return task;
  }

  void start(Queue& queue) {
    if (queue.waiting.empty()) return;
    const Task task = come_to_task(queue);
    compare(order_.start(task.moment), queue.last);
    events_.push_back({task.moment, queue.last});
  }

  void publish(Queue& queue) {
    if (queue.waiting.empty()) return;
    const Task task = come_to_task(queue);
    if (pick(2) == 0) order_.start(task.moment);
    events_.push_back({task.moment, queue.last});
    published_.push_back({order_.publish(task.moment), queue.last});
  }

  void queue_learns(Queue& queue) {
    if (published_.empty()) return;
    const Published& one = published_[pick(published_.size())];
    queue_does(queue, {one.node});
    order_.queue_learns(queue.id, one.knowledge);
  }

  void host_learns_queue(Queue& queue) {
    const uint64_t number = pick(3) == 0 ? pick(queue.reached + 1) : queue.reached;
    host_does({queue.done[number]});
    order_.host_learns(queue.id, number);
  }

  void host_learns_published() {
    if (published_.empty()) return;
    const Published& one = published_[pick(published_.size())];
    host_does({one.node});
    order_.host_learns(one.knowledge);
  }

  void remove(Queue& queue) {
    host_does({queue.last});
    order_.remove_queue(queue.id);
    queues_.erase(queues_.begin() + (&queue - queues_.data()));
  }

  // Compares everything that happened with what is known at `node`.
  void compare(const Knowledge& knowledge, size_t node) {
    for (const Event& event : events_) {
      const bool expected = graph_.is_before(event.node, node);
      ASSERT_EQ(order_.is_before(event.moment, knowledge), expected) << describe(event.moment);
      ++comparisons_;
      unordered_ += expected ? 0 : 1;
    }
  }

  void compare_host() {
    for (const Event& event : events_) {
      const bool is_known = event.node == host_ || graph_.is_before(event.node, host_);
      ASSERT_EQ(order_.is_known(event.moment), is_known) << describe(event.moment);
      bool is_past = is_known;
      for (const Queue& queue : queues_) {
        for (const Task& task : queue.waiting) {
          is_past = is_past && graph_.is_before(event.node, task.submitted);
        }
      }
      ASSERT_EQ(order_.is_past(event.moment), is_past) << describe(event.moment);
    }
  }

  static std::string describe(const Moment& moment) {
    return "queue " + std::to_string(moment.queue) + ", number " + std::to_string(moment.number);
  }

  std::mt19937 random_;
  Order order_;
  Graph graph_;
  size_t host_;  // node of the host's latest event
  std::vector<Queue> queues_;
  std::vector<Event> events_;
  std::vector<Published> published_;
  size_t comparisons_ = 0;
  size_t unordered_ = 0;
};

TEST(OrderTest, agrees_with_reachability_on_random_programs) {
  size_t comparisons = 0;
  size_t unordered = 0;
  for (uint32_t seed = 1; seed <= 2000; ++seed) {
    Program program(seed);
    program.run(seed % 10 == 0 ? 400 : 70);
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
    comparisons += program.comparisons();
    unordered += program.unordered();
  }
  // The programs are only worth running if both results are frequent.
  EXPECT_GT(unordered, comparisons / 10);
  EXPECT_LT(unordered, comparisons * 9 / 10);
}

TEST(OrderTest, tasks_of_one_queue_are_ordered) {
  Order order;
  const QueueId queue = order.add_queue();
  const Moment first = order.submit(queue);
  const Moment second = order.submit(queue);
  order.start(first);
  const Knowledge knowledge = order.start(second);
  EXPECT_TRUE(order.is_before(first, knowledge));
  EXPECT_FALSE(order.is_before(second, knowledge));
  EXPECT_FALSE(order.is_known(first));
}

TEST(OrderTest, a_task_queued_after_the_host_has_learnt_is_ordered_and_one_queued_before_is_not) {
  Order order;
  const QueueId queue = order.add_queue();
  const QueueId other = order.add_queue();
  const Moment first = order.submit(queue);
  const Moment before = order.submit(other);
  order.start(first);
  order.host_learns(queue, first.number);
  const Moment after = order.submit(other);
  EXPECT_FALSE(order.is_before(first, order.start(before)));
  EXPECT_TRUE(order.is_before(first, order.start(after)));
}

TEST(OrderTest, work_that_relies_on_a_held_epoch_does_not_know_what_the_host_has_learnt_since) {
  Order order;
  const QueueId queue = order.add_queue();
  const QueueId lane = order.add_queue();
  const Moment early = order.submit(queue);
  order.start(early);
  order.host_learns(queue, early.number);
  const uint64_t launched = order.hold();
  // Enough to make the order forget what nothing relies on any more.
  Moment late = early;
  for (int i = 0; i < 3000; ++i) {
    late = order.submit(queue);
    order.start(late);
    order.host_learns(queue, late.number);
  }
  const Knowledge knowledge = order.start(order.submit(lane, launched));
  EXPECT_TRUE(order.is_before(early, knowledge));
  EXPECT_FALSE(order.is_before(late, knowledge));
  order.release(launched);
  EXPECT_TRUE(order.is_before(late, order.start(order.submit(lane))));
}

TEST(OrderTest, one_who_started_long_ago_never_comes_to_know_less) {
  Order order;
  const QueueId queue = order.add_queue();
  const Moment first = order.submit(queue);
  order.start(first);
  order.host_learns(queue, first.number);
  const Knowledge old = order.start(order.submit(order.add_queue()));
  ASSERT_TRUE(order.is_before(first, old));
  for (int i = 0; i < 10; ++i) {
    const Moment next = order.submit(queue);
    order.start(next);
    order.host_learns(queue, next.number);
    EXPECT_TRUE(order.is_before(first, old));
  }
}

TEST(OrderTest, the_host_does_not_learn_of_tasks_it_has_not_queued_yet) {
  Order order;
  const QueueId queue = order.add_queue();
  order.host_learns(queue, 10);
  const Moment task = order.submit(queue);
  order.start(task);
  EXPECT_FALSE(order.is_known(task));
}

TEST(OrderTest, the_host_learns_what_a_queue_had_waited_for_by_then) {
  Order order;
  const QueueId producer = order.add_queue();
  const QueueId consumer = order.add_queue();
  const Moment work = order.submit(producer);
  const Moment marker = order.submit(producer);
  const Moment earlier = order.submit(consumer);
  const Moment wait = order.submit(consumer);
  order.start(work);
  const Knowledge published = order.publish(marker);
  order.start(earlier);
  order.start(wait);
  order.queue_learns(consumer, published);
  order.host_learns(consumer, earlier.number);
  EXPECT_FALSE(order.is_known(work));
  order.host_learns(consumer, wait.number);
  EXPECT_TRUE(order.is_known(work));
}

TEST(OrderTest, a_marker_does_not_tell_what_its_queue_learnt_later) {
  Order order;
  const QueueId producer = order.add_queue();
  const QueueId consumer = order.add_queue();
  const Moment work = order.submit(producer);
  order.start(work);
  const Knowledge marker = order.publish(order.submit(consumer));
  order.queue_learns(consumer, order.publish(work));
  order.host_learns(marker);
  EXPECT_FALSE(order.is_known(work));
}

TEST(OrderTest, what_the_host_does_is_before_tasks_it_queues_later) {
  Order order;
  const QueueId queue = order.add_queue();
  const Moment before = order.submit(queue);
  const Moment act = order.act();
  const Moment after = order.submit(queue);
  EXPECT_FALSE(order.is_past(act));
  EXPECT_FALSE(order.is_before(act, order.start(before)));
  EXPECT_TRUE(order.is_past(act));
  EXPECT_TRUE(order.is_before(act, order.start(after)));
}

TEST(OrderTest, a_dropped_task_keeps_nothing_from_being_past) {
  Order order;
  const QueueId queue = order.add_queue();
  const Moment refused = order.submit(queue);
  const Moment act = order.act();
  EXPECT_FALSE(order.is_past(act));
  order.drop(refused);
  EXPECT_TRUE(order.is_past(act));
  order.drop(refused);
  EXPECT_TRUE(order.is_past(act));
}

// One round: each of two queues works and is waited for by the other. Returns the last wait.
Moment run_round(Order& order, QueueId one, QueueId two) {
  Moment wait;
  for (const auto& [first, second] : {std::pair(one, two), std::pair(two, one)}) {
    const Moment work = order.submit(first);
    const Moment marker = order.submit(first);
    wait = order.submit(second);
    order.start(work);
    const Knowledge published = order.publish(marker);
    order.start(wait);
    order.queue_learns(second, published);
  }
  order.act();
  return wait;
}

TEST(OrderTest, does_not_grow_in_a_program_that_synchronises) {
  Order order;
  const QueueId one = order.add_queue();
  const QueueId two = order.add_queue();
  for (int i = 0; i < 5000; ++i) {
    const Moment wait = run_round(order, one, two);
    order.host_learns(wait.queue, wait.number);
  }
  EXPECT_LT(order.size(), 32u);
}

TEST(OrderTest, does_not_grow_for_ever_when_the_host_never_waits) {
  Order order;
  const QueueId one = order.add_queue();
  const QueueId two = order.add_queue();
  for (int i = 0; i < 5000; ++i) {
    run_round(order, one, two);
  }
  EXPECT_LT(order.size(), 2048u);
}

TEST(OrderTest, does_not_grow_with_queues_that_are_gone) {
  Order order;
  const QueueId queue = order.add_queue();
  for (int i = 0; i < 5000; ++i) {
    const QueueId helper = order.add_queue();
    const Moment wait = order.submit(queue);
    const Knowledge published = order.publish(order.submit(helper));
    order.start(wait);
    order.queue_learns(queue, published);
    order.remove_queue(helper);
  }
  EXPECT_LT(order.size(), 512u);
}

TEST(OrderTest, does_not_grow_for_ever_while_one_task_never_starts) {
  Order order;
  const QueueId stuck = order.add_queue();
  const Moment stuck_task = order.submit(stuck);
  const QueueId queue = order.add_queue();
  Moment last;
  for (int i = 0; i < 20000; ++i) {
    last = order.submit(queue);
    order.start(last);
    order.host_learns(queue, last.number);
    order.remove_queue(order.add_queue());
  }
  EXPECT_LT(order.size(), 16384u);
  EXPECT_FALSE(order.is_past({queue, 1}));
  EXPECT_FALSE(order.is_before(last, order.start(stuck_task)));
  EXPECT_TRUE(order.is_past(last));
}

}  // namespace
}  // namespace ferry::layers::check
