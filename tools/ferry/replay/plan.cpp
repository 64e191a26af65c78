// SPDX-License-Identifier: Apache-2.0
// What can be asked of a plan.
#include "replay/plan.h"

#include <algorithm>

namespace ferry::tools::replay {

std::string_view name_of(Action action) {
  constexpr std::array<std::string_view, kActions> kNames{"copy",
                                                          "batch",
                                                          "rows",
                                                          "fill",
                                                          "record",
                                                          "wait",
                                                          "synchronize stream",
                                                          "synchronize event",
                                                          "synchronize device"};
  return kNames[static_cast<size_t>(action)];
}

std::vector<Extent> extents_of(const Plan& plan, const Step& step) {
  std::vector<Extent> extents;
  for (uint32_t i = step.first_item; i < step.first_item + step.items; ++i) {
    const CopyItem& item = plan.items[i];
    const uint64_t before = step.action == Action::kRows ? step.rows - 1 : 0;
    extents.push_back({item.dst.region, item.dst.offset,
                       item.dst.offset + before * step.dst_pitch + item.size, true});
    if (step.action == Action::kFill) continue;
    extents.push_back({item.src.region, item.src.offset,
                       item.src.offset + before * step.src_pitch + item.size, false});
  }
  return extents;
}

uint64_t bytes_in(const Plan& plan, trace::Direction direction) {
  uint64_t bytes = 0;
  for (const Step& step : plan.steps) {
    if (step.items != 0 && step.direction == direction) bytes += step.bytes;
  }
  return bytes;
}

Plan only(const Plan& plan, trace::Direction direction) {
  Plan result = plan;
  std::vector<uint32_t> places(plan.steps.size(), kNoIndex);
  // A step that is left out is replaced by what it waited for itself.
  std::vector<uint32_t> stand_in(plan.steps.size(), kNoIndex);
  result.steps.clear();
  for (uint32_t i = 0; i < plan.steps.size(); ++i) {
    Step step = plan.steps[i];
    if (step.after_stream != kNoIndex) step.after_stream = stand_in[step.after_stream];
    if (step.items != 0 && step.direction != direction) {
      stand_in[i] = step.after_stream;
      continue;
    }
    if (step.after_record != kNoIndex) step.after_record = places[step.after_record];
    places[i] = stand_in[i] = static_cast<uint32_t>(result.steps.size());
    result.steps.push_back(step);
  }
  return result;
}

}  // namespace ferry::tools::replay
