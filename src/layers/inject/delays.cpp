// SPDX-License-Identifier: Apache-2.0
// The thread that finishes delayed callouts.
#include "layers/inject/delays.h"

#include "base/log.h"
#include "base/thread.h"

#include <condition_variable>
#include <memory>
#include <mutex>

namespace ferry::layers::inject {
namespace {

using Clock = std::chrono::steady_clock;

struct DelayClock {
  std::mutex mutex;  // guards what follows
  std::condition_variable changed;
  bool is_started = false;
  Delay::Entries entries;
};

DelayClock& delay_clock() {
  static auto* instance = new DelayClock;
  return *instance;
}

void serve_delays() {
  DelayClock& clock = delay_clock();
  std::unique_lock lock(clock.mutex);
  for (;;) {
    if (clock.entries.empty()) {
      clock.changed.wait(lock);
    } else if (const Clock::time_point next = clock.entries.begin()->first; next > Clock::now()) {
      clock.changed.wait_until(lock, next);
    } else {
      ferryx_callout* const due = clock.entries.extract(clock.entries.begin()).mapped();
      lock.unlock();
      due->done(due);
      lock.lock();
    }
  }
}

}  // namespace

// Without a thread there is no delay: late failures are worth less than a program that goes on.
Delay::Delay(std::chrono::microseconds time) : time_(time) {
  Entries entries;
  entries.emplace(Clock::time_point(), nullptr);
  entry_ = entries.extract(entries.begin());
  DelayClock& clock = delay_clock();
  const std::lock_guard lock(clock.mutex);
  if (clock.is_started) return;
  clock.is_started = start_thread("ferry-delay", serve_delays).ok();
  if (!clock.is_started) FERRY_LOG(kWarn, "a task is not delayed: there is no thread for it");
}

void Delay::start(void* argument, ferryx_callout* callout) {
  const std::unique_ptr<Delay> own(static_cast<Delay*>(argument));
  if (callout == nullptr) return;
  DelayClock& clock = delay_clock();
  {
    const std::lock_guard lock(clock.mutex);
    if (clock.is_started) {
      own->entry_.key() = Clock::now() + own->time_;
      own->entry_.mapped() = callout;
      clock.entries.insert(std::move(own->entry_));
      clock.changed.notify_one();
      return;
    }
  }
  callout->done(callout);
}

}  // namespace ferry::layers::inject
