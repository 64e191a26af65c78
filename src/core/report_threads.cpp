// SPDX-License-Identifier: Apache-2.0
// One mailbox per subscribed thread. When the stream comes to a callback task, the task puts the
// callback into the mailbox of the thread subscribed at that time; that thread takes it out and
// runs it.
#include "core/report_threads.h"

#include "base/error_state.h"
#include "core/callout.h"
#include "core/stream_function.h"

#include <pthread.h>

#include <chrono>
#include <condition_variable>
#include <iterator>
#include <list>
#include <map>
#include <mutex>
#include <set>

namespace ferry {
namespace {

using Clock = std::chrono::steady_clock;

// Functions are allocated when they are launched and move from list to list: a queue that comes to
// one cannot report a lack of memory to anyone.
using Functions = std::list<StreamFunction>;

struct Callback {
  void set_run(const RunRef& run) { called.front().set_run(run); }

  Functions called;  // one; its callout is set when the stream has come to it and waits
  CallbackBlocking blocking = CallbackBlocking::kNo;
};

struct Mailbox {
  int32_t device = -1;
  std::set<void*> streams;  // handles of the streams subscribed to the thread
  Functions arrived;
};

struct Mailboxes {
  std::mutex mutex;  // protects by_thread
  std::condition_variable changed;
  std::map<uint64_t, Mailbox> by_thread;
};

Mailboxes& mailboxes() {
  static auto* instance = new Mailboxes;
  return *instance;
}

uint64_t this_thread() {
  return static_cast<uint64_t>(pthread_self());
}

// A callback that no thread will run must not be lost silently: its stream records a failure.
void drop_callback(const StreamFunction& callback) {
  callback.fail(ACL_ERROR_RT_STREAM_NO_CB_REG,
                "was dropped: no thread is subscribed to the stream any more");
}

// The stream has come to the callback: puts it into the mailbox, or drops it.
void deliver(Functions& callback) {
  Mailboxes& all = mailboxes();
  {
    const std::lock_guard lock(all.mutex);
    for (auto& [thread, mailbox] : all.by_thread) {
      if (mailbox.streams.contains(callback.front().stream)) {
        mailbox.arrived.splice(mailbox.arrived.end(), callback);
        all.changed.notify_all();
        return;
      }
    }
  }
  drop_callback(callback.front());
}

void start_callback(void* argument, ferryx_callout* callout) {
  const std::unique_ptr<Callback> callback(static_cast<Callback*>(argument));
  if (callout == nullptr) return;
  if (callback->blocking == CallbackBlocking::kYes) {
    callback->called.front().callout = callout;
    deliver(callback->called);
  } else {
    deliver(callback->called);
    callout->done(callout);
  }
}

struct HostFunction {
  void set_run(const RunRef& run) { called.front().set_run(run); }

