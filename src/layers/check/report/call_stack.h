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

// Where on the stack a walk has met the return addresses it wrote or skipped. As long as all of
// them are there, the next walk from the same frame would find the same. Used by the thread whose
// stack it is.
class StackMarks {
 public:
  void clear() { count_ = 0; }
  // Gives up, until the next clear, when the address is not at the place where calls leave it.
  void add(const uintptr_t* place, uintptr_t address);
  void give_up() { count_ = kUnknown; }
  bool are_there() const;

 private:
  struct Mark {
    const uintptr_t* place;
    uintptr_t address;
  };
  static constexpr size_t kMost = 60;
  static constexpr size_t kUnknown = kMost + 1;

  size_t count_ = kUnknown;
  Mark marks_[kMost];
};

// Writes return addresses, innermost first, from the frame on that is at `first`: a return address,
// or the instruction that a signal interrupted. Frames in `skipped` that come first are left out;
// after that the stack ends where it comes to one.
// For an interrupted instruction its address plus one is written, so that each frame can be looked
// up at its address less one. Returns how many; a stack that cannot be unwound is `first` alone.
//
// May be called in a signal handler once warm_call_stacks was called: the unwinder of libgcc then
// has loaded what it needs, and it passes frames of signals.
// `marks`, when given, are of all frames from `first` on.
size_t take_call_stack(uintptr_t first, std::span<uintptr_t> frames, const CodeRange& skipped = {},
                       StackMarks* marks = nullptr);
void warm_call_stacks();

}  // namespace ferry::layers::check
