// SPDX-License-Identifier: Apache-2.0
// The thread shares ownership of its queue with the context, so that either may end first.
#include "core/host_thread.h"

#include "base/callback_scope.h"
#include "base/process.h"
#include "base/thread.h"

#include <condition_variable>
#include <deque>
#include <mutex>

namespace ferry {
namespace {

thread_local bool runs_host_functions = false;

}  // namespace

struct HostThread::Calls {
  std::mutex mutex;  // protects what follows
  std::condition_variable changed;
  std::deque<HostCall> waiting;
  bool is_started = false;
  bool is_stopped = false;
};

namespace {

void run_host_functions(const std::shared_ptr<HostThread::Calls>& calls) {
  runs_host_functions = true;
  for (;;) {
    HostCall call;
    {
      std::unique_lock lock(calls->mutex);
      calls->changed.wait(lock, [&] { return !calls->waiting.empty() || calls->is_stopped; });
      if (calls->waiting.empty()) return;
      call = calls->waiting.front();
      calls->waiting.pop_front();
    }
    if (is_exiting()) return;  // the function's objects may be destroyed
    {
      const CallbackScope scope;
      call.function(call.argument);
    }
    call.callout->done(call.callout);
  }
}

}  // namespace

HostThread::HostThread() : calls_(std::make_shared<Calls>()) {}

HostThread::~HostThread() {
  stop();
}

Status HostThread::start() {
  const std::lock_guard lock(calls_->mutex);
  if (calls_->is_started) return {};
  FERRY_RETURN_IF_ERROR(
      start_thread("ferry-host", [calls = calls_] { run_host_functions(calls); }));
  calls_->is_started = true;
  return {};
}

void HostThread::post(Calls& calls, const HostCall& call) {
  {
    const std::lock_guard lock(calls.mutex);
    if (!calls.is_stopped) {
      calls.waiting.push_back(call);
      calls.changed.notify_one();
      return;
    }
  }
  call.callout->done(call.callout);
}

void HostThread::stop() {
  std::deque<HostCall> dropped;
  {
    const std::lock_guard lock(calls_->mutex);
    calls_->is_stopped = true;
    dropped.swap(calls_->waiting);
    calls_->changed.notify_one();
  }
  for (const HostCall& call : dropped)
    call.callout->done(call.callout);
}

bool is_host_thread() {
  return runs_host_functions;
}

}  // namespace ferry
