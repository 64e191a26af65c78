// SPDX-License-Identifier: Apache-2.0
// What happens when the program touches a closed page: the fault is judged, told, and let through.
#pragma once

#include "layers/check/guard/guarded_pages.h"

namespace ferry::layers::check {

// Judges a fault at this address, and opens the page if it was closed. Called in the signal
// handler: it may take the lock of the guards and nothing else.
using JudgeFault = Judgement (*)(uintptr_t address, FaultAccess access);

// To be called once. Touches are told by open_touch_ring's thread; the handler itself is installed
// by stay_on_top.
void open_touch_handler(JudgeFault judge);

// Faults outside of these bounds are nobody's guess. Bounds only ever grow.
void watch_addresses(const Range& range);

}  // namespace ferry::layers::check
