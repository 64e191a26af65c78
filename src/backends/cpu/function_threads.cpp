// SPDX-License-Identifier: Apache-2.0
// Threads stay for the next function; there are never more than the number of functions that ran at
// the same time.
#include "backends/cpu/function_threads.h"

#include "backends/cpu/running_functions.h"
#include "base/process.h"
#include "base/thread.h"

#include "acl/error_codes/rt_error_codes.h"

#include <condition_variable>
#include <list>
#include <mutex>
#include <new>

namespace ferry::cpu {
namespace {

struct Call {
  DeviceCall function;
  std::shared_ptr<Link> link;
  uint64_t number = 0;  // among the running functions
};

struct Threads {
  std::mutex mutex;  // protects what follows
  std::condition_variable work;
  std::list<Call> waiting;
  size_t idle = 0;  // threads that take the next call, or soon will: no function holds them up
};

Threads& threads() {
  static auto* instance = new Threads;
  return *instance;
}

void become_idle() {
  const std::lock_guard lock(threads().mutex);
  ++threads().idle;
}

// Waits for a call. The thread is idle until then.
std::list<Call> take_call() {
  Threads& self = threads();
  std::unique_lock lock(self.mutex);
  self.work.wait(lock, [&] { return !self.waiting.empty(); });
  --self.idle;
  std::list<Call> taken;
  taken.splice(taken.end(), self.waiting, self.waiting.begin());
  return taken;
}

// Lets the queue continue, also when the function ends its thread. The thread is idle before the
// queue continues: if the queue's next work is a function, this thread is there for it.
struct Finish {
  ~Finish() {
    RunningFunctions::instance().end(call.number);
    if (has_returned) become_idle();
    call.link->finish();
  }
  const Call& call;
  bool has_returned = false;
};

void serve() {
  become_idle();
  for (;;) {
    const std::list<Call> taken = take_call();
    if (is_exiting()) return;  // the function's objects may be destroyed
    const Call& call = taken.front();
    Finish finish{call};
    if (call.function.kernel != nullptr) call.link->failure = ACL_ERROR_RT_AICORE_EXCEPTION;
    call.link->failure = call.function(1);
    finish.has_returned = true;
  }
}

}  // namespace

int DeviceCall::operator()(int run) const {
  if (kernel != nullptr) return kernel(argument, run);
  function(argument, run);
  return ACL_RT_SUCCESS;
}

DeviceCall call_of(const Task& task) {
  if (task.kind == FERRYX_KERNEL) {
    return {.function = nullptr, .kernel = task.as.kernel.run, .argument = task.as.kernel.argument};
  }
  return {
      .function = task.as.function.run, .kernel = nullptr, .argument = task.as.function.argument};
}

bool run_device_function(const DeviceCall& function, std::shared_ptr<Link> link) try {
  std::list<Call> call;
  call.push_back({function, std::move(link)});
  Threads& self = threads();
  const std::lock_guard lock(self.mutex);
  // Idle threads that already have a function waiting do not count.
  if (self.idle <= self.waiting.size() && !start_thread("ferry-function", serve).ok()) return false;
  // It counts as running from now on: its thread may call it at any moment.
  call.front().number = RunningFunctions::instance().begin();
  self.waiting.splice(self.waiting.end(), call);
  self.work.notify_one();
  return true;
} catch (const std::bad_alloc&) {
  return false;
}

}  // namespace ferry::cpu
