// SPDX-License-Identifier: Apache-2.0
// The plot: bandwidth over block size, in panels.
#pragma once

#include "bench/question.h"

#include <string>

namespace ferry::bench {

/// An SVG document.
std::string plot_svg(const Sweep& sweep, const std::string& subtitle);

}  // namespace ferry::bench
