// SPDX-License-Identifier: Apache-2.0
// The layer that leads allocations, copies, creations and submissions through the gate of snapshots
// (base/call_gate.h). Not in the call path before the first snapshot call.
#pragma once

#include "dispatch/dispatch_table.h"

namespace ferry::layers::snapshot {

// The table with this layer on top of `next`, which must stay valid. Call it once.
const DispatchTable& table_over(const DispatchTable& next);

}  // namespace ferry::layers::snapshot
