// SPDX-License-Identifier: Apache-2.0
// Places in the program: the call stack of a thread when it called the API. Equal stacks share one
// number, so that remembering a place costs four bytes.
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
  const char* function = "";      // the exported function that was called; "" outside any
  std::vector<uintptr_t> frames;  // return addresses, innermost first, without our own
  std::string script;  // the stack of an interpreter, one frame per line, innermost first; or ""
  std::string work{};  // what is submitted there, in the terms of a framework; or ""
  SiteId launched = kNoSite;  // of recorded work: where the run was launched, if that is known
};

// May be called from any thread, with or without World's lock.
// The current stack of the calling thread.
SiteId capture_site(const char* function);
// For a stack captured elsewhere (in a signal handler).
SiteId intern_site(Site site);
// The place where work was recorded, together with that where a run of it was launched. Without the
// latter when there are very many.
SiteId site_in_run(SiteId recorded, SiteId launched);
// The reference is valid forever.
const Site& site_of(SiteId id);

// What the calling thread submits from now on, in the terms of a framework: "aten::add(...)". The
// sites that it captures have it. The text must stay until it is replaced; nullptr: none. Returns
// what was noted before.
const char* note_work(const char* text);
// That, or else the exported function that was called.
const char* name_of_work(const Site& site);

// A program that embeds an interpreter provides the interpreter's stack. The function writes at
// most `size` bytes of text, one frame per line, innermost first, and returns the length; 0 when
// the thread runs no script. Called on the thread in question, without our locks.
using ScriptStack = size_t (*)(char* text, size_t size);
void set_script_stack(ScriptStack provider);
// Whether there is a provider. It takes the interpreter's own lock, so it must not be called with
// World's lock held: the holder of the former may wait for the latter.
bool has_script_stack();
// The interpreter's stack of the calling thread; "" without one.
constexpr size_t kMostScript = 4096;
std::string_view take_script_stack(std::span<char, kMostScript> text);

}  // namespace ferry::layers::check
