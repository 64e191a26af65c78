// SPDX-License-Identifier: Apache-2.0
// Snapshots of the process: lock it, save the memory of its devices, restore it, let it go on.
#pragma once

#include "base/status.h"

#include "acl/acl_rt.h"

#include <cstdint>

namespace ferry {

// States: running -> lock -> locked -> backup -> backed up -> restore -> locked -> unlock ->
// running; unlocking is also allowed while backed up, and drops what was saved. A call in another
// state, or while another call is under way, fails and calls no callback.
//
// Before an operation, and after it, the callbacks of that stage are called for every device with a
// context: 507912 when one fails. One before an operation prevents it; one after it does not undo
// it.

// Holds the calls of all other threads (base/call_gate.h), and waits until calls inside and queued
// work are done. 507906 in the wrong state. 507905 when that takes longer than the limit: the
// process runs on.
Status lock_process();
// 507907 in the wrong state.
Status unlock_process();
// Copies all device memory to the host. 507908 in the wrong state, or when that fails.
Status back_up_process();
// Copies it back, as far as it is still allocated. 507909 in the wrong state, or when that fails.
Status restore_process();

// 507913 when the function is registered for this stage already.
Status add_snapshot_callback(aclrtSnapShotStage stage, aclrtSnapShotCallBack function,
                             void* argument);
// 107000 when it is not.
Status remove_snapshot_callback(aclrtSnapShotStage stage, aclrtSnapShotCallBack function);

void set_snapshot_limit(uint32_t milliseconds);

}  // namespace ferry
