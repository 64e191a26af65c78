// SPDX-License-Identifier: Apache-2.0
// From the signal handler to a thread of our own: the handler writes down what happened in a place
// that exists already, and waits until the thread has dealt with it.
#pragma once

#include "layers/check/guard/guard.h"

namespace ferry::layers::check {

// Starts the thread, which calls `on_touch` for each touch. To be called once. False when no thread
// can be started.
bool open_touch_ring(OnTouch on_touch);

// What is known in the handler; Touch, with its frames, is too large for small signal stacks.
struct TouchFacts {
  uintptr_t address = 0;
  uintptr_t instruction = 0;  // that touched
  bool is_write = false;
  bool is_freed = false;
  uint64_t label = 0;
};

// In a signal handler: writes it down, with the stack, and waits until it was told, two seconds at
// most.
//
// on_touch takes the lock of the world. A thread that touches does not hold it: our own code
// reaches guarded memory through its storage, which is never closed. So the two seconds only pass
// where the thread that touches holds a lock of the system, such as the loader's, that telling
// needs too.
void tell_touch(const TouchFacts& facts);

}  // namespace ferry::layers::check
