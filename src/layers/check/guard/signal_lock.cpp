// SPDX-License-Identifier: Apache-2.0
// The lock is one word: free, taken, or taken with a thread asleep on it.
#include "layers/check/guard/signal_lock.h"

namespace ferry::layers::check {
namespace {

const sigset_t& signals_of_the_program() {
  // Faults stay unblocked: a fault that is blocked kills the process.
  static const sigset_t set = [] {
    sigset_t all;
    sigfillset(&all);
    for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP}) {
      sigdelset(&all, fault);
    }
    return all;
  }();
  return set;
}

}  // namespace

bool SignalLock::try_lock_for(Nanoseconds most) {
  uint32_t expected = kFree;
  if (state_.compare_exchange_strong(expected, kTaken, std::memory_order_acquire)) return true;
  const Nanoseconds deadline = monotonic_now() + most;
  // Taking it as awaited costs at most one unnecessary wake-up and never loses one.
  while (state_.exchange(kAwaited, std::memory_order_acquire) != kFree) {
    const Nanoseconds left = deadline - monotonic_now();
    if (left.count() <= 0) return false;
    sleep_while(state_, kAwaited, left);
  }
  return true;
}

void SignalLock::unlock() {
  if (state_.exchange(kFree, std::memory_order_release) == kAwaited) wake_all(state_);
}

SignalHold::SignalHold(SignalLock& lock, Nanoseconds most) : lock_(lock) {
  pthread_sigmask(SIG_BLOCK, &signals_of_the_program(), &blocked_before_);
  is_held_ = lock_.try_lock_for(most);
}

SignalHold::~SignalHold() {
  if (is_held_) lock_.unlock();
  pthread_sigmask(SIG_SETMASK, &blocked_before_, nullptr);
}

}  // namespace ferry::layers::check
