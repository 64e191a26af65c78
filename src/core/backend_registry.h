// SPDX-License-Identifier: Apache-2.0
// Backends by name, the fronts that wrap them, and the list of devices that FERRY_DEVICES asks for.
#pragma once

#include "base/config.h"
#include "core/device.h"

#include "ferry/backend.h"

#include <string>
#include <vector>

namespace ferry {

// Adds a built-in backend under its own name. Called by the composition root before the runtime
// starts; not thread safe.
void add_builtin_backend(const ferryx_backend* backend);

// A front wraps every backend: it returns the table to use instead. Each front wraps the result of
// those added before it, so the first one is next to the backend. Called by the composition root
// before the runtime starts; not thread safe.
using Front = const ferryx_backend* (*)(const ferryx_backend* backend);
void add_front(Front front);

// Checks that the backends in FERRY_DEVICES exist, and that built-in ones accept their settings.
// Opens and loads nothing. Returns what is wrong.
Problem check_devices(const Config& config);

// Opens the backends that `config` names, once each, and lists their devices in the order of
// FERRY_DEVICES, before ASCEND_RT_VISIBLE_DEVICES selects. Returns what is wrong.
Problem open_backends(const Config& config, const ferryx_runtime& runtime,
                      std::vector<DeviceSource>& devices);

// Closes every open backend: the process ends.
void close_backends();

}  // namespace ferry
