// SPDX-License-Identifier: Apache-2.0
// What the processor reports about a fault. The only code that knows its registers.
#pragma once

#include <cstdint>

namespace ferry::layers::check {

enum class FaultAccess : uint8_t {
  kRead,
  kWrite,
  kUnknown,  // the processor, or an emulator, does not report it
};

// `context` is the third argument of a signal handler. Both functions are async-signal-safe.
uintptr_t interrupted_instruction(const void* context);
FaultAccess fault_access(const void* context);

}  // namespace ferry::layers::check
