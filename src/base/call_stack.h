// SPDX-License-Identifier: Apache-2.0
// The call stack of the calling thread, as addresses. Names are looked up elsewhere, later.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace ferry {

// The addresses of some code.
struct CodeRange {
  uintptr_t begin = 0;
  uintptr_t end = 0;

  bool contains(uintptr_t address) const { return address - begin < end - begin; }
};

// The code of this library; empty when it is part of the program itself.
const CodeRange& own_code();

// Where on the stack a walk met the return addresses it wrote or skipped. While all of them are
// still there, the next walk from the same frame would find the same. Used by the thread that owns
// the stack.
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

// Writes return addresses, innermost first, starting with the frame at `first`: a return address,
// or the instruction that a signal interrupted. Leading frames in `skipped` are left out; after
// that the stack ends at the first frame in `skipped`. For an interrupted instruction its address
// plus one is written, so that each frame can be looked up at its address less one. Returns the
// number of frames; a stack that cannot be unwound is `first` alone.
//
// May be called in a signal handler after warm_call_stacks: libgcc's unwinder has then loaded what
// it needs, and it unwinds through signal frames. `marks`, if given, covers all frames from `first`
// on.
size_t take_call_stack(uintptr_t first, std::span<uintptr_t> frames, const CodeRange& skipped = {},
                       StackMarks* marks = nullptr);
void warm_call_stacks();

}  // namespace ferry
