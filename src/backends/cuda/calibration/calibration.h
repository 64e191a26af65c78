// SPDX-License-Identifier: Apache-2.0
// Stores measured costs as text, in a file in the user's cache folder. Measuring is in measure.h.
// Needs no CUDA header.
#pragma once

#include "backends/cuda/transfer/plan.h"

#include <string>
#include <string_view>

namespace ferry::cuda {

// `key` names the GPU, the driver, the toolkit and the plugin; a text with another key is rejected.
std::string to_text(const Calibration& calibration, std::string_view key);
// False, with `calibration` unchanged, when the text is damaged, implausible or has another key.
bool from_text(std::string_view text, std::string_view key, Calibration& calibration);

// Whether every cost is in a plausible range.
bool is_plausible(const Calibration& calibration);

// The file for a key, from the values of XDG_CACHE_HOME and HOME (either may be null); "" when
// neither names an absolute folder.
std::string cache_path(const char* cache_home, const char* home, std::string_view key);

// False when there is no such file or from_text() rejects it.
bool load(const std::string& path, std::string_view key, Calibration& calibration);
// Other processes see the old file or the new one, never a part of it. False when it cannot be
// written; then the next process measures again.
bool save(const std::string& path, std::string_view key, const Calibration& calibration);

}  // namespace ferry::cuda
