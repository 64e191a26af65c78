// SPDX-License-Identifier: Apache-2.0
// Records which calls create and destroy streams, events, contexts and notifies.
#pragma once

#include "dispatch/dispatch_table.h"
#include "layers/check/calls/call.h"

namespace ferry::layers::check {

// Call after a successful call, without World's lock. `next` supplies the thread's current context
// and device.
void note_objects(const Call& call, const DispatchTable& next);

}  // namespace ferry::layers::check
