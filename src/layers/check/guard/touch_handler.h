// SPDX-License-Identifier: Apache-2.0
// Handles a touch of a closed page by the program: classifies the fault, reports it, and lets the
// instruction proceed.
#pragma once

#include "layers/check/guard/guarded_pages.h"

namespace ferry::layers::check {

// Classifies a fault at this address, and opens the page if it was closed. Called in the signal
// handler: it may take only the lock of the guards.
using JudgeFault = Judgement (*)(uintptr_t address, FaultAccess access);

// Call once. The thread of open_touch_ring reports touches; stay_on_top installs the handler
// itself.
void open_touch_handler(JudgeFault judge);

// Extends the bounds outside of which faults are passed on at once. Bounds only grow.
void watch_addresses(const Range& range);

}  // namespace ferry::layers::check
