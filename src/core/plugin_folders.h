// SPDX-License-Identifier: Apache-2.0
// Where backends that are not linked in are looked for: files libferry_<name>.so in the folders of
// FERRY_PLUGINS, then beside this library.
#pragma once

#include "base/config.h"

#include "ferry/backend.h"

#include <string>
#include <vector>

namespace ferry {

// The file of a backend; "" when there is none. A file that does not export FERRYX_BACKEND_ENTRY is
// some other plugin.
std::string find_plugin(const std::string& name, const Config& config);

// Names of all backends found.
std::vector<std::string> list_plugins(const Config& config);

// The folders in the order of the search, for texts.
std::string describe_folders(const Config& config);

// Loads a backend for the rest of the process. Returns "" or what is wrong.
std::string load_plugin(const std::string& path, const ferryx_backend*& backend);

}  // namespace ferry
