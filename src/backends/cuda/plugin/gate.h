// SPDX-License-Identifier: Apache-2.0
// The gate to CUDA. exit() takes CUDA apart while threads of the program may still make calls, and
// what it registered first runs when CUDA is gone; a call into CUDA may crash then. So every call
// passes here, and a handler of exit() closes the gate before CUDA ends.
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
  // kClosing  none begins any more; those that did may be on their way out
  // kDone     closed, and everything that CUDA streams held is done
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
  // The state when it is not kClosing any more.
  State wait_until_closed() const;

  // False when it was closed before.
  bool close();
  // Whether all who entered have left. Once it is so after close(), it stays so.
  bool is_empty() const;
  // Ends kClosing.
  void settle(State state);

 private:
  // Invariant: who enters counts itself before it reads the state, who closes writes the state
  // before it reads the counts, all in one order (seq_cst): one of the two sees the other.
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

// Of this process. Has no destructor, so that it can be asked until the very end.
extern Gate gate;

// What is said where the gate is closed.
Trouble no_more_work();
// The answer to who waits for work when the gate is `state`: nothing for kDone.
Trouble end_of_work(Gate::State state);

}  // namespace ferry::cuda
