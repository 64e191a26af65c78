// SPDX-License-Identifier: Apache-2.0
// The boundary to libferry_symbols.so, the plugin that reads debug information. It is C, so that
// the plugin and the library may come from different compilers.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

// A function at an address. Texts are good during the call that gets them.
struct ferryx_symbol {
  const char* function;  // as the linker knows it; NULL when unknown
  const char* file;      // NULL when unknown
  uint32_t line;         // 0 when unknown
  uint32_t is_inlined;   // into the function that is told next
};

typedef void (*ferryx_on_symbol)(void* user, const ferryx_symbol* symbol);

// Tells of each function that the instruction at `address` belongs to, the innermost inlined one
// first; of none when nothing is known. Not safe to call from several threads at once.
typedef void (*ferryx_find_symbols)(uintptr_t address, ferryx_on_symbol on_symbol, void* user);

}  // extern "C"

// The number changes with the interface.
#define FERRYX_SYMBOLS_ENTRY "ferryx_find_symbols_1"
