// SPDX-License-Identifier: Apache-2.0
// The interface to libferry_symbols.so, the plugin that reads debug information. It is C, so that
// the plugin and the library may come from different compilers.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

// A function at an address. Strings are valid during the callback only.
struct ferryx_symbol {
  const char* function;  // the linker's name; NULL when unknown
  const char* file;      // NULL when unknown
  uint32_t line;         // 0 when unknown
  uint32_t is_inlined;   // into the function passed next
};

// Throws nothing.
typedef void (*ferryx_on_symbol)(void* user, const ferryx_symbol* symbol);

// Calls `on_symbol` for each function that the instruction at `address` belongs to, starting with
// the innermost inlined one; never when nothing is known. Once memory was too short to read debug
// information, nothing is known any more. Not for concurrent callers.
typedef void (*ferryx_find_symbols)(uintptr_t address, ferryx_on_symbol on_symbol, void* user);

}  // extern "C"

// The number changes with the interface.
#define FERRYX_SYMBOLS_ENTRY "ferryx_find_symbols_1"
