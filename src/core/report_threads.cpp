// SPDX-License-Identifier: Apache-2.0
// One mailbox per subscribed thread. When the stream comes to a callback task, the task puts the
// callback into the mailbox of the thread subscribed at that time; that thread takes it out and
// runs it.
#include "core/report_threads.h"

#include "base/callback_scope.h"
#include "base/error_state.h"
#include "base/work.h"

#include <pthread.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <vector>

namespace ferry {
namespace {

using Clock = std::chrono::steady_clock;

struct Callback {
  void (*function)(void*) = nullptr;
  void* argument = nullptr;
  CallbackBlocking blocking = CallbackBlocking::kNo;
  void* stream = nullptr;             // its handle
  ferryx_callout* callout = nullptr;  // of a blocking callback
  const char* call = nullptr;
};

struct Mailbox {
  int32_t device = -1;
  std::set<void*> streams;  // handles of the streams subscribed to the thread
  std::deque<Callback> arrived;
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
void drop_callback(const Callback& callback) {
  if (Ref<Stream> stream = HandleTable<Stream>::instance().find(callback.stream)) {
    stream->fail_queued(ACL_ERROR_RT_STREAM_NO_CB_REG,
                        std::string("a callback queued by ") + callback.call +
                            " was dropped: no thread is subscribed to the stream any more");
  }
  if (callback.callout != nullptr) callback.callout->done(callback.callout);
}

// The stream has come to the callback: puts it into the mailbox, or drops it.
void deliver(const Callback& callback) {
  Mailboxes& all = mailboxes();
  {
    const std::lock_guard lock(all.mutex);
    for (auto& [thread, mailbox] : all.by_thread) {
      if (mailbox.streams.contains(callback.stream)) {
        mailbox.arrived.push_back(callback);
        all.changed.notify_all();
        return;
      }
    }
  }
  drop_callback(callback);
}

void start_callback(void* argument, ferryx_callout* callout) {
  const std::unique_ptr<Callback> callback(static_cast<Callback*>(argument));
  if (callout == nullptr) return;
  if (callback->blocking == CallbackBlocking::kYes) {
    callback->callout = callout;
    deliver(*callback);
  } else {
    deliver(*callback);
    callout->done(callout);
  }
}

struct HostFunction {
  void (*function)(void*) = nullptr;
  void* argument = nullptr;
  std::shared_ptr<HostThread::Calls> calls;
};

void start_host_function(void* argument, ferryx_callout* callout) {
  const std::unique_ptr<HostFunction> host(static_cast<HostFunction*>(argument));
  if (callout == nullptr) return;
  HostThread::post(*host->calls,
                   {.function = host->function, .argument = host->argument, .callout = callout});
}

// Submits a callout that takes ownership of `argument`, whether it succeeds or not.
template <class Argument>
Status submit_callout(Stream& stream, ferryx_callout_start start,
                      std::unique_ptr<Argument> argument) {
  ferryx_work work = make_work(FERRYX_CALLOUT, &ferryx_payload::callout,
                               {.start = start, .argument = argument.get()});
  const Status queued = stream.submit(work);
  if (queued.ok()) static_cast<void>(argument.release());  // start_* owns it now
  return queued;
}

// Removes the stream from its mailbox; returns the callbacks that had arrived for it.
std::vector<Callback> leave_mailbox(void* stream) {
  std::vector<Callback> undelivered;
  Mailboxes& all = mailboxes();
  const std::lock_guard lock(all.mutex);
  for (auto entry = all.by_thread.begin(); entry != all.by_thread.end();) {
    Mailbox& mailbox = entry->second;
    if (mailbox.streams.erase(stream) != 0) {
      for (const Callback& callback : mailbox.arrived) {
        if (callback.stream == stream) undelivered.push_back(callback);
      }
      std::erase_if(mailbox.arrived, [&](const Callback& c) { return c.stream == stream; });
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
  const std::lock_guard lock(all.mutex);
  Mailbox& mailbox = all.by_thread[thread];
  if (!mailbox.streams.empty() && mailbox.device != device) {
    return fail(ACL_ERROR_RT_THREAD_SUBSCRIBE, kEE1016,
                "thread %llu serves streams of device %d already, stream %p is of device %d",
                static_cast<unsigned long long>(thread), mailbox.device, stream.handle(), device);
  }
  mailbox.device = device;
  mailbox.streams.insert(stream.handle());
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
  for (const Callback& callback : leave_mailbox(stream.handle()))
    drop_callback(callback);
  return {};
}

void unsubscribe_closed_stream(Stream& stream) {
  {
    const std::lock_guard lock(stream.callbacks_mutex);
    if (stream.callbacks.use != Stream::CallbackUse::kSubscribed) return;
    stream.callbacks = {};
  }
  for (const Callback& callback : leave_mailbox(stream.handle()))
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
  return submit_callout(stream, start_callback,
                        std::make_unique<Callback>(Callback{.function = function,
                                                            .argument = argument,
                                                            .blocking = blocking,
                                                            .stream = stream.handle(),
                                                            .callout = nullptr,
                                                            .call = current_function()}));
}

Status launch_host_function(Stream& stream, void (*function)(void*), void* argument) {
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
  FERRY_RETURN_IF_ERROR(stream.check_open_for_work());
  HostThread& thread = stream.context().host_thread();
  FERRY_RETURN_IF_ERROR(thread.start());
  return submit_callout(stream, start_host_function,
                        std::make_unique<HostFunction>(HostFunction{
                            .function = function, .argument = argument, .calls = thread.calls()}));
}

Status process_report(int32_t milliseconds) {
  Mailboxes& all = mailboxes();
  const uint64_t self = this_thread();
  const auto deadline = Clock::now() + std::chrono::milliseconds(std::max(milliseconds, 0));
  Callback callback;
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
        return fail(ACL_ERROR_RT_THREAD_SUBSCRIBE, kEE1018,
                    "no stream was subscribed to the calling thread within %d ms", milliseconds);
      }
      return fail(ACL_ERROR_RT_REPORT_TIMEOUT, kEE1002, "no callback arrived within %d ms",
                  milliseconds);
    }
    Mailbox& mailbox = all.by_thread[self];
    callback = mailbox.arrived.front();
    mailbox.arrived.pop_front();
  }
  {
    const CallbackScope scope;
    callback.function(callback.argument);
  }
  if (callback.callout != nullptr) callback.callout->done(callback.callout);
  return {};
}

}  // namespace ferry
