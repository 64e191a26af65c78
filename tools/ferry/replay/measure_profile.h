// SPDX-License-Identifier: Apache-2.0
// Measures a profile. It calls only AscendCL, so that it can run on any implementation of it.
#pragma once

#include "replay/profile.h"

#include <cstdint>
#include <string>

namespace ferry::tools::replay {

struct ProfileSettings {
  int32_t device = 0;
  uint32_t rounds = 9;  // of each measurement; the median counts
  uint64_t largest_footprint = uint64_t{128} << 20;
  bool only_pinned = false;  // leaves out pageable memory and copies inside the device
};

/// The library must be initialised. Returns "", or what failed.
std::string measure_profile(const ProfileSettings& settings, Profile& profile);

/// The same, and writes it to `path`. Initialises and finalises the library.
std::string measure_profile_to(const std::string& path, const ProfileSettings& settings,
                               Profile& profile);

}  // namespace ferry::tools::replay
