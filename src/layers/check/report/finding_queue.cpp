// SPDX-License-Identifier: Apache-2.0
// The thread that reports findings, and the callers that wait for it.
#include "layers/check/report/finding_queue.h"

#include "base/thread.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace ferry::layers::check {
namespace {

// Limit for reporting one finding: its function names may have to be read from large files.
constexpr std::chrono::seconds kLongest{2};

}  // namespace

Status FindingQueue::open(std::function<void(const Finding&)> tell) {
  tell_ = std::move(tell);
  return start_thread("ferry-report", [this] { keep_telling(); });
}

void FindingQueue::push(Finding finding) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(finding));
    pushed_.fetch_add(1);
  }
  changed_.notify_all();
}

void FindingQueue::keep_telling() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return !waiting_.empty(); });
    std::list<Finding> next;
    next.splice(next.end(), waiting_, waiting_.begin());
    lock.unlock();
    tell_(next.front());
    next.clear();
    lock.lock();
    told_.fetch_add(1);
    changed_.notify_all();
  }
}

void FindingQueue::await_told(Patience patience) {
  const uint64_t last = pushed_.load();
  if (told_.load() >= last) return;
  std::unique_lock lock(mutex_);
  if (patience == Patience::kOnce && last <= given_up_) return;
  while (told_.load() < last) {
    const uint64_t before = told_.load();
    if (changed_.wait_for(lock, kLongest, [&] { return told_.load() > before; })) continue;
    given_up_ = std::max(given_up_, last);
    return;
  }
}

}  // namespace ferry::layers::check
