// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of streams, events and notifies: objects that destroy themselves, marks that
// show whether a stream came to a point, copies that fail, and invalid handles.
#pragma once

#include "support/conformance.h"

#include <cstring>
#include <functional>
#include <utility>

namespace conformance::streams {

// Written as numbers: the numbers are the contract.
constexpr aclError kBadArgument = 100000;
constexpr aclError kBadValue = 107000;
constexpr aclError kNoContext = 107002;
constexpr aclError kOtherContext = 107003;
constexpr aclError kBadHandle = 107017;
constexpr aclError kNotSupported = 207000;
constexpr aclError kAborted = 107023;
constexpr aclError kTaskFailed = 507001;
constexpr aclError kWaitTimedOut = 107019;

// A stream of the current context. It must be destroyed in that context.
class Stream {
 public:
  Stream() { EXPECT_OK(aclrtCreateStream(&handle_)); }
  explicit Stream(uint32_t flag) { EXPECT_OK(aclrtCreateStreamWithConfig(&handle_, 0, flag)); }
  ~Stream() {
    if (handle_ != nullptr) {
      EXPECT_OK(aclrtDestroyStream(handle_));
    }
  }
  Stream(Stream&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Stream& operator=(Stream&&) = delete;

  operator aclrtStream() const { return handle_; }  // can be used like the handle
  // Returns the handle, which belongs to the caller from now on.
  aclrtStream release() { return std::exchange(handle_, nullptr); }

 private:
  aclrtStream handle_ = nullptr;
};

// An event of one of the three kinds.
class Event {
 public:
  static Event plain() {
    Event event;
    EXPECT_OK(aclrtCreateEvent(&event.handle_));
    return event;
  }
  static Event with_flag(uint32_t flag = ACL_EVENT_SYNC) {
    Event event;
    EXPECT_OK(aclrtCreateEventWithFlag(&event.handle_, flag));
    return event;
  }
  static Event ex(uint32_t flag = ACL_EVENT_SYNC) {
    Event event;
    EXPECT_OK(aclrtCreateEventExWithFlag(&event.handle_, flag));
    return event;
  }
  ~Event() {
    if (handle_ != nullptr) {
      EXPECT_OK(aclrtDestroyEvent(handle_));
    }
  }
  Event(Event&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Event& operator=(Event&&) = delete;

  operator aclrtEvent() const { return handle_; }
  aclrtEvent release() { return std::exchange(handle_, nullptr); }

 private:
  Event() = default;
  aclrtEvent handle_ = nullptr;
};

class Notify {
 public:
  Notify() { EXPECT_OK(aclrtCreateNotify(&handle_, ACL_NOTIFY_DEFAULT)); }
  ~Notify() {
    if (handle_ != nullptr) {
      EXPECT_OK(aclrtDestroyNotify(handle_));
    }
  }
  Notify(Notify&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Notify& operator=(Notify&&) = delete;

  operator aclrtNotify() const { return handle_; }
  aclrtNotify release() { return std::exchange(handle_, nullptr); }

 private:
  aclrtNotify handle_ = nullptr;
};

inline aclrtContext current_context() {
  aclrtContext context = nullptr;
  EXPECT_OK(aclrtGetCurrentContext(&context));
  return context;
}

// Another context; the current one stays current.
class OtherContext {
 public:
  explicit OtherContext(int32_t device = 0) {
    const aclrtContext before = current_context();
    EXPECT_OK(aclrtCreateContext(&handle_, device));
    EXPECT_OK(aclrtSetCurrentContext(before));
  }
  ~OtherContext() {
    if (handle_ != nullptr) {
      EXPECT_OK(aclrtDestroyContext(handle_));
    }
  }
  OtherContext(const OtherContext&) = delete;
  OtherContext& operator=(const OtherContext&) = delete;

  operator aclrtContext() const { return handle_; }
  aclrtContext release() { return std::exchange(handle_, nullptr); }

 private:
  aclrtContext handle_ = nullptr;
};

// Makes a context current until the end of the block.
class Inside {
 public:
  explicit Inside(aclrtContext context) : before_(current_context()) {
    EXPECT_OK(aclrtSetCurrentContext(context));
  }
  ~Inside() { EXPECT_OK(aclrtSetCurrentContext(before_)); }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  aclrtContext before_;
};

// Starts a thread that works in `context`.
template <class Body>
std::thread start_in(aclrtContext context, Body body) {
  return std::thread([context, body = std::move(body)]() mutable {
    EXPECT_OK(aclrtSetCurrentContext(context));
    body();
  });
}

// Runs `body(i)` on `count` threads at once, each in the current context, and waits for them.
template <class Body>
void on_threads(int count, Body body) {
  const aclrtContext context = current_context();
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i)
    threads.push_back(start_in(context, [i, &body] { body(i); }));
  for (std::thread& thread : threads)
    thread.join();
}

// A point in a stream: a copy from the device to pinned memory that shows whether it has run. May
// be read only after a synchronisation, or while something blocks the stream before it.
//
// The copy uses only part of its allocation, so that the checker does not close the page: a mark is
// meant to be read early.
class Mark {
 public:
  Mark() {
    from_.write(pattern(kSize));
    clear();
  }

