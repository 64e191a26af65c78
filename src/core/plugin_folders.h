// SPDX-License-Identifier: Apache-2.0
// The search for backends that are plugins: files libferry_<name>.so in the folders of
// FERRY_PLUGINS, then in the folder of this library.
#pragma once

#include "base/config.h"

#include "ferry/backend.h"

#include <string>
#include <vector>

namespace ferry {

// The file of a backend; "" when there is none. Files that do not export FERRYX_BACKEND_ENTRY are
// other plugins and are skipped.
std::string find_plugin(const std::string& name, const Config& config);

// Names of all backends found.
std::vector<std::string> list_plugins(const Config& config);

// The folders in search order, for error texts.
std::string describe_folders(const Config& config);

// Loads a backend; it is never unloaded. Returns "" or what is wrong.
std::string load_plugin(const std::string& path, const ferryx_backend*& backend);

}  // namespace ferry
