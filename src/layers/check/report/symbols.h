// SPDX-License-Identifier: Apache-2.0
// What the addresses of a call stack mean: function, file and line where debug information exists,
// else the symbol and the place in its module.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ferry::layers::check {

struct Frame {
  std::string function;  // as a person writes it; "" when unknown
  std::string file;      // "" when unknown
  uint32_t line = 0;     // 0 when unknown
  std::string module;    // path of the program or library; "" when unknown
  uint64_t offset = 0;   // of the address in the module
  bool is_inlined = false;
};

// `addresses` are return addresses: an instruction that was not left by a call counts as the one
// before it unless 1 was added. Functions that were inlined have frames of their own.
// May be called from any thread. Takes the lock of the loader, so not for a signal handler.
std::vector<Frame> describe_frames(std::span<const uintptr_t> addresses);

// "copy_out" for "void (anonymous namespace)::copy_out(Batch const&)": what is enough to find it.
std::string short_function(const std::string& function);

}  // namespace ferry::layers::check
