// SPDX-License-Identifier: Apache-2.0
// Passes touches from the signal handler to a thread of our own: the handler writes to a
// preallocated slot and waits until the thread has handled it.
#pragma once

#include "layers/check/guard/guard.h"

namespace ferry::layers::check {

// Starts the thread, which calls `on_touch` for each touch. Call once. False when no thread can be
// started.
bool open_touch_ring(OnTouch on_touch);

// The facts the handler knows; Touch, with its frames, is too large for small signal stacks.
struct TouchFacts {
  uintptr_t address = 0;
  uintptr_t instruction = 0;  // the faulting instruction
  bool is_write = false;
  bool is_freed = false;
  uint64_t label = 0;
};

// In a signal handler: records the touch, with its stack, and waits at most two seconds until it
// has been reported.
//
// on_touch takes World's lock. A touching thread does not hold it: our own code accesses guarded
// memory through its storage, which is never closed. So the two seconds only elapse when the
// touching thread holds a system lock that reporting needs too, such as the loader's.
void tell_touch(const TouchFacts& facts);

}  // namespace ferry::layers::check
