// SPDX-License-Identifier: Apache-2.0
// Costs of copies, batches, rows and fills.
#include "replay/costs.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace ferry::tools::replay {
namespace {

using trace::Memory;

bool is_pageable(const Step& step) {
  return step.direction != trace::Direction::kDeviceToDevice &&
         (step.memory == Memory::kPageable || step.memory == Memory::kUnknown);
}

}  // namespace

uint64_t footprint_of(const Plan& plan) {
  std::vector<std::vector<std::pair<uint64_t, uint64_t>>> ranges(plan.regions.size());
  for (const Step& step : plan.steps) {
    for (const Extent& extent : extents_of(plan, step))
      ranges[extent.region].emplace_back(extent.begin, extent.end);
  }
  uint64_t bytes = 0;
  for (auto& of_region : ranges) {
    std::sort(of_region.begin(), of_region.end());
    uint64_t reached = 0;
    for (const auto& [begin, end] : of_region) {
      if (end <= reached) continue;
      bytes += end - std::max(begin, reached);
      reached = end;
    }
  }
  return std::max<uint64_t>(bytes, 1);
}

Costs::Costs(const Plan& plan, const Profile& profile)
    : plan_(plan), profile_(profile), footprint_(footprint_of(plan)) {}

StepCost Costs::of(const Step& step) const {
  StepCost cost;
  switch (step.action) {
    case Action::kCopy:
      return of_copy(step);
    case Action::kBatch:
      return of_batch(step);
    case Action::kRows:
      return of_rows(step);
    case Action::kFill:
      return of_fill(step);
    case Action::kRecord:
      cost.host = profile_.record_ns;
      break;
    case Action::kWait:
      cost.host = profile_.wait_ns;
      break;
    default:
      cost.host = profile_.synchronize_ns;
      break;
  }
  return cost;
}

StepCost Costs::of_copy(const Step& step) const {
  const Lane& lane = *profile_.lane_of(step.direction, step.memory);
  const CurvePoint point = lane.at(step.bytes, footprint_);
  StepCost cost;
  cost.blocks = !step.is_async || is_pageable(step);
  if (cost.blocks) {
    cost.device = point.call_ns;
    return cost;
  }
  cost.host = lane.submit_ns;
  cost.device = point.copy_ns;
  cost.latency = point.single_ns - lane.submit_ns - point.copy_ns - profile_.synchronize_ns;
  return cost;
}

double Costs::items_ns(const Step& step, const Lane& lane) const {
  double ns = 0;
  uint64_t size = 0;
  double of_size = 0;
  for (uint32_t i = step.first_item; i < step.first_item + step.items; ++i) {
    if (plan_.items[i].size != size) {
      size = plan_.items[i].size;
      of_size = lane.at(size, footprint_).item_ns;
    }
    ns += of_size;
  }
  return ns;
}

StepCost Costs::of_batch(const Step& step) const {
  const Lane& lane = *profile_.lane_of(step.direction, step.memory);
  StepCost cost;
  cost.blocks = !step.is_async || is_pageable(step);
  cost.host = lane.batch_submit_ns + step.items * lane.item_submit_ns;
  cost.device = lane.batch_ns + items_ns(step, lane);
  return cost;
}

StepCost Costs::of_rows(const Step& step) const {
  const Lane& lane = *profile_.lane_of(step.direction, step.memory);
  const uint64_t width = plan_.items[step.first_item].size;
  StepCost cost;
  cost.blocks = !step.is_async || is_pageable(step);
  cost.host = lane.submit_ns;
  const bool is_whole = step.dst_pitch == width && step.src_pitch == width;
  const CurvePoint point = lane.at(is_whole ? step.bytes : width, footprint_);
  cost.device = is_whole ? point.copy_ns : static_cast<double>(step.rows) * point.item_ns;
  return cost;
}

StepCost Costs::of_fill(const Step& step) const {
  StepCost cost;
  cost.blocks = !step.is_async;
  cost.host = profile_.fill_submit_ns;
  cost.device = static_cast<double>(step.bytes) / profile_.fill_bytes_per_ns;
  return cost;
}

}  // namespace ferry::tools::replay
