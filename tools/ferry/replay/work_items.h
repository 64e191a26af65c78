// SPDX-License-Identifier: Apache-2.0
// The copies of one recorded work.
#pragma once

#include "replay/layout.h"
#include "replay/plan.h"

#include <string_view>
#include <utility>
#include <vector>

namespace ferry::tools::replay {

using RecordedItems = std::vector<std::pair<RecordedRange, RecordedRange>>;  // dst, src

/// Appends the items of a copy, batch, rows or fill, and completes bytes, rows and pitches of the
/// step. The source of a fill has size 0. Batches whose items were not recorded get as many items
/// of equal size, as many of them neighbours as recorded. Returns "", or what such works are called
/// that cannot be repeated; `items` is unchanged then.
std::string_view items_of(const trace::Work& work, const trace::Trace& trace, Step& step,
                          RecordedItems& items);

}  // namespace ferry::tools::replay
