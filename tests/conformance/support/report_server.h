// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of callbacks: the id of the calling thread, a thread that serves callbacks
// until it is stopped, and a callback that records where it ran. Header only.
#pragma once

#include "support/devices.h"

#include <pthread.h>

namespace conformance {

inline uint64_t this_thread_number() {
  return static_cast<uint64_t>(pthread_self());
}

// Serves callbacks from its construction on. Subscribes to nothing by itself.
class ReportServer {
 public:
  ReportServer()
      : thread_([this] {
          while (!is_over_) {
            const aclError code = aclrtProcessReport(5);
            EXPECT_TRUE(code == ACL_SUCCESS || code == ACL_ERROR_RT_REPORT_TIMEOUT ||
                        code == ACL_ERROR_RT_THREAD_SUBSCRIBE)
                << code << ": " << recent_text();
          }
        }) {}
  ~ReportServer() {
    is_over_ = true;
    thread_.join();
  }
  ReportServer(const ReportServer&) = delete;
  ReportServer& operator=(const ReportServer&) = delete;

  uint64_t number() { return static_cast<uint64_t>(thread_.native_handle()); }
  std::thread::id id() const { return thread_.get_id(); }

 private:
  std::atomic<bool> is_over_{false};
  std::thread thread_;  // last: it uses the flag
};

// A callback that counts its calls and records the thread of the last one.
struct Note {
  std::atomic<int> calls{0};
  std::atomic<std::thread::id> thread{};

  static void write(void* argument) {
    auto* note = static_cast<Note*>(argument);
    note->thread = std::this_thread::get_id();
    ++note->calls;
  }
};

}  // namespace conformance
