// SPDX-License-Identifier: Apache-2.0
// Which code belongs to the library: libascendcl.so and its plugins.
#pragma once

#include <cstdint>

namespace failures {

// Finds the code again, after something was loaded.
void find_library_code();

// The code that has called one of our functions. Allocations often come through the standard
// library, for example from a std::string; then the stack above decides. It is read word by word,
// which is much faster than unwinding it; a word left over by an earlier call can only make a call
// count that would not have counted.
class Caller {
 public:
  static constexpr int kFrames = 5;

  Caller(void* return_address, void* frame) : return_address_(return_address), frame_(frame) {}

  bool is_library();
  // Return addresses in the library, innermost first, padded with nullptr.
  void* const* frames();

 private:
  void read_stack();

  void* return_address_;
  void* frame_;
  bool is_read_ = false;
  void* frames_[kFrames] = {};
};

}  // namespace failures
