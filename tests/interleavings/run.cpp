// SPDX-License-Identifier: Apache-2.0
// The beginning and the end of a run.
#include "interleavings/run.h"

#include "backends/cpu/sync.h"
#include "interleavings/relacy.h"

namespace ferry::interleavings {
namespace {

Run current;

// Relacy would explore for each allocation whether its address is used again.
struct RelacyMemory : rl::context {
  static void leave_to_the_library() {
    constexpr int rl::context::*kDisabled = &RelacyMemory::disable_alloc_;
    rl::ctx().*kDisabled = 1;
  }
};

}  // namespace

Run& run() {
  return current;
}

void begin_run() {
  RelacyMemory::leave_to_the_library();
  const uint64_t number = current.number + 1;
  current = {};
  current.number = number;
}

void end_run() {
  if (current.sleeps_on == nullptr) {
    current.is_over = true;
    return;
  }
  // The lock: the copy thread may not have fallen asleep yet.
  const cpu::sync::Lock lock(*current.sleeps_with);
  current.is_over = true;
  if (current.sleeps_on != nullptr) current.sleeps_on->notify_all();
}

}  // namespace ferry::interleavings
