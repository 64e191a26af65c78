// SPDX-License-Identifier: Apache-2.0
// Entries of FERRY_DEVICES for backends whose entries are counts, such as cpu:2.
#pragma once

#include "acl/error_codes/rt_error_codes.h"
#include "ferry/backend.h"

#include <charconv>
#include <cstdint>
#include <cstring>
#include <string>

namespace ferry {

constexpr uint32_t kMostDevices = 64;

// Writes the number of devices per entry to `counts` and their sum to `total`. An entry without a
// text is one device.
inline int count_entries(const ferryx_backend& self, const ferryx_runtime& runtime,
                         const ferryx_settings& settings, uint32_t* counts, uint32_t& total) {
  total = 0;
  for (uint32_t i = 0; i < settings.entry_count; ++i) {
    const char* const text = settings.entries[i];
    counts[i] = 1;
    if (text != nullptr) {
      const char* const end = text + std::strlen(text);
      const auto [stop, error] = std::from_chars(text, end, counts[i]);
      if (error != std::errc() || stop != end || counts[i] == 0 || counts[i] > kMostDevices) {
        return runtime.fail(
            ACL_ERROR_RT_PARAM_INVALID,
            (std::string("FERRY_DEVICES names ") + self.name + ":" + text + ", a count is 1 to 64")
                .c_str());
      }
    }
    total += counts[i];
  }
  return ACL_RT_SUCCESS;
}

}  // namespace ferry
