// SPDX-License-Identifier: Apache-2.0
// Takes the place of src/base/pause.h. Polling many times shows nothing that polling once, at any
// moment, does not.
#pragma once

#include "backends/cpu/sync.h"

namespace ferry {

inline void pause_processor() {}

template <class Condition>
bool poll_for_a_while(Condition is_over) {
  return is_over();
}

inline cpu::sync::Lock lock_soon(cpu::sync::Mutex& mutex,
                                 cpu::sync::Place at = cpu::sync::Place::current()) {
  return cpu::sync::Lock(mutex, at);
}

}  // namespace ferry
