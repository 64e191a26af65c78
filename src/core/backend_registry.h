// SPDX-License-Identifier: Apache-2.0
// Finding, loading and version-checking backends, and making the list of devices out of
// FERRY_DEVICES.
#pragma once

#include "base/config.h"

#include "ferry/backend.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ferry {

// Makes a backend that is linked in known under its name. Called by the composition root before the
// runtime starts; not thread safe.
void add_builtin_backend(const ferryx_backend* backend);

// Something to be put in front of every backend: returns the table to use in its place, nullptr
// when it cannot. Set by the composition root before the runtime starts; not thread safe.
using BackendFront = const ferryx_backend* (*)(const ferryx_backend* backend);
void set_backend_front(BackendFront front);

// Where one device of the list comes from.
struct DeviceSource {
  const ferryx_backend* backend = nullptr;
  uint32_t index = 0;  // the backend's own number of it
};

// Opens the backends that `config` names and lists their devices in its order, before
// ASCEND_RT_VISIBLE_DEVICES picks from them. Returns "" or what is wrong.
std::string open_backends(const Config& config, const ferryx_host& host,
                          std::vector<DeviceSource>& devices);

}  // namespace ferry
