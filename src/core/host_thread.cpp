// SPDX-License-Identifier: Apache-2.0
// The thread shares ownership of its queue with the context, so that either may end first.
#include "core/host_thread.h"

#include "base/forced_unwind.h"
#include "base/process.h"
#include "base/thread.h"

#include <condition_variable>
#include <list>
#include <mutex>
#include <new>

namespace ferry {
namespace {

constexpr const char* kNoThread =
    "was not called: an earlier one has ended the thread, and the system cannot create another";

}  // namespace

struct HostThread::Calls {
  std::mutex mutex;  // protects what follows
  std::condition_variable changed;
  std::list<StreamFunction> waiting;
  bool is_started = false;  // and the thread has not ended
  bool is_stopped = false;
};

namespace {

// False when the thread is to end.
bool run_next(HostThread::Calls& calls) {
  StreamFunction call;
  {
    std::unique_lock lock(calls.mutex);
    calls.changed.wait(lock, [&] { return !calls.waiting.empty() || calls.is_stopped; });
    if (calls.waiting.empty()) return false;
    call = calls.waiting.front();
    calls.waiting.pop_front();
  }
  if (is_exiting()) return false;  // the function's objects may be destroyed
  call.run_and_catch();
  return true;
}

Status start_host_thread(const std::shared_ptr<HostThread::Calls>& calls);

bool can_start_again(const std::shared_ptr<HostThread::Calls>& calls) noexcept {
  try {
    return start_host_thread(calls).ok();
  } catch (const std::bad_alloc&) {
    return false;
  }
}

// A function has ended the thread that called it.
void replace_host_thread(const std::shared_ptr<HostThread::Calls>& calls) {
  std::list<StreamFunction> lost;
  {
    const std::lock_guard lock(calls->mutex);
    calls->is_started = !calls->is_stopped && can_start_again(calls);
    if (!calls->is_started) lost.swap(calls->waiting);
  }
  for (const StreamFunction& call : lost)
    call.fail(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, kNoThread);
}

FERRY_CATCHES_FORCED_UNWIND void run_host_functions(
    const std::shared_ptr<HostThread::Calls>& calls) {
  try {
    while (run_next(*calls)) {
    }
  } catch (const abi::__forced_unwind&) {
    replace_host_thread(calls);
    throw;
  }
}

Status start_host_thread(const std::shared_ptr<HostThread::Calls>& calls) {
  return start_thread("ferry-host", [calls] { run_host_functions(calls); });
}

}  // namespace

HostThread::HostThread() : calls_(std::make_shared<Calls>()) {}

HostThread::~HostThread() {
  stop();
}

Status HostThread::start() {
  const std::lock_guard lock(calls_->mutex);
  if (calls_->is_started) return {};
  FERRY_RETURN_IF_ERROR(start_host_thread(calls_));
  calls_->is_started = true;
  return {};
}

void HostThread::post(Calls& calls, std::list<StreamFunction>&& call) {
  bool is_stopped = false;
  {
    const std::lock_guard lock(calls.mutex);
    is_stopped = calls.is_stopped;
    if (!is_stopped && calls.is_started) {
      calls.waiting.splice(calls.waiting.end(), call);
      calls.changed.notify_one();
      return;
    }
  }
  if (is_stopped) return call.front().skip();
  call.front().fail(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, kNoThread);
}

void HostThread::stop() {
  std::list<StreamFunction> dropped;
  {
    const std::lock_guard lock(calls_->mutex);
    calls_->is_stopped = true;
    dropped.swap(calls_->waiting);
    calls_->changed.notify_one();
  }
  for (const StreamFunction& call : dropped)
    call.skip();
}

}  // namespace ferry
