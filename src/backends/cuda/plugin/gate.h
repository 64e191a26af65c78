// SPDX-License-Identifier: Apache-2.0
// The gate to CUDA. exit() shuts CUDA down while threads of the program may still make calls, and
// exit handlers registered earlier run after that; a call into CUDA may then crash. So every call
// into CUDA passes the gate, and an exit handler closes it before CUDA shuts down.
#pragma once

#include "backends/cuda/plugin/cuda_error.h"
#include "backends/cuda/plugin/thread_slots.h"

#include <atomic>
#include <cstdint>

namespace ferry::cuda {

// May be shared between threads.
class Gate {
 public:
  // kOpen     calls go to CUDA
  // kClosing  no new call enters; calls that entered earlier may still be inside
  // kDone     closed, and all work on CUDA streams had completed
  // kCutOff   closed before that
  enum class State : uint32_t { kOpen, kClosing, kDone, kCutOff };

  // One call inside CUDA. Not shared between threads.
  class Pass {
   public:
    explicit Pass(Gate& gate) : slot_(gate.enter()) {}
    ~Pass() {
      if (slot_ != nullptr) slot_->inside.fetch_sub(1, std::memory_order_release);
    }
    Pass(const Pass&) = delete;
    Pass& operator=(const Pass&) = delete;

    // Whether CUDA may be called.
    explicit operator bool() const { return slot_ != nullptr; }

   private:
    ThreadSlots::Slot* const slot_;
  };

  bool is_open() const { return state_.load(std::memory_order_relaxed) == State::kOpen; }
  State state() const { return state_.load(std::memory_order_acquire); }
  // Waits while the state is kClosing, then returns it.
  State wait_until_closed() const;

  // False when it was closed already.
  bool close();
  // Whether no call is inside CUDA. Once true after close(), it stays true.
  bool is_empty() const;
  // Leaves kClosing for `state`.
  void settle(State state);

 private:
  // Invariant: an entering thread increments its count before it reads the state; the closing
  // thread writes the state before it reads the counts. All of these are seq_cst, so at least one
  // of the two threads sees the other.
  ThreadSlots::Slot* enter() {
    ThreadSlots::Slot& slot = slots_.mine();
    slot.inside.fetch_add(1);
    if (state_.load() == State::kOpen) return &slot;
    slot.inside.fetch_sub(1, std::memory_order_release);
    return nullptr;
  }

  std::atomic<State> state_{State::kOpen};
  ThreadSlots slots_;
};

// One per process. Has no destructor, so that it can be queried until the process has ended.
extern Gate gate;

// The error of a call made once the gate is closed.
Trouble no_more_work();
// The result for a caller that waits for work once the gate is `state`: success for kDone.
Trouble end_of_work(Gate::State state);

}  // namespace ferry::cuda
