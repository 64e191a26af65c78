// SPDX-License-Identifier: Apache-2.0
// Unwinding with the tables that exceptions use: every function has them, frame pointers or not.
#include "layers/check/call_stack.h"

#include <unwind.h>

namespace ferry::layers::check {
namespace {

struct Walk {
  uintptr_t first;
  std::span<uintptr_t> frames;
  CodeRange skipped;
  bool has_begun = false;
  size_t count = 0;
};

_Unwind_Reason_Code visit(_Unwind_Context* context, void* argument) {
  Walk& walk = *static_cast<Walk*>(argument);
  int is_interrupted = 0;
  const uintptr_t address = _Unwind_GetIPInfo(context, &is_interrupted);
  walk.has_begun = walk.has_begun || address == walk.first;
  if (!walk.has_begun || (walk.count == 0 && walk.skipped.contains(address))) {
    return _URC_NO_REASON;
  }
  if (address == 0 || walk.count == walk.frames.size()) return _URC_END_OF_STACK;
  walk.frames[walk.count++] = is_interrupted != 0 ? address + 1 : address;
  return _URC_NO_REASON;
}

}  // namespace

size_t take_call_stack(uintptr_t first, std::span<uintptr_t> frames, const CodeRange& skipped) {
  Walk walk{.first = first, .frames = frames, .skipped = skipped};
  _Unwind_Backtrace(visit, &walk);
  if (!walk.has_begun && !frames.empty()) frames[walk.count++] = first;
  return walk.count;
}

void warm_call_stacks() {
  uintptr_t frames[4];
  take_call_stack(reinterpret_cast<uintptr_t>(__builtin_return_address(0)), frames);
}

}  // namespace ferry::layers::check
