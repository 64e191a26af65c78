// SPDX-License-Identifier: Apache-2.0
// Catches faults of our own code in memory of the program. Asking the kernel first cannot exclude
// them: memory can be unmapped, protected or truncated after the answer, and asking costs more than
// copying. So a copy runs inside a trap: a fault ends the copy, not the process.
#pragma once

#include "base/fixed_text.h"

#include <setjmp.h>
#include <signal.h>

#include <atomic>
#include <cstdint>

namespace ferry {

// A trap that a thread is in, on its stack. Only that thread uses it, and its signal handler.
struct FaultTrap {
  // From now on, `size` bytes at both addresses are touched. A fault elsewhere is not ours: a
  // signal handler of the program may run, and fault, in the middle of a copy.
  void expect(const void* dst, const void* src, uint64_t size) {
    // The fences keep the compiler from moving these stores past the copies before and after.
    std::atomic_signal_fence(std::memory_order_seq_cst);
    dst_ = reinterpret_cast<uintptr_t>(dst);
    src_ = reinterpret_cast<uintptr_t>(src);
    size_ = size;
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  bool expects(uintptr_t address) const { return address - dst_ < size_ || address - src_ < size_; }

  sigjmp_buf landing;
  const void* fault = nullptr;
  FaultTrap* outer = nullptr;  // of the same thread

 private:
  uintptr_t dst_ = 0;
  uintptr_t src_ = 0;
  uint64_t size_ = 0;
};

// Installs the handlers of SIGSEGV and SIGBUS, once. A fault that no trap expects goes to the
// handler installed before, as if ours did not exist.
void install_fault_traps();

// Called in the signal handler for every fault that no trap expects. Installs the handlers too.
using FaultObserver = void (*)(const siginfo_t& info);
void observe_faults(FaultObserver observer);

// Whether traps work in the calling thread: the handlers are installed, the program has not
// replaced them since, and the thread does not block the signals. A few system calls.
bool are_faults_caught();

// Calls touch(trap, argument). Returns nullptr, or the address of the fault that ended it: then the
// frames inside were left without running destructors.
using Touch = void (*)(FaultTrap& trap, const void* argument);
const void* catch_fault(Touch touch, const void* argument);

template <class Body>
const void* catch_fault(const Body& body) {
  return catch_fault(
      [](FaultTrap& trap, const void* argument) { (*static_cast<const Body*>(argument))(trap); },
      &body);
}

// Says that an address could not be accessed.
FixedText not_accessible(const void* address);

}  // namespace ferry
