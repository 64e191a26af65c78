// SPDX-License-Identifier: Apache-2.0
// Places in the program: the call stack of a thread when it called the API. Equal stacks share one
// number, so that remembering where something was done costs four bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ferry::layers::check {

using SiteId = uint32_t;
constexpr SiteId kNoSite = 0;

struct Site {
  const char* function = "";      // the exported function that was called; "" outside of any
  std::vector<uintptr_t> frames;  // return addresses, innermost first, without our own
  std::string script;  // the stack of an interpreter, one frame a line, innermost first; or ""
};

// May be called from any thread, with or without the lock of the world.
// The calling thread's stack now.
SiteId capture_site(const char* function);
// For a stack that was taken elsewhere (in a signal handler).
SiteId intern_site(Site site);
// Valid for ever.
const Site& site_of(SiteId id);

// Whoever embeds an interpreter offers its stack: writes at most `size` bytes of text, one frame a
// line, innermost first, and returns the length; 0 when the thread runs no script. Called on the
// thread in question, without our locks.
using ScriptStack = size_t (*)(char* text, size_t size);
void set_script_stack(ScriptStack provider);
// Whether anybody offers one. Its stack can be had only with the interpreter's own lock, so it must
// not be asked for with the lock of the world held: who holds the former may wait for the latter.
bool has_script_stack();
// The calling thread's stack of the interpreter; "" without one.
constexpr size_t kMostScript = 4096;
std::string_view take_script_stack(std::span<char, kMostScript> text);

}  // namespace ferry::layers::check
