// SPDX-License-Identifier: Apache-2.0
// A lock that the SIGSEGV handler may take too. The holder has the program's signals blocked, so no
// handler of the program runs on top of it and deadlocks on the lock.
#pragma once

#include "layers/check/guard/futex.h"

#include <signal.h>

#include <atomic>
#include <cstdint>

namespace ferry::layers::check {

// May be shared between threads. Use it through SignalHold.
class SignalLock {
 public:
  bool try_lock_for(Nanoseconds most);
  void unlock();

 private:
  enum : uint32_t { kFree, kTaken, kAwaited };
  std::atomic<uint32_t> state_{kFree};
};

// Holds the lock, with signals blocked, for its lifetime. Used by one thread.
class SignalHold {
 public:
  static constexpr Nanoseconds kForEver = std::chrono::hours(24 * 365);

  explicit SignalHold(SignalLock& lock, Nanoseconds most = kForEver);
  ~SignalHold();
  SignalHold(const SignalHold&) = delete;
  SignalHold& operator=(const SignalHold&) = delete;

  // False after a timeout.
  bool is_held() const { return is_held_; }

 private:
  SignalLock& lock_;
  sigset_t blocked_before_;
  bool is_held_;
};

}  // namespace ferry::layers::check
