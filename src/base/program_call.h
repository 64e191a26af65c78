// SPDX-License-Identifier: Apache-2.0
// Calling a function of the program, which may not return: it may throw, leave with longjmp, or end
// its thread.
#pragma once

#include "base/error_state.h"
#include "base/forced_unwind.h"
#include "base/jump_guard.h"

#include <cstdio>
#include <exception>

namespace ferry {

inline thread_local int callback_depth = 0;

// Whether the calling thread is inside a callback or host function of the program.
inline bool is_in_callback() {
  return callback_depth > 0;
}

// Whether is_in_callback() holds during a call: for callbacks and host functions of a stream.
enum class Called { kAsCallback, kOtherwise };

// One call in progress. `over` is called once, also when a jump leaves the call.
template <class Over>
class ProgramCall {
 public:
  ProgramCall(Called called, Over& over)
      : over_(over), depth_(called == Called::kAsCallback ? 1 : 0), guard_(take_jump, this) {
    callback_depth += depth_;
  }
  ProgramCall(const ProgramCall&) = delete;
  ProgramCall& operator=(const ProgramCall&) = delete;

  void end(const char* instead) {
    if (is_over_) return;  // a jump to another stack, from which the function came back
    is_over_ = true;
    callback_depth -= depth_;
    over_(instead);
  }

 private:
  static void take_jump(void* self) {
    static_cast<ProgramCall*>(self)->end("left with longjmp");
    // The jump also leaves the exported function that made the call.
    if (!is_in_callback()) leave_function();
  }

  Over& over_;
  const int depth_;
  bool is_over_ = false;
  const JumpGuard guard_;
};

// What becomes of an exception. The end of the thread always goes on to the caller.
enum class Thrown { kGoesOn, kEndsHere };

// Calls `function` and then, however it ends, `over`: with nullptr when it has returned, otherwise
// with what it did instead, for a text: "ended its thread".
template <class Function, class Over>
FERRY_CATCHES_FORCED_UNWIND void call_program(Called called, Thrown thrown, Function function,
                                              Over over) {
  ProgramCall<Over> call(called, over);
  try {
    function();
  } catch (const abi::__forced_unwind&) {
    call.end("ended its thread");
    throw;
  } catch (const std::exception& exception) {
    char text[256];
    std::snprintf(text, sizeof text, "threw an exception: %s", exception.what());
    call.end(text);
    if (thrown == Thrown::kGoesOn) throw;
  } catch (...) {
    call.end("threw an exception");
    if (thrown == Thrown::kGoesOn) throw;
  }
  call.end(nullptr);
}

}  // namespace ferry
