// SPDX-License-Identifier: Apache-2.0
// Unwinding with the exception tables: every function has them, frame pointers or not.
#include "base/call_stack.h"

#include <link.h>
#include <unwind.h>

namespace ferry {
namespace {

struct Walk {
  uintptr_t first;
  std::span<uintptr_t> frames;
  CodeRange skipped;
  StackMarks* marks;
  bool has_begun = false;
  size_t count = 0;
};

// On x86-64 a call leaves its return address just below the caller's frame; add() detects where it
// does not.
void mark(_Unwind_Context* context, uintptr_t address, int is_interrupted, StackMarks& marks) {
  if (address == 0) return;  // the end of the stack
  if (is_interrupted != 0) return marks.give_up();
  marks.add(reinterpret_cast<const uintptr_t*>(_Unwind_GetCFA(context)) - 1, address);
}

_Unwind_Reason_Code visit(_Unwind_Context* context, void* argument) {
  Walk& walk = *static_cast<Walk*>(argument);
  int is_interrupted = 0;
  const uintptr_t address = _Unwind_GetIPInfo(context, &is_interrupted);
  walk.has_begun = walk.has_begun || address == walk.first;
  if (walk.has_begun && walk.marks != nullptr) mark(context, address, is_interrupted, *walk.marks);
  if (!walk.has_begun || (walk.count == 0 && walk.skipped.contains(address))) {
    return _URC_NO_REASON;
  }
  // The stack ends where our own code called back into the program.
  if (walk.skipped.contains(address)) return _URC_END_OF_STACK;
  if (address == 0 || walk.count == walk.frames.size()) return _URC_END_OF_STACK;
  walk.frames[walk.count++] = is_interrupted != 0 ? address + 1 : address;
  return _URC_NO_REASON;
}

int look_for_own_code(dl_phdr_info* object, size_t /*size*/, void* argument) {
  auto& own = *static_cast<CodeRange*>(argument);
  const auto here = reinterpret_cast<uintptr_t>(&look_for_own_code);
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const auto& segment = object->dlpi_phdr[i];
    const uintptr_t begin = object->dlpi_addr + segment.p_vaddr;
    const bool is_own = segment.p_type == PT_LOAD && here - begin < segment.p_memsz;
    if (!is_own) continue;
    const bool is_program = object->dlpi_name == nullptr || object->dlpi_name[0] == '\0';
    if (!is_program) own = {.begin = begin, .end = begin + segment.p_memsz};
    return 1;
  }
  return 0;
}

}  // namespace

const CodeRange& own_code() {
  static const CodeRange range = [] {
    CodeRange own;
    dl_iterate_phdr(look_for_own_code, &own);
    return own;
  }();
  return range;
}

void StackMarks::add(const uintptr_t* place, uintptr_t address) {
  if (count_ >= kMost || *place != address) return give_up();
  marks_[count_++] = {place, address};
}

bool StackMarks::are_there() const {
  if (count_ == kUnknown) return false;
  for (size_t i = 0; i < count_; ++i) {
    if (*marks_[i].place != marks_[i].address) return false;
  }
  return count_ > 0;
}

size_t take_call_stack(uintptr_t first, std::span<uintptr_t> frames, const CodeRange& skipped,
                       StackMarks* marks) {
  if (marks != nullptr) marks->clear();
  Walk walk{.first = first, .frames = frames, .skipped = skipped, .marks = marks};
  _Unwind_Backtrace(visit, &walk);
  if (!walk.has_begun && !frames.empty()) frames[walk.count++] = first;
  return walk.count;
}

void warm_call_stacks() {
  uintptr_t frames[4];
  take_call_stack(reinterpret_cast<uintptr_t>(__builtin_return_address(0)), frames);
}

}  // namespace ferry
