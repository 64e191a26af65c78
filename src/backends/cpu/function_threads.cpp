// SPDX-License-Identifier: Apache-2.0
// Threads stay for the next function; there are never more than the number of functions that ran at
// the same time.
#include "backends/cpu/function_threads.h"

#include "base/process.h"
#include "base/thread.h"

#include <condition_variable>
#include <deque>
#include <mutex>

namespace ferry::cpu {
namespace {

struct Call {
  ferryx_device_function function = nullptr;
  void* argument = nullptr;
  std::shared_ptr<Link> link;
};

struct Threads {
  std::mutex mutex;  // protects what follows
  std::condition_variable work;
  std::deque<Call> waiting;
  size_t idle = 0;
};

Threads& threads() {
  static auto* instance = new Threads;
  return *instance;
}

void serve() {
  Threads& self = threads();
  for (;;) {
    Call call;
    {
      std::unique_lock lock(self.mutex);
      ++self.idle;
      self.work.wait(lock, [&] { return !self.waiting.empty(); });
      --self.idle;
      call = std::move(self.waiting.front());
      self.waiting.pop_front();
    }
    if (is_exiting()) return;  // the function's objects may be destroyed
    call.function(call.argument, 1);
    call.link->finish();
  }
}

}  // namespace

bool run_device_function(ferryx_device_function function, void* argument,
                         std::shared_ptr<Link> link) {
  Threads& self = threads();
  const std::lock_guard lock(self.mutex);
  // Idle threads that already have a function waiting do not count.
  if (self.idle <= self.waiting.size() && !start_thread("ferry-function", serve).ok()) return false;
  self.waiting.push_back({function, argument, std::move(link)});
  self.work.notify_one();
  return true;
}

}  // namespace ferry::cpu
