// SPDX-License-Identifier: Apache-2.0
// Whether the program still has memory at an address. Memory that it registered remains its own: it
// can unmap it without a call that the checker sees.
#pragma once

#include "layers/check/order/history.h"

namespace ferry::layers::check {

// Whether every page of the range is mapped. One system call.
bool is_mapped(const Range& range);
// Maps empty pages where the range has none, so that work in flight does not crash the program.
void fill_holes(const Range& range);

}  // namespace ferry::layers::check