  Functions called;  // one
  std::shared_ptr<HostThread::Calls> calls;
};

void start_host_function(void* argument, ferryx_callout* callout) {
  const std::unique_ptr<HostFunction> host(static_cast<HostFunction*>(argument));
  if (callout == nullptr) return;
  host->called.front().callout = callout;
  HostThread::post(*host->calls, std::move(host->called));
}

// A function that is queued by the current call, in a list of one.
Functions function_for(const Stream& stream, void (*function)(void*), void* argument) {
  return {{.function = function,
           .argument = argument,
           .stream = stream.handle(),
           .call = current_function()}};
}

void move_callbacks_of(void* stream, Functions& from, Functions& to) {
  for (auto callback = from.begin(); callback != from.end();) {
    const auto next = std::next(callback);
    if (callback->stream == stream) to.splice(to.end(), from, callback);
    callback = next;
  }
}

// Removes the stream from its mailbox; returns the callbacks that had arrived for it.
Functions leave_mailbox(void* stream) {
  Functions undelivered;
  Mailboxes& all = mailboxes();
  const std::lock_guard lock(all.mutex);
  for (auto entry = all.by_thread.begin(); entry != all.by_thread.end();) {
    Mailbox& mailbox = entry->second;
    if (mailbox.streams.erase(stream) != 0) {
      move_callbacks_of(stream, mailbox.arrived, undelivered);
    }
    entry = mailbox.streams.empty() ? all.by_thread.erase(entry) : std::next(entry);
  }
  all.changed.notify_all();
  return undelivered;
}

}  // namespace

Status subscribe_report(uint64_t thread, Stream& stream) {
  const std::lock_guard stream_lock(stream.callbacks_mutex);
  if (stream.callbacks.use != Stream::CallbackUse::kNone) {
    return reject(ACL_ERROR_RT_STREAM_SUBSCRIBE, kEE1016, "stream", Value::beside(stream.handle()))
        .because(stream.callbacks.use == Stream::CallbackUse::kSubscribed
                     ? " is subscribed already, to thread %llu"
                     : " is used with aclrtLaunchHostFunc already (thread %llu)",
                 static_cast<unsigned long long>(stream.callbacks.thread));
  }
  const int32_t device = stream.context().device().id();
  Mailboxes& all = mailboxes();
  std::set<void*> entry{stream.handle()};
  const std::lock_guard lock(all.mutex);
  Mailbox& mailbox = all.by_thread[thread];
  if (!mailbox.streams.empty() && mailbox.device != device) {
    return fail(ACL_ERROR_RT_THREAD_SUBSCRIBE, kEE1016,
                "thread %llu serves streams of device %d already, stream %p is of device %d",
                static_cast<unsigned long long>(thread), mailbox.device, stream.handle(), device);
  }
  mailbox.device = device;
  mailbox.streams.merge(entry);
  stream.callbacks = {.use = Stream::CallbackUse::kSubscribed, .thread = thread};
  all.changed.notify_all();
  return {};
}

Status unsubscribe_report(uint64_t thread, Stream& stream) {
  {
    const std::lock_guard lock(stream.callbacks_mutex);
    if (stream.callbacks.use != Stream::CallbackUse::kSubscribed) {
      return reject(ACL_ERROR_RT_STREAM_SUBSCRIBE, kEE1016, "stream",
                    Value::beside(stream.handle()))
          .because(" is not subscribed");
    }
    if (stream.callbacks.thread != thread) {
      return reject(ACL_ERROR_RT_THREAD_SUBSCRIBE, kEE1016, "stream",
                    Value::beside(stream.handle()))
          .because(" is subscribed to thread %llu, not to threadId = %llu",
                   static_cast<unsigned long long>(stream.callbacks.thread),
                   static_cast<unsigned long long>(thread));
    }
    stream.callbacks = {};
  }
  for (const StreamFunction& callback : leave_mailbox(stream.handle()))
    drop_callback(callback);
  return {};
}

void unsubscribe_closed_stream(Stream& stream) {
  {
    const std::lock_guard lock(stream.callbacks_mutex);
    if (stream.callbacks.use != Stream::CallbackUse::kSubscribed) return;
    stream.callbacks = {};
  }
  for (const StreamFunction& callback : leave_mailbox(stream.handle()))
    drop_callback(callback);
}

Status launch_callback(Stream& stream, void (*function)(void*), void* argument,
                       CallbackBlocking blocking) {
  {
    const std::lock_guard lock(stream.callbacks_mutex);
    if (stream.callbacks.use == Stream::CallbackUse::kHostFunctions) {
      return reject(ACL_ERROR_RT_STREAM_SUBSCRIBE, kEE1016, "stream",
                    Value::beside(stream.handle()))
          .because(" is used with aclrtLaunchHostFunc, so it takes no callbacks");
    }
    if (stream.callbacks.use == Stream::CallbackUse::kNone) {
      return reject(ACL_ERROR_RT_STREAM_NO_CB_REG, kEE1018, "stream",
                    Value::beside(stream.handle()))
          .because(" is not subscribed: call aclrtSubscribeReport first");
    }
  }
  FERRY_RETURN_IF_ERROR(stream.check_open_for_work());
  return submit_callout(
      stream, start_callback,
      std::make_unique<Callback>(
          Callback{.called = function_for(stream, function, argument), .blocking = blocking}));
}

Status launch_host_function(Stream& stream, void (*function)(void*), void* argument) {
  FERRY_RETURN_IF_ERROR(stream.check_open_for_work());
  HostThread& thread = stream.context().host_thread();
  FERRY_RETURN_IF_ERROR(thread.start());
  {
    const std::lock_guard lock(stream.callbacks_mutex);
    if (stream.callbacks.use == Stream::CallbackUse::kSubscribed) {
      return reject(ACL_ERROR_RT_STREAM_SUBSCRIBE, kEE1016, "stream",
                    Value::beside(stream.handle()))
          .because(" is subscribed to thread %llu, so it takes no host functions",
                   static_cast<unsigned long long>(stream.callbacks.thread));
    }
    stream.callbacks.use = Stream::CallbackUse::kHostFunctions;
  }
  return submit_callout(
      stream, start_host_function,
      std::make_unique<HostFunction>(HostFunction{
          .called = function_for(stream, function, argument), .calls = thread.calls()}));
}

Status process_report(int32_t milliseconds) {
  Mailboxes& all = mailboxes();
  const uint64_t self = this_thread();
  const auto deadline = Clock::now() + std::chrono::milliseconds(std::max(milliseconds, 0));
  StreamFunction callback;
  {
    std::unique_lock lock(all.mutex);
    const auto has_callback = [&] {
      const auto found = all.by_thread.find(self);
      return found != all.by_thread.end() && !found->second.arrived.empty();
    };
    if (milliseconds < 0) {
      all.changed.wait(lock, has_callback);
    } else if (!all.changed.wait_until(lock, deadline, has_callback)) {
      if (!all.by_thread.contains(self)) {
        return reject(ACL_ERROR_RT_THREAD_SUBSCRIBE, kEE1018)
            .expected()
            .because("no stream was subscribed to the calling thread within %d ms", milliseconds);
      }
      return reject(ACL_ERROR_RT_REPORT_TIMEOUT, kEE1002)
          .expected()
          .because("no callback arrived within %d ms", milliseconds);
    }
    Mailbox& mailbox = all.by_thread[self];
    callback = mailbox.arrived.front();
    mailbox.arrived.pop_front();
  }
  callback.run();
  return {};
}

}  // namespace ferry
