// SPDX-License-Identifier: Apache-2.0
// Whatever becomes of the function, its callout is done exactly once.
#include "core/stream_function.h"

#include "base/program_call.h"
#include "core/stream.h"

namespace ferry {

void StreamFunction::run() const {
  call_program(
      Called::kAsCallback, Thrown::kGoesOn, [this] { function(argument); },
      [this](const char* instead) { end(ACL_ERROR_RT_TS_ERROR, instead); });
}

void StreamFunction::run_and_catch() const {
  call_program(
      Called::kAsCallback, Thrown::kEndsHere, [this] { function(argument); },
      [this](const char* instead) { end(ACL_ERROR_RT_TS_ERROR, instead); });
}

void StreamFunction::end(aclError code, const char* instead) const {
  if (instead == nullptr) return skip();
  fail(code, FixedText("did not return: it %s", instead).c_str());
}

void StreamFunction::fail(aclError code, const char* reason) const {
  if (run_of_model.model != nullptr) {
    run_of_model.fail(code, FixedText("a function queued by %s %s", call, reason));
    return skip();
  }
  // A closed stream has no thread left to tell.
  if (const Ref<Stream> found = HandleTable<Stream>::instance().find(stream)) {
    found->fail_queued(code, FixedText("a function queued by %s %s", call, reason));
  }
  skip();
}

void StreamFunction::skip() const {
  if (callout != nullptr) callout->done(callout);
}

}  // namespace ferry
