// SPDX-License-Identifier: Apache-2.0
// Callbacks for the life of streams and devices, called in the thread that makes or ends them and
// without a lock.
#pragma once

#include "core/named_callbacks.h"

#include "acl/acl_rt.h"

#include <cstdint>

namespace ferry {

class Stream;

NamedCallbacks<aclrtStreamStateCallback>& stream_state_callbacks();
NamedCallbacks<aclrtDeviceStateCallback>& device_state_callbacks();

void tell_stream_state(const Stream& stream, aclrtStreamState state);
void tell_device_state(int32_t device, aclrtDeviceState state);

}  // namespace ferry
