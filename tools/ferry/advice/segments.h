// SPDX-License-Identifier: Apache-2.0
// Segments: what a thread submits to one stream before it waits for that stream. Runs of segments
// that touch different bytes did not need the waits between them.
#pragma once

#include "advice/survey.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ferry::tools::advice {

struct Segment {
  int32_t stream = -1;
  std::vector<uint32_t> works;  // indexes in Trace::works, at least one
  uint32_t wait = 0;            // index in Trace::calls
};
using SegmentRun = std::vector<Segment>;

// A run ends at work whose bytes are unknown or needed again, at several streams that were busy
// together (then nothing was serial), and where the program may have used a result.
void for_each_segment_run(const Survey& survey, const std::function<void(const SegmentRun&)>& look);

}  // namespace ferry::tools::advice
