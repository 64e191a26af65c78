// SPDX-License-Identifier: Apache-2.0
// Backends by name, the fronts that wrap them, and the list of devices that FERRY_DEVICES asks for.
#pragma once

#include "base/config.h"
#include "core/device.h"

#include "ferry/backend.h"

#include <string>
#include <vector>

namespace ferry {

// Makes a backend that is linked in known under its name. Called by the composition root before the
// runtime starts; not thread safe.
void add_builtin_backend(const ferryx_backend* backend);

// Wraps every backend: returns the table to use in its place. Each front wraps what the fronts
// added before it made, so the first one is next to the backend. Called by the composition root
// before the runtime starts; not thread safe.
using Front = const ferryx_backend* (*)(const ferryx_backend* backend);
void add_front(Front front);

// Whether FERRY_DEVICES names backends that exist and, for those that are linked in, means
// something to them. Opens and loads nothing. Returns "" or what is wrong.
std::string check_devices(const Config& config);

// Opens the backends that `config` names, once each, and lists their devices in its order, before
// ASCEND_RT_VISIBLE_DEVICES picks from them. Returns "" or what is wrong.
std::string open_backends(const Config& config, const ferryx_runtime& runtime,
                          std::vector<DeviceSource>& devices);

// Tells every open backend that the process ends.
void close_backends();

}  // namespace ferry
