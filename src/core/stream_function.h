// SPDX-License-Identifier: Apache-2.0
// A function of the program that is queued on a stream: a host function or a callback.
#pragma once

#include "core/model/run_ref.h"

#include "acl/acl_base_rt.h"
#include "ferry/backend.h"

namespace ferry {

struct StreamFunction {
  void (*function)(void*) = nullptr;
  void* argument = nullptr;
  void* stream = nullptr;             // its handle
  const char* call = nullptr;         // the exported function that queued it
  ferryx_callout* callout = nullptr;  // the stream waits until it is done; nullptr: it does not
  RunRef run_of_model{};              // of a task of a model: the run that fails with it

  void set_run(const RunRef& run) { run_of_model = run; }

  // Calls the function. However that ends, the stream continues afterwards; it records a failure
  // when the function does not return. Exceptions and the end of the thread go on to the caller.
  void run() const;
  // The same, and exceptions end here.
  void run_and_catch() const;
  // The function is not called: the stream records a failure and continues.
  void fail(aclError code, const char* reason) const;
  // The function is not called, and the stream continues as if it had been.
  void skip() const;
  // The function was called, and has returned or did something else `instead` (program_call.h).
  // Then the stream records a failure with this code.
  void end(aclError code, const char* instead) const;
};

}  // namespace ferry
