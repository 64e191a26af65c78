// SPDX-License-Identifier: Apache-2.0
// Our handler of SIGSEGV among those of others: it is asked first, and what is not ours goes to the
// handler that was there before, as if ours were not.
#pragma once

#include <signal.h>

namespace ferry::layers::check {

// Called in the signal handler. True: the fault is dealt with, and the instruction runs again.
using TakeFault = bool (*)(const siginfo_t& info, const void* context);

// To be called once, before stay_on_top.
void open_fault_chain(TakeFault take_fault);
// Sees to it that our handler is asked first: programs may have installed theirs since. False when
// that is not possible any more. One system call when nothing has changed. To be called by one
// thread at a time.
bool stay_on_top();

}  // namespace ferry::layers::check