  aclError queue(aclrtStream stream) {
    return aclrtMemcpyAsync(to_.get(), kSize, from_.get(), kSize, ACL_MEMCPY_DEVICE_TO_HOST,
                            stream);
  }
  bool is_reached() const { return std::memcmp(to_.get(), pattern(kSize).data(), kSize) == 0; }
  // The same where another process ends the wait: ThreadSanitizer does not see that order.
  [[gnu::no_sanitize_thread]] bool is_reached_yet() const {
    const std::vector<uint8_t> expected = pattern(kSize);
    const volatile uint8_t* const bytes = static_cast<const uint8_t*>(to_.get());
    for (size_t i = 0; i < kSize; ++i)
      if (bytes[i] != expected[i]) return false;
    return true;
  }
  void clear() { std::memset(to_.get(), 0, kSize); }

 private:
  static constexpr size_t kSize = 64;
  DeviceBuffer from_{kSize};
  PinnedBuffer to_{2 * kSize};
};

// A copy that can be queued and fails with kTaskFailed when it runs: its destination is shorter
// than the copy.
class BadCopy {
 public:
  aclError queue(aclrtStream stream) {
    return aclrtMemcpyAsync(short_.get(), long_.size(), long_.get(), long_.size(),
                            ACL_MEMCPY_HOST_TO_DEVICE, stream);
  }

 private:
  DeviceBuffer short_{64};
  PinnedBuffer long_{size_t{1} << 20};
};

// Blocks a stream without occupying a thread: the stream waits for an event that is not yet
// recorded. Unlike a Gate it can be used in any number, and behind a Gate.
class Hold {
 public:
  explicit Hold(aclrtStream stream) { EXPECT_OK(aclrtStreamWaitEvent(stream, event_)); }
  ~Hold() {
    // Fails in a context that has stopped, where nothing is blocked any more.
    if (!is_released_) aclrtRecordEvent(event_, releaser_);
    clear_errors();
  }
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;

  void release() {
    is_released_ = true;
    EXPECT_OK(aclrtRecordEvent(event_, releaser_));
  }

 private:
  Event event_ = Event::with_flag(ACL_EVENT_SYNC);
  Stream releaser_;
  bool is_released_ = false;
};

// Two failures with different codes on one stream: a callback that is no longer served, with
// kCallbackFailed, and a bad copy, with kTaskFailed. Both wait behind a Hold.
class TwoFailures {
 public:
  enum class Order { kCallbackFirst, kCopyFirst };
  static constexpr aclError kCallbackFailed = 107015;

  void queue(aclrtStream stream, Order order) {
    const uint64_t nobody = 1;  // no thread has this number
    Hold hold(stream);
    EXPECT_OK(aclrtSubscribeReport(nobody, stream));
    if (order == Order::kCopyFirst) {
      EXPECT_OK(bad_copy_.queue(stream));
    }
    EXPECT_OK(aclrtLaunchCallback([](void*) {}, nullptr, ACL_CALLBACK_BLOCK, stream));
    if (order == Order::kCallbackFirst) {
      EXPECT_OK(bad_copy_.queue(stream));
    }
    EXPECT_OK(aclrtUnSubscribeReport(nobody, stream));
    hold.release();
  }

 private:
  BadCopy bad_copy_;
};

// Handles that a call must refuse: destroyed ones, those of other types, and numbers.
class WrongHandles {
 public:
  WrongHandles() {
    EXPECT_OK(aclrtCreateStream(&dead_stream_));
    EXPECT_OK(aclrtDestroyStream(dead_stream_));
    EXPECT_OK(aclrtCreateEvent(&dead_event_));
    EXPECT_OK(aclrtDestroyEvent(dead_event_));
    EXPECT_OK(aclrtCreateNotify(&dead_notify_, ACL_NOTIFY_DEFAULT));
    EXPECT_OK(aclrtDestroyNotify(dead_notify_));
  }

  void* dead_stream() const { return dead_stream_; }
  void* dead_event() const { return dead_event_; }
  void* dead_notify() const { return dead_notify_; }

  std::vector<void*> for_stream() { return with_others({dead_stream_, event_, notify_}); }
  std::vector<void*> for_event() { return with_others({dead_event_, stream_, notify_}); }
  std::vector<void*> for_notify() { return with_others({dead_notify_, stream_, event_}); }

 private:
  std::vector<void*> with_others(std::vector<void*> handles) {
    handles.insert(handles.end(), {context_, &variable_, memory_.get(), reinterpret_cast<void*>(1),
                                   reinterpret_cast<void*>(uintptr_t{0x123456789A}),
                                   reinterpret_cast<void*>(UINTPTR_MAX)});
    return handles;
  }

  Stream stream_;
  Event event_ = Event::plain();
  Notify notify_;
  DeviceBuffer memory_{64};
  aclrtContext context_ = current_context();
  uint64_t variable_ = 0;
  void* dead_stream_ = nullptr;
  void* dead_event_ = nullptr;
  void* dead_notify_ = nullptr;
};

// The rules of the last error: a failure with a code of the ACL layer (`refused`) does not change
// it, one with a code of the runtime (`failing`) sets it, and success does not clear it.
inline void expect_last_error_rules(const std::function<aclError()>& refused,
                                    const std::function<aclError()>& failing,
                                    const std::function<aclError()>& succeeding) {
  clear_errors();
  if (refused) {
    EXPECT_EQ(kBadArgument, refused());
    EXPECT_EQ(ACL_SUCCESS, aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL));
  }
  const aclError code = failing();
  EXPECT_NE(ACL_SUCCESS, code);
  EXPECT_EQ(code, aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL));
  if (refused) refused();
  EXPECT_OK(succeeding());
  EXPECT_EQ(code, aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL));
  clear_errors();
}

}  // namespace conformance::streams
