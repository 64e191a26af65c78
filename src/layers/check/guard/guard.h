// SPDX-License-Identifier: Apache-2.0
// Guarded host memory: pinned memory is mapped twice, once where the program sees it and once where
// the engine works, so that the program's view can be closed while a copy is in flight. The
// instruction that touches a closed page is caught, told, and let through.
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

// The host touched a closed page. Filled in by the signal handler.
struct Touch {
  static constexpr size_t kMostFrames = 48;
  uintptr_t address = 0;
  bool is_write = false;
  bool is_freed = false;  // the memory was retired
  uint64_t label = 0;  // of the oldest guard that forbids it; 0 when there is none, only is_freed
  int thread = 0;      // the kernel's number of the thread
  // Innermost first, as return addresses: the first is one past the start of the instruction that
  // touched.
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
// Called on a thread of our own, not in the signal handler; the thread that touched waits for it
// (not for ever). Told once a guard: the pages that nobody else guards stay open from then on. A
// page with several guards, or of freed memory, is told by itself, once.
// It may take locks that others hold while they guard, and may guard itself; what it touches itself
// is not told.
using OnTouch = void (*)(const Touch& touch);

// All functions may be called from any thread, with or without the lock of the world; none takes a
// lock but its own.

// To be called once, before anything else. False when memory cannot be mapped twice here: then
// nothing is guarded.
bool open_guards(OnTouch on_touch);

// Maps pinned memory of the CPU device twice: memory.address stays, memory.storage moves. It must
// be fresh from host_alloc: what it holds is zeros before and after. False: nothing changed.
bool make_guardable(ferryx_memory& memory);
// The program has freed it: every touch from now on is a use after free. The memory stays.
void retire(const ferryx_memory& memory);
// Gives the second mapping back and leaves ordinary memory at memory.address, as the backend made
// it. Nobody may work through the storage any more; guards that are left are forgotten.
void make_ordinary(const ferryx_memory& memory);

// Closes the pages of guardable memory that lie wholly inside `range`; bytes of the last page
// behind the end of the allocation count as inside. Guards add up; each is taken back with the same
// arguments. Returns the bytes of `range` that are closed: empty when it is not guardable memory,
// covers no whole page, or when a thousand guards are there already.
Range guard(const Range& range, Guard kind, uint64_t label);
void unguard(const Range& range, Guard kind, uint64_t label);

// In the child of a fork: everything is opened and nothing is told any more; what the child writes
// stays its own. Called by a fork itself; calling it again does nothing.
void disown_guards_in_child();

}  // namespace ferry::layers::check
