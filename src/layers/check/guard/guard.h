// SPDX-License-Identifier: Apache-2.0
// Guarded host memory. Pinned and managed memory is mapped twice, once for the program and once for
// the backend, so that the program's view can be closed while a copy is in flight. An instruction
// that touches a closed page is caught, reported, and allowed to proceed.
#pragma once

#include "layers/check/order/history.h"
#include "layers/check/report/site.h"

#include "ferry/backend.h"

#include <cstdint>

namespace ferry::layers::check {

enum class Guard : uint8_t {
  kNoWrites,  // a queued copy has yet to read it
  kNoAccess,  // a queued copy has yet to write it
};

// The program touched a closed page. Filled in by the signal handler.
struct Touch {
  static constexpr size_t kMostFrames = 48;
  uintptr_t address = 0;
  bool is_write = false;
  bool is_freed = false;  // the memory was retired
  uint64_t label = 0;     // of the oldest guard that forbids it; 0 if there is none, only is_freed
  int thread = 0;         // the kernel's thread id
  // Innermost first, as return addresses: the first is one past the start of the faulting
  // instruction.
  uintptr_t frames[kMostFrames] = {};
  size_t frame_count = 0;
  // The stack of an interpreter, as in Site.
  char script[kMostScript] = {};
  size_t script_size = 0;

  Site site() const {
    return {.function = "",
            .frames = {frames, frames + frame_count},
            .script = std::string(script, script_size)};
  }
};
// Called on a thread of our own, not in the signal handler; the touching thread waits for it, for a
// limited time. Each guard reports once: its pages that have no other guard stay open from then on.
// A page with several guards, or of freed memory, reports by itself, once. The function may take
// locks that other threads hold while they guard, and may guard itself. Its own touches are not
// reported.
using OnTouch = void (*)(const Touch& touch);

// All functions may be called from any thread, with or without World's lock. Each takes only the
// lock of the guards.

// Call once, before anything else. False when memory cannot be mapped twice here: then nothing is
// guarded.
bool open_guards(OnTouch on_touch);

// Maps pinned or managed memory of the CPU device twice: memory.address stays, memory.storage
// changes. The memory must be fresh from its slot: it holds zeros before and after. False: nothing
// changed.
bool make_guardable(ferryx_memory& memory);
// The program has freed it: every later touch is a use after free. The memory stays mapped.
void retire(const ferryx_memory& memory);
// Unmaps the second mapping and leaves ordinary memory at memory.address, as the backend made it.
// Nothing may use the storage any more; remaining guards are dropped.
void make_ordinary(const ferryx_memory& memory);

// Closes the pages of guardable memory that lie wholly inside `range`; bytes of the last page past
// the end of the allocation count as inside. Guards add up; each is removed with the same
// arguments. Returns the bytes of `range` that are closed. Empty when the range is not guardable
// memory or covers no whole page, or when the limit of 256 guards is reached.
Range guard(const Range& range, Guard kind, uint64_t label);
void unguard(const Range& range, Guard kind, uint64_t label);

// In the child of a fork: opens everything and stops reporting; what the child writes stays private
// to it. Runs on every fork; calling it again does nothing.
void disown_guards_in_child();

}  // namespace ferry::layers::check
