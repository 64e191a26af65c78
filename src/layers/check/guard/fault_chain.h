// SPDX-License-Identifier: Apache-2.0
// Chains our SIGSEGV handler with those of the program: ours runs first, and a fault that is not
// ours goes to the handler installed before, as if ours did not exist.
#pragma once

#include <signal.h>

namespace ferry::layers::check {

// Called in the signal handler. True: the fault is handled, and the instruction runs again.
using TakeFault = bool (*)(const siginfo_t& info, const void* context);

// Call once, before stay_on_top.
void open_fault_chain(TakeFault take_fault);
// Makes sure that our handler runs first: the program may have installed its own since. False when
// that is no longer possible. One system call when nothing has changed. Not for concurrent callers.
bool stay_on_top();

}  // namespace ferry::layers::check
