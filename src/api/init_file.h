// SPDX-License-Identifier: Apache-2.0
// The JSON file of aclInit: the entries that have an effect, and their values.
#pragma once

#include "base/error_state.h"
#include "base/status.h"

#include <cstdint>
#include <string>

namespace ferry::api {

struct InitSettings {
  TextScope text_scope = TextScope::kThread;  // err_msg_mode
  int32_t default_device = -1;                // defaultDevice.default_device; -1: none
  bool profiles = false;                      // profiler.switch
  bool profiles_marks = false;                // profiler.msproftx, if the switch is on
};

// Reads the file at `path`, the argument configPath.
Status read_init_file(const char* path, std::string& text);

// Takes the settings out of the text. Entries that have no effect are ignored. `path` is for the
// error texts.
Status parse_init_file(const char* path, const std::string& text, InitSettings& settings);

}  // namespace ferry::api
