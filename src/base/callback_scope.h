// SPDX-License-Identifier: Apache-2.0
// Whether a thread is inside a callback or host function of the program.
#pragma once

namespace ferry {

inline thread_local int callback_depth = 0;

class CallbackScope {
 public:
  CallbackScope() { ++callback_depth; }
  ~CallbackScope() { --callback_depth; }
  CallbackScope(const CallbackScope&) = delete;
  CallbackScope& operator=(const CallbackScope&) = delete;
};

inline bool is_in_callback() {
  return callback_depth > 0;
}

}  // namespace ferry
