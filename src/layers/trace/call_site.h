// SPDX-License-Identifier: Apache-2.0
// The return address of a call in the program, without unwinding the stack at each call.
#pragma once

#include <cstdint>

namespace ferry::layers::trace {

// `frame`: __builtin_frame_address(0) of a function that an exported function of this library has
// called, directly or through others of it. 0 when it cannot be found.
uint64_t call_site(const void* frame) noexcept;

}  // namespace ferry::layers::trace
