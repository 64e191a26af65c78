// SPDX-License-Identifier: Apache-2.0
// The call stack of the calling thread, as addresses. Names are found elsewhere, and later.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace ferry::layers::check {

// Where some code lies.
struct CodeRange {
  uintptr_t begin = 0;
  uintptr_t end = 0;

  bool contains(uintptr_t address) const { return address - begin < end - begin; }
};

// Writes return addresses, innermost first, from the frame on that is at `first`: a return address,
// or the instruction that a signal interrupted. Frames in `skipped` that come first are left out.
// For an interrupted instruction its address plus one is written, so that each frame can be looked
// up at its address less one. Returns how many; a stack that cannot be unwound is `first` alone.
//
// May be called in a signal handler once warm_call_stacks was called: the unwinder of libgcc then
// has loaded what it needs, and it passes frames of signals.
size_t take_call_stack(uintptr_t first, std::span<uintptr_t> frames, const CodeRange& skipped = {});
void warm_call_stacks();

}  // namespace ferry::layers::check
