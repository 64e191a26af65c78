// SPDX-License-Identifier: Apache-2.0
// The picture: bandwidth over block size, one panel for each count of blocks.
#pragma once

#include "bench/question.h"

#include <string>
#include <vector>

namespace ferry::bench {

/// An SVG document. `points` are ordered by count, then by size.
std::string plot_svg(const std::vector<SweepPoint>& points, const std::string& subtitle);

}  // namespace ferry::bench
