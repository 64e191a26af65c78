// SPDX-License-Identifier: Apache-2.0
// Which thread drives UCX. A thread of the program that waits drives it itself: so an answer wakes
// nobody. The progress thread drives when no such thread does; it polls for a while after the last
// message, then sleeps until UCX has an event.
#include "plugins/fabric/engine.h"

#include <poll.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <utility>

namespace ferry::fabric {
namespace {

// How long a thread polls after the last message. An answer over TCP takes some tens of
// microseconds.
constexpr int64_t kSpinTime = 200'000;
// How long the progress thread leaves the work to helpers after their last step. It looks as often
// as that, so it is also the longest delay of a message that comes when a helper has just stopped.
constexpr int64_t kStandBack = 250'000;
constexpr int kLongestSleep = 100;  // milliseconds
constexpr int kMostSteps = 64;
// Fruitless steps before a thread lets another one have its core.
constexpr uint32_t kStepsBeforeYield = 16;
// How long drive() sleeps at most when nothing happens.
constexpr std::chrono::milliseconds kLongestPause{10};

// Counts the steps of all threads: a plugin that has thread-local memory is one that GCC's
// LeakSanitizer cannot look into.
void yield_now_and_then() {
  static std::atomic<uint32_t> steps{0};
  if (steps.fetch_add(1, std::memory_order_relaxed) % kStepsBeforeYield == 0) sched_yield();
}

}  // namespace

bool Engine::has_something_to_tell() const {
  return !finished_.empty() || !signalled_.empty() || !called_.empty() || !answered_.empty();
}

// True when messages came.
bool Engine::progress_locked() {
  if (is_closed_) return false;
  bool has_news = false;
  for (int step = 0; step < kMostSteps; ++step) {
    if (ucp_worker_progress(worker_) == 0) break;
    has_news = true;
    if (has_something_to_tell()) break;  // a thread may be waiting for just this
  }
  while (!to_lose_.empty()) {
    const auto [peer, why] = to_lose_.back();
    to_lose_.pop_back();
    lose_locked(peer, why);
  }
  closed_.clear();
  if (has_news) last_news_.store(now(), std::memory_order_relaxed);
  return has_news;
}

// Functions of the library are called without the lock: they may come back with a new request.
void Engine::unlock_and_tell(Lock& lock) {
  if (!has_something_to_tell() && buried_.empty()) return lock.unlock();
  std::vector<Transfer*> finished = std::exchange(finished_, {});
  std::vector<std::shared_ptr<Lent>> signalled = std::exchange(signalled_, {});
  std::vector<std::shared_ptr<Lent>> buried = std::exchange(buried_, {});
  std::vector<Called> called = std::exchange(called_, {});
  const std::vector<Answered> answered = std::exchange(answered_, {});
  lock.unlock();
  for (const std::shared_ptr<Lent>& lent : signalled)
    services_.signalled(lent->object);
  for (Called& each : called) {
    services_.called(each.object->object, each.question.data(), each.question.size(),
                     each.call.release());
    signalled.push_back(std::move(each.object));
  }
  for (const Answered& each : answered) {
    each.call.answered(each.call.argument, each.code, each.text.c_str(), each.answer.data(),
                       each.answer.size());
  }
  if (!signalled.empty()) {
    lock.lock();
    for (std::shared_ptr<Lent>& lent : signalled)
      bury(std::move(lent));
    lock.unlock();
  }
  if (!buried.empty()) {
    add_job([all = std::move(buried)]() mutable { all.clear(); });
  }
  for (Transfer* const transfer : finished) {
    const std::unique_ptr<Transfer> own(transfer);
    own->done(own->argument, own->code, own->text.c_str());
  }
  if (sleepers_.load() > 0) {
    const std::lock_guard told(told_mutex_);
    told_.notify_all();
  }
}

bool Engine::help() {
  last_help_.store(now(), std::memory_order_relaxed);
  Lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock()) {  // another thread drives
    sched_yield();
    return now() - last_news_.load(std::memory_order_relaxed) < kSpinTime;
  }
  const bool has_news = progress_locked();
  unlock_and_tell(lock);
  if (has_news) return true;
  yield_now_and_then();
  if (now() - last_news_.load(std::memory_order_relaxed) < kSpinTime) return true;
  end_help();
  return false;
}

// The progress thread takes over now.
void Engine::end_help() {
  last_help_.store(0);
  if (is_asleep_.load()) return wake();
  const Lock lock(mutex_);
  stood_back_.notify_one();
}

void Engine::drive(const uint32_t& until, int64_t time) {
  const auto is_over = [&] { return __atomic_load_n(&until, __ATOMIC_ACQUIRE) != 0; };
  const int64_t end = now() + time;
  while (!is_over() && now() < end) {
    if (help()) continue;
    std::unique_lock lock(told_mutex_);
    sleepers_.fetch_add(1);
    told_.wait_for(
        lock,
        std::min<std::chrono::nanoseconds>(kLongestPause, std::chrono::nanoseconds(end - now())),
        is_over);
    sleepers_.fetch_sub(1);
  }
}

void Engine::wake() {
  const uint64_t one = 1;
  static_cast<void>(!write(wake_file_, &one, sizeof one));
}

// Sleeps until UCX has something to do. Without the lock of the engine; the worker was armed.
void Engine::sleep_until_event() {
  pollfd files[] = {{event_file_, POLLIN, 0}, {wake_file_, POLLIN, 0}};
  poll(files, 2, kLongestSleep);
  uint64_t count = 0;
  if (files[1].revents != 0) static_cast<void>(!read(wake_file_, &count, sizeof count));
}

// A program that waits for one request after the other drives them itself. Meanwhile the progress
// thread keeps out of the way, and looks now and then whether that is over.
void Engine::stand_back(Lock& lock) {
  const auto is_needed = [this] { return is_closed_ || now() - last_help_.load() > kStandBack; };
  while (!is_needed())
    stood_back_.wait_for(lock, std::chrono::nanoseconds(kStandBack), is_needed);
}

void Engine::run() {
  for (;;) {
    Lock lock(mutex_);
    stand_back(lock);
    const bool has_news = progress_locked();
    const bool is_quiet = finished_.empty() && now() - last_news_.load() > kSpinTime;
    const bool may_sleep = is_closed_ || (is_quiet && ucp_worker_arm(worker_) == UCS_OK);
    is_asleep_.store(may_sleep);
    unlock_and_tell(lock);
    if (may_sleep) {
      sleep_until_event();
      is_asleep_.store(false);
    } else if (!has_news) {
      yield_now_and_then();
    }
  }
}

}  // namespace ferry::fabric
