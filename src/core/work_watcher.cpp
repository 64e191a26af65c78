// SPDX-License-Identifier: Apache-2.0
// The list of all queues. Invariant: while there is a watcher, it knows exactly the queues that are
// listed.
#include "core/work_watcher.h"

#include "base/never_destroyed.h"
#include "core/device.h"

#include <mutex>

namespace ferry {
namespace {

struct QueueList {
  std::mutex mutex;  // guards the list, and changes of the watcher
  ListedQueue* first = nullptr;
};

QueueList& all_queues() {
  static NeverDestroyed<QueueList> instance;
  return *instance;
}

}  // namespace

Status ListedQueue::make(Device& device, const ferryx_queue_settings& settings) {
  ferryx_queue* made = nullptr;
  FERRY_RETURN_IF_ERROR(Status(device.backend().queue_create(device.handle(), &settings, &made)));
  facts_ = {.backend = &device.backend(),
            .queue = made,
            .device = device.id(),
            .stream = settings.stream};
  QueueList& list = all_queues();
  const std::lock_guard lock(list.mutex);
  next_ = list.first;
  if (next_ != nullptr) next_->previous_ = this;
  list.first = this;
  const WorkWatcher* const watcher = work_watcher.load(std::memory_order_relaxed);
  if (watcher != nullptr) watcher->queue_is_there(facts_);
  return {};
}

void ListedQueue::destroy() {
  if (facts_.queue == nullptr) return;
  {
    QueueList& list = all_queues();
    const std::lock_guard lock(list.mutex);
    (previous_ != nullptr ? previous_->next_ : list.first) = next_;
    if (next_ != nullptr) next_->previous_ = previous_;
    const WorkWatcher* const watcher = work_watcher.load(std::memory_order_relaxed);
    if (watcher != nullptr) watcher->queue_ends(facts_);
  }
  facts_.backend->queue_destroy(facts_.queue);
  facts_.queue = nullptr;
}

void set_work_watcher(const WorkWatcher* watcher) {
  QueueList& list = all_queues();
  const std::lock_guard lock(list.mutex);
  const WorkWatcher* const before = work_watcher.exchange(watcher, std::memory_order_acq_rel);
  for (const ListedQueue* each = list.first; each != nullptr; each = each->next_) {
    if (before != nullptr) before->queue_ends(each->facts_);
    if (watcher != nullptr) watcher->queue_is_there(each->facts_);
  }
}

}  // namespace ferry
