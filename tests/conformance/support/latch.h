// SPDX-License-Identifier: Apache-2.0
// A gate between threads of a test that does not hang for ever: a library that waits for the wrong
// thing fails the test instead. Header only.
#pragma once

#include "support/conformance.h"

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace conformance {

class Latch {
 public:
  void open() {
    const std::lock_guard lock(mutex_);
    is_open_ = true;
    changed_.notify_all();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, std::chrono::seconds(20), [&] { return is_open_; })) {
      ADD_FAILURE() << "a thread waits for what should wait for it";
    }
  }

 private:
  std::mutex mutex_;  // guards is_open_
  std::condition_variable changed_;
  bool is_open_ = false;
};

}  // namespace conformance
