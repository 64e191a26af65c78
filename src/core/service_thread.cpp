// SPDX-License-Identifier: Apache-2.0
// The jobs of a thread, and the replacement of a thread that a job has ended.
#include "core/service_thread.h"

#include "base/forced_unwind.h"
#include "base/log.h"
#include "base/thread.h"

#include <algorithm>
#include <utility>

namespace ferry {
namespace {

thread_local const ServiceThread* served_here = nullptr;

}  // namespace

Status ServiceThread::start() {
  const std::lock_guard lock(mutex_);
  return start_locked();
}

Status ServiceThread::start_locked() {
  if (is_started_) return {};
  FERRY_RETURN_IF_ERROR(start_thread(name_, [this] { serve(); }));
  is_started_ = true;
  return {};
}

uint64_t ServiceThread::run(ServiceJob& job) {
  {
    const std::lock_guard lock(mutex_);
    if (start_locked().ok()) {
      job.next = nullptr;
      (first_ == nullptr ? first_ : last_->next) = &job;
      last_ = &job;
      changed_.notify_all();
      return job.number = ++given_;
    }
  }
  job.run(job);
  return 0;
}

bool ServiceThread::wait_for(uint64_t job, Clock::time_point deadline) {
  if (served_here == this) return true;
  std::unique_lock lock(mutex_);
  const auto is_done = [&] { return done_ >= job; };
  if (deadline != Clock::time_point::max()) return changed_.wait_until(lock, deadline, is_done);
  changed_.wait(lock, is_done);
  return true;
}

FERRY_CATCHES_FORCED_UNWIND void ServiceThread::serve() {
  served_here = this;
  try {
    std::unique_lock lock(mutex_);
    for (;;)
      run_next(lock);
  } catch (const abi::__forced_unwind&) {
    replace_thread();
    throw;
  }
}

void ServiceThread::run_next(std::unique_lock<std::mutex>& lock) {
  changed_.wait(lock, [&] { return first_ != nullptr; });
  ServiceJob& job = *std::exchange(first_, first_->next);
  running_ = job.number;
  lock.unlock();
  job.run(job);
  lock.lock();
  end_job();
}

void ServiceThread::end_job() {
  done_ = std::max(done_, running_);
  changed_.notify_all();
}

// A job has ended this thread.
void ServiceThread::replace_thread() {
  const std::lock_guard lock(mutex_);
  end_job();
  is_started_ = false;
  if (start_locked().ok() || first_ == nullptr) return;
  // They run when a thread can be started again; until then no thread may wait for them for ever.
  FERRY_LOG(kWarn, "jobs of %s are late: the thread has ended", name_);
  done_ = given_;
  changed_.notify_all();
}

ServiceThread& service_thread() {
  static auto* instance = new ServiceThread("ferry-service");
  return *instance;
}

}  // namespace ferry
