// SPDX-License-Identifier: Apache-2.0
// What a thread remembers of its errors: the last runtime-layer code and the recent error. Also the
// name of the exported function the thread is in, which starts every text.
#pragma once

#include "base/error.h"

#include "acl/acl_base_rt.h"

#include <cstdint>

namespace ferry {

// Names the exported function for the texts written while it runs. Nests, because callbacks of the
// user may call the API again.
class CallScope {
 public:
  explicit CallScope(const char* function);
  ~CallScope();
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;

 private:
  const char* previous_;
};

// The exported function this thread is in, "ferry" outside of any. The string lives forever.
const char* current_function();
// The thread has left all exported functions without their knowledge, with longjmp.
void leave_function();

// What the origin of work says about the call: its function, and a number unique in the process.
struct CallOrigin {
  const char* function;
  uint64_t correlation;
};
CallOrigin next_origin();

enum class TextScope { kThread, kProcess };
// Where aclGetRecentErrMsg looks: the thread's own text, or one text shared by the process.
void set_text_scope(TextScope scope);

// Whether a failure also becomes the thread's last error.
enum class LastError { kSet, kKeep };
// Keeps what was written to error_of_thread(): the functions of status.h call it.
void keep_error(LastError last_error);
Error& error_of_thread();

aclError peek_last_error();
aclError take_last_error();

// The recent text, which is cleared by asking; nullptr when nothing was recorded since. Valid until
// the thread asks again.
const char* take_recent_text();

// The latest error of the thread, whether its text was taken or not; its code is ACL_SUCCESS before
// the first failure. Valid until the next one.
const Error& recent_error();

}  // namespace ferry
