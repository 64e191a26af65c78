// SPDX-License-Identifier: Apache-2.0
// Device variables: storage per device for what stand-ins have registered.
#pragma once

#include "base/status.h"
#include "core/device.h"
#include "core/kernel/stand_in.h"

namespace ferry {

// The variable that a symbol names: 107043 when there is none.
Result<const DeviceVariable*> find_variable(const void* symbol);

// Where the variable is on the device. Made on first use, zeroed.
Result<void*> address_of_variable(const DeviceVariable& variable, Device& device);

// The variables of a device end: the next use makes them anew.
void forget_variables(const Device& device);

}  // namespace ferry
