// SPDX-License-Identifier: Apache-2.0
// Several works at once: the lanes of models.
#include "backends/cpu/copy.h"
#include "backends/cpu/queue.h"
#include "base/pause.h"

#include <memory>
#include <utility>

namespace ferry::cpu {
namespace {

// One task per work. When it throws, no task holds anything.
void adopt_all(const TaskList& tasks, std::span<const ferryx_work> works) {
  Task* task = tasks.front();
  try {
    for (const ferryx_work& work : works) {
      task->adopt(work);
      task = task->next;
    }
  } catch (...) {
    for (Task* adopted = tasks.front(); adopted != task; adopted = adopted->next)
      adopted->let_go();
    throw;
  }
}

}  // namespace

void Queue::submit_all(std::span<const ferryx_work> works) {
  TaskList tasks;
  {
    const Lock lock = lock_soon(mutex_);
    for (const ferryx_work& work : works)
      tasks.push_back(pool_.take(is_quick_to_adopt(work) ? 1 : count_items(work)).release());
  }
  adopt_all(tasks, works);
  Lock lock = lock_soon(mutex_);
  while (!tasks.empty())
    enlist(std::unique_ptr<Task>(tasks.pop_front()));
  News news;
  if (state_ == State::kIdle) {
    unready_queries_ = 0;
    news = settle();
  }
  lock.unlock();
  if (engine_.shuffles()) return announce(news);
  run_quick_front();
}

}  // namespace ferry::cpu
