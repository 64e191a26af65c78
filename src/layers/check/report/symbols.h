// SPDX-License-Identifier: Apache-2.0
// Resolves the addresses of a call stack: function, file and line where debug information exists,
// otherwise the symbol and the offset in its module.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ferry::layers::check {

struct Frame {
  std::string function;  // demangled; "" when unknown
  std::string file;      // "" when unknown
  uint32_t line = 0;     // 0 when unknown
  std::string module;    // path of the program or library; "" when unknown
  uint64_t offset = 0;   // of the address in the module
  bool is_inlined = false;
};

// `addresses` are return addresses: the lookup uses the address less one, so add 1 to the address
// of an instruction that is not a call. Inlined functions get their own frames. May be called from
// any thread. Takes the loader's lock, so not for a signal handler.
std::vector<Frame> describe_frames(std::span<const uintptr_t> addresses);

// "copy_out" for "void (anonymous namespace)::copy_out(Batch const&)": enough to find it.
std::string short_function(const std::string& function);

}  // namespace ferry::layers::check
