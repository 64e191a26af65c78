// SPDX-License-Identifier: Apache-2.0
// The happens-before relation, kept as short lists per queue. Three facts keep them short. Anything
// that starts from now on knows at least the epoch of the oldest unstarted task. What the host knew
// by an epoch is implied by that epoch. What the host has learnt, it never has to learn again.
#include "layers/check/order/order.h"

#include <algorithm>

namespace ferry::layers::check {
namespace {

constexpr uint64_t kNever = UINT64_MAX;

// Limits for programs in which one task never starts, or in which the host never learns anything.
// Beyond them neighbours are merged, so that something counts as known slightly too early.
constexpr size_t kMostSteps = 1024;
constexpr size_t kMostLessons = 256;
constexpr size_t kMostRemoved = 4096;

// Merges every second element into the one before it.
template <class T, class Join>
void halve(std::vector<T>& list, Join join) {
  size_t kept = 0;
  for (size_t i = 0; i < list.size(); i += 2) {
    if (i + 1 < list.size()) join(list[i], list[i + 1]);
    if (kept != i) list[kept] = std::move(list[i]);
    ++kept;
  }
  list.resize(kept);
}

}  // namespace

void Knowledge::join(const Knowledge& other) {
  epoch = std::max(epoch, other.epoch);
  for (const auto& [queue, number] : other.queues) {
    uint64_t& mine = queues[queue];
    mine = std::max(mine, number);
  }
}

QueueId Order::add_queue() {
  forget_removed();
  queues_.try_emplace(++last_queue_);
  return last_queue_;
}

void Order::remove_queue(QueueId id) {
  Queue* queue = find(id);
  if (queue == nullptr) return;
  for (const Waiting& task : queue->waiting) {
    count_out(task.epoch);
  }
  queue->waiting = {};
  host_learns(id, queue->submitted);
  queue->learnt = {};
  removed_.push_back({id, epoch_});
  forget_removed();
}

Moment Order::submit(QueueId id) {
  return submit(id, epoch_);
}

Moment Order::submit(QueueId id, uint64_t epoch) {
  Queue* queue = find(id);
  if (queue == nullptr) return {id, 0};
  queue->waiting.push_back({++queue->submitted, epoch});
  ++unstarted_.try_emplace(unstarted_.end(), epoch, 0)->second;
  return {id, queue->submitted};
}

uint64_t Order::hold() {
  ++unstarted_.try_emplace(unstarted_.end(), epoch_, 0)->second;
  return epoch_;
}

void Order::drop(const Moment& task) {
  Queue* queue = find(task.queue);
  if (queue == nullptr) return;
  auto& waiting = queue->waiting;
  const auto found =
      std::lower_bound(waiting.begin(), waiting.end(), task.number,
                       [](const Waiting& one, uint64_t number) { return one.number < number; });
  if (found == waiting.end() || found->number != task.number) return;
  count_out(found->epoch);
  waiting.erase(found);
}

Moment Order::act() {
  return {kHost, ++epoch_};
}

void Order::host_learns(QueueId queue, uint64_t number) {
  ++epoch_;  // tasks queued before do not know it
  learn(queue, number, number + 1);
}

void Order::host_learns(const Knowledge& knowledge) {
  ++epoch_;
  for (const auto& [queue, number] : knowledge.queues) {
    learn(queue, number, number);
  }
}

Knowledge Order::start(const Moment& task) {
  Queue* queue = find(task.queue);
  if (queue == nullptr) return host_knowledge();
  come_to(*queue, task.number);
  Knowledge knowledge = queue->learnt;
  if (task.number > 1) knowledge.queues[task.queue] = task.number - 1;
  return knowledge;
}

Knowledge Order::publish(const Moment& task) {
  Queue* queue = find(task.queue);
  if (queue == nullptr) return host_knowledge();
  come_to(*queue, task.number);
  return behind(task);
}

Knowledge Order::behind(const Moment& dropped) const {
  const auto found = queues_.find(dropped.queue);
  if (found == queues_.end()) return host_knowledge();
  Knowledge knowledge = found->second.learnt;
  knowledge.queues[dropped.queue] = dropped.number;
  return knowledge;
}

Knowledge Order::all_done() const {
  Knowledge knowledge = host_knowledge();
  for (const auto& [id, queue] : queues_) {
    // It has come to a task that may still run.
    if (queue.reached > 1) knowledge.queues[id] = queue.reached - 1;
  }
  return knowledge;
}

Knowledge Order::all_reached() const {
  Knowledge knowledge = host_knowledge();
  for (const auto& [id, queue] : queues_) {
    if (queue.reached > 0) knowledge.queues[id] = queue.reached;
  }
  return knowledge;
}

void Order::queue_learns(QueueId id, const Knowledge& knowledge) {
  Queue* queue = find(id);
  if (queue == nullptr) return;
  Knowledge of_others = knowledge;
  of_others.queues.erase(id);
  queue->learnt.join(of_others);
  forget_implied(queue->learnt);
  add_lesson(*queue, of_others);
}

void Order::queue_learns_host(QueueId id) {
  Queue* queue = find(id);
  if (queue == nullptr) return;
  queue->learnt.epoch = epoch_;
  forget_implied(queue->learnt);
}

bool Order::is_before(const Moment& earlier, const Knowledge& knowledge) const {
  if (earlier.queue == kHost) return earlier.number <= knowledge.epoch;
  const auto found = knowledge.queues.find(earlier.queue);
  if (found != knowledge.queues.end() && found->second >= earlier.number) return true;
  return known_since(earlier.queue, earlier.number) <= knowledge.epoch;
}

bool Order::is_known(const Moment& earlier) const {
  return is_before(earlier, host_knowledge());
}

bool Order::is_passed(const Moment& task) const {
  const auto found = queues_.find(task.queue);
  return found == queues_.end() || found->second.reached > task.number || is_known(task);
}

bool Order::is_past(const Moment& earlier) const {
  const uint64_t since =
      earlier.queue == kHost ? earlier.number : known_since(earlier.queue, earlier.number);
  return since <= oldest_epoch();
}

size_t Order::size() const {
  size_t count = queues_.size() + unstarted_.size() + removed_.size();
  for (const auto& [id, queue] : queues_) {
    count += queue.waiting.size() + queue.known.size() + queue.learnt.queues.size();
    for (const Lesson& lesson : queue.lessons) {
      count += lesson.knowledge.queues.size();
    }
  }
  return count;
}

Order::Queue* Order::find(QueueId queue) {
  const auto found = queues_.find(queue);
  return found == queues_.end() ? nullptr : &found->second;
}

void Order::come_to(Queue& queue, uint64_t number) {
  while (!queue.waiting.empty() && queue.waiting.front().number <= number) {
    const uint64_t epoch = queue.waiting.front().epoch;
    queue.learnt.epoch = std::max(queue.learnt.epoch, epoch);
    count_out(epoch);
    queue.waiting.pop_front();
  }
  queue.reached = std::max(queue.reached, number);
}

// One task of this epoch will no longer start.
void Order::count_out(uint64_t epoch) {
  const auto found = unstarted_.find(epoch);
  if (--found->second == 0) unstarted_.erase(found);
}

// The lowest epoch that anything starting from now on relies on.
uint64_t Order::oldest_epoch() const {
  return unstarted_.empty() ? epoch_ : unstarted_.begin()->first;
}

uint64_t Order::known_since(QueueId id, uint64_t number) const {
  const auto found = queues_.find(id);
  if (found == queues_.end() || number == 0) return 0;
  const auto& known = found->second.known;
  const auto step =
      std::lower_bound(known.begin(), known.end(), number,
                       [](const KnownStep& one, uint64_t wanted) { return one.up_to < wanted; });
  return step == known.end() ? kNever : step->epoch;
}

// The host learns it in the present epoch, with the lessons of the queue before `lessons_before`.
// Knowing that a task is done includes all its lessons. What was published in a task already
// contains the lessons up to then, and not those the same task learnt later. Lessons are removed
// before they are followed, so that the recursion ends for queues that waited for each other.
void Order::learn(QueueId id, uint64_t number, uint64_t lessons_before) {
  Queue* queue = find(id);
  if (queue == nullptr) return;
  add_step(*queue, std::min(number, queue->submitted));
  const auto rest = std::find_if(queue->lessons.begin(), queue->lessons.end(),
                                 [&](const Lesson& one) { return one.number >= lessons_before; });
  Knowledge learnt;
  for (auto one = queue->lessons.begin(); one != rest; ++one) {
    learnt.join(one->knowledge);
  }
  queue->lessons.erase(queue->lessons.begin(), rest);
  for (const auto& [other, last] : learnt.queues) {
    learn(other, last, last);
  }
}

void Order::add_step(Queue& queue, uint64_t number) {
  auto& known = queue.known;
  if (number <= (known.empty() ? 0 : known.back().up_to)) return;
  known.push_back({number, epoch_});
  // Steps known to everything that starts from now on are merged into one.
  const auto news =
      std::find_if(known.begin(), known.end(),
                   [oldest = oldest_epoch()](const KnownStep& one) { return one.epoch > oldest; });
  if (news - known.begin() > 1) {
    std::prev(news)->epoch = known.front().epoch;
    known.erase(known.begin(), std::prev(news));
  }
  if (known.size() > kMostSteps) {
    halve(known, [](KnownStep& one, const KnownStep& next) { one.up_to = next.up_to; });
  }
}

// Keeps what the host does not know yet, for when it learns that the queue has come this far.
void Order::add_lesson(Queue& queue, const Knowledge& knowledge) {
  auto& lessons = queue.lessons;
  lessons.push_back({queue.reached, knowledge});
  forget_known(lessons.back().knowledge);
  if (lessons.back().knowledge.queues.empty()) lessons.pop_back();
  if (lessons.size() <= kMostLessons) return;
  for (Lesson& one : lessons) {
    forget_known(one.knowledge);
  }
  std::erase_if(lessons, [](const Lesson& one) { return one.knowledge.queues.empty(); });
  halve(lessons, [](Lesson& one, const Lesson& next) { one.knowledge.join(next.knowledge); });
}

// Removes what the host knows already.
void Order::forget_known(Knowledge& knowledge) const {
  std::erase_if(knowledge.queues, [&](const auto& one) {
    return is_known({one.first, one.second});
  });
}

// Removes what its epoch implies.
void Order::forget_implied(Knowledge& knowledge) const {
  std::erase_if(knowledge.queues, [&](const auto& one) {
    return known_since(one.first, one.second) <= knowledge.epoch;
  });
}

// A queue without a record counts as always known. That is true once everything that can still
// start knows it.
void Order::forget_removed() {
  while (!removed_.empty() &&
         (removed_.front().epoch <= oldest_epoch() || removed_.size() > kMostRemoved)) {
    queues_.erase(removed_.front().queue);
    removed_.pop_front();
  }
}

}  // namespace ferry::layers::check
