// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of devices, contexts and callbacks: invalid device numbers, a thread that is
// inside one call, and a task that fails. Header only.
#pragma once

#include "support/conformance.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <fstream>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

namespace conformance {

inline uint32_t device_count() {
  uint32_t count = 0;
  EXPECT_OK(aclrtGetDeviceCount(&count));
  return count;
}

// Numbers that are not devices, for signed and unsigned parameters.
inline std::vector<int32_t> missing_devices() {
  return {-1, INT32_MIN, static_cast<int32_t>(device_count()), INT32_MAX};
}
inline std::vector<uint32_t> missing_device_numbers() {
  return {device_count(), uint32_t{INT32_MAX}, uint32_t{INT32_MAX} + 1, UINT32_MAX};
}

// The current context of this thread, or NULL.
inline aclrtContext current_context() {
  aclrtContext context = nullptr;
  aclrtGetCurrentContext(&context);
  clear_errors();
  return context;
}

inline aclError last_error() {
  return aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL);
}

// Runs `body` on several threads at once, each with its number if it takes one, and waits for them.
template <class Body>
void on_threads(int number, Body body) {
  std::vector<std::thread> threads;
  threads.reserve(static_cast<size_t>(number));
  for (int i = 0; i < number; ++i) {
    if constexpr (std::is_invocable_v<Body, int>) {
      threads.emplace_back([&body, i] { body(i); });
    } else {
      threads.emplace_back([&body] { body(); });
    }
  }
  for (std::thread& thread : threads)
    thread.join();
}

// A thread that makes one call, in a given context.
class Caller {
 public:
  // `call` returns an aclError. If `context` is NULL, the thread has none.
  template <class Call>
  Caller(aclrtContext context, Call call)
      : thread_([this, context, call] {
          if (context != nullptr) {
            EXPECT_OK(aclrtSetCurrentContext(context));
          }
          thread_number_ = static_cast<long>(syscall(SYS_gettid));
          code_ = call();
          text_ = recent_text();
          has_returned_ = true;
        }) {}
  ~Caller() { join(); }
  Caller(const Caller&) = delete;
  Caller& operator=(const Caller&) = delete;

  bool has_returned() const { return has_returned_; }

  // The result of the call, once it has returned.
  aclError join() {
    if (thread_.joinable()) thread_.join();
    return code_;
  }
  const std::string& text() {
    join();
    return text_;
  }

  // Waits until the thread sleeps, most likely because the call waits, or the call has returned. A
  // test must not rely on more than that: a thread may also sleep on its way there.
  void wait_until_asleep() const {
    while (!has_returned_) {
      if (thread_number_ != 0) {
        std::ifstream file("/proc/self/task/" + std::to_string(thread_number_.load()) + "/stat");
        const std::string line((std::istreambuf_iterator<char>(file)), {});
        const size_t name_end = line.rfind(')');
        if (name_end != std::string::npos && line.compare(name_end, 3, ") S") == 0) return;
      }
      std::this_thread::yield();
    }
  }

 private:
  std::atomic<long> thread_number_{0};
  std::atomic<bool> has_returned_{false};
  aclError code_ = ACL_SUCCESS;
  std::string text_;
  std::thread thread_;  // last: it uses the members above
};

// A copy that is queued successfully and fails when it runs, because its range is too long.
class BadCopy {
 public:
  void queue(aclrtStream stream) {
    EXPECT_OK(aclrtMemcpyAsync(small_.get(), large_.size(), large_.get(), large_.size(),
                               ACL_MEMCPY_HOST_TO_DEVICE, stream));
  }

 private:
  DeviceBuffer small_{64};
  PinnedBuffer large_{1 << 16};
};

}  // namespace conformance
