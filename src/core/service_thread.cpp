// SPDX-License-Identifier: Apache-2.0
// The thread and its jobs; never destroyed.
#include "core/service_thread.h"

#include "base/thread.h"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>

namespace ferry {
namespace {

struct Service {
  std::mutex mutex;  // protects what follows
  std::condition_variable changed;
  bool is_started = false;
  std::deque<std::function<void()>> jobs;
  uint64_t given = 0;
  uint64_t done = 0;
};

Service& service() {
  static auto* instance = new Service;
  return *instance;
}

thread_local bool is_service_thread = false;

void serve() {
  is_service_thread = true;
  Service& self = service();
  std::unique_lock lock(self.mutex);
  for (;;) {
    self.changed.wait(lock, [&] { return !self.jobs.empty(); });
    std::function<void()> job = std::move(self.jobs.front());
    self.jobs.pop_front();
    lock.unlock();
    job();
    job = nullptr;  // releases what the job holds without the lock
    lock.lock();
    ++self.done;
    self.changed.notify_all();
  }
}

}  // namespace

void run_on_service_thread(std::function<void()> job) {
  Service& self = service();
  {
    const std::lock_guard lock(self.mutex);
    if (!self.is_started) self.is_started = start_thread("ferry-service", serve).ok();
    if (self.is_started) {
      self.jobs.push_back(std::move(job));
      ++self.given;
      self.changed.notify_all();
      return;
    }
  }
  job();
}

void wait_for_service_thread() {
  if (is_service_thread) return;
  Service& self = service();
  std::unique_lock lock(self.mutex);
  const uint64_t target = self.given;
  self.changed.wait(lock, [&] { return self.done >= target; });
}

}  // namespace ferry
