// SPDX-License-Identifier: Apache-2.0
// The gate that holds calls of the program while a snapshot is taken. Nothing passes it before the
// first snapshot call of the process: the layer src/layers/snapshot leads calls through it from
// then on.
#pragma once

#include "base/jump_guard.h"

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>

namespace ferry {

// May be shared between threads; never destroyed.
//
// Invariant: a thread counts itself as inside before it looks whether the gate is closed, and the
// gate is closed before the inside are counted, both in one total order. So a call either sees the
// closed gate and waits, or is waited for.
class CallGate {
 public:
  static CallGate& instance();

  // One call of the program, from entering the gate to leaving it. A call inside another call of
  // the same thread, from a callback, neither waits nor counts.
  class Entry {
   public:
    Entry() : guard_(leave_by_jump, this) { CallGate::instance().enter(); }
    ~Entry() { leave(); }
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;

   private:
    static void leave_by_jump(void* self) { static_cast<Entry*>(self)->leave(); }
    void leave() {
      if (is_over_) return;
      is_over_ = true;
      CallGate::instance().leave();
    }

    bool is_over_ = false;
    const JumpGuard guard_;
  };

  // Closes the gate for all threads but the calling one.
  void close();
  void open();
  // Waits until no call of another thread is inside. False when the deadline has passed before.
  bool wait_until_empty(std::chrono::steady_clock::time_point deadline);

 private:
  void enter();
  void leave();
  void wait_until_open();
  bool is_closed_for_this_thread() const;

  std::atomic<bool> is_closed_{false};
  std::atomic<int64_t> inside_{0};  // threads inside a call

  std::mutex mutex_;  // guards owner_ and process_ while the gate is closed, and the waits
  std::condition_variable changed_;
  const void* owner_ = nullptr;  // identifies the thread that closed the gate
  pid_t process_ = 0;            // a child of fork has no thread that could open it
};

}  // namespace ferry
