// SPDX-License-Identifier: Apache-2.0
// Which calls make and destroy streams, events, contexts and notifies.
#pragma once

#include "dispatch/dispatch_table.h"
#include "layers/check/calls/call.h"

namespace ferry::layers::check {

// To be called after a call that succeeded, without the lock of the world. `next` is asked for the
// context and device of the thread.
void note_objects(const Call& call, const DispatchTable& next);

}  // namespace ferry::layers::check
