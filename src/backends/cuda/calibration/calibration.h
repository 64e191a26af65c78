// SPDX-License-Identifier: Apache-2.0
// Keeping what a machine was measured to do: as text, in a file of the user's cache folder. What is
// measured and how is not here. No CUDA header is needed here.
#pragma once

#include "backends/cuda/transfer/plan.h"

#include <string>
#include <string_view>

namespace ferry::cuda {

// `key` names the GPU, the driver and the plugin; a text of another key is not understood.
std::string to_text(const Calibration& calibration, std::string_view key);
// False, with `calibration` untouched, when the text is damaged, foreign or implausible.
bool from_text(std::string_view text, std::string_view key, Calibration& calibration);

// Whether every price can be one.
bool is_plausible(const Calibration& calibration);

// The file for a key, from the values of XDG_CACHE_HOME and HOME (either may be null); "" when
// neither names an absolute folder.
std::string cache_path(const char* cache_home, const char* home, std::string_view key);

// False when there is no such file or it is not of this key.
bool load(const std::string& path, std::string_view key, Calibration& calibration);
// Others see the old file or the new one, never a part. False when it cannot be written, which
// costs only the next process a measurement.
bool save(const std::string& path, std::string_view key, const Calibration& calibration);

}  // namespace ferry::cuda
