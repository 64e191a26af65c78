// SPDX-License-Identifier: Apache-2.0
// Looks numbers of profiles up.
#include "replay/profile.h"

#include <algorithm>
#include <cmath>

namespace ferry::tools::replay {
namespace {

using trace::Memory;

double mix(double a, double b, double share) {
  return a + (b - a) * share;
}

CurvePoint mix(const CurvePoint& a, const CurvePoint& b, double share) {
  CurvePoint result;
  result.copy_ns = mix(a.copy_ns, b.copy_ns, share);
  result.single_ns = mix(a.single_ns, b.single_ns, share);
  result.call_ns = mix(a.call_ns, b.call_ns, share);
  result.item_ns = mix(a.item_ns, b.item_ns, share);
  return result;
}

// Between the points on both sides, in proportion to the bytes.
CurvePoint point_at(const Curve& curve, uint64_t bytes) {
  const auto after = std::lower_bound(
      curve.points.begin(), curve.points.end(), bytes,
      [](const CurvePoint& point, uint64_t wanted) { return point.bytes < wanted; });
  if (after == curve.points.begin()) return *after;
  const CurvePoint& before = *(after - 1);
  if (after != curve.points.end()) {
    return mix(before, *after,
               static_cast<double>(bytes - before.bytes) /
                   static_cast<double>(after->bytes - before.bytes));
  }
  const double factor = static_cast<double>(bytes) / static_cast<double>(before.bytes);
  return mix(CurvePoint{}, before, factor);
}

// How well a lane stands in for another memory: 0 is the memory itself.
int distance(Memory wanted, Memory there) {
  if (wanted == there) return 0;
  const auto is_pinned = [](Memory memory) {
    return memory == Memory::kPinned || memory == Memory::kRegistered || memory == Memory::kManaged;
  };
  return is_pinned(wanted) == is_pinned(there) ? 1 : 2;
}

}  // namespace

CurvePoint Lane::at(uint64_t bytes, uint64_t footprint) const {
  const auto after = std::lower_bound(
      curves.begin(), curves.end(), footprint,
      [](const Curve& curve, uint64_t wanted) { return curve.footprint < wanted; });
  CurvePoint result;
  if (after == curves.begin() || after == curves.end()) {
    result = point_at(after == curves.begin() ? curves.front() : curves.back(), bytes);
  } else {
    const auto low = std::log(static_cast<double>((after - 1)->footprint));
    const auto high = std::log(static_cast<double>(after->footprint));
    const double share = (std::log(static_cast<double>(footprint)) - low) / (high - low);
    result = mix(point_at(*(after - 1), bytes), point_at(*after, bytes), share);
  }
  result.bytes = bytes;
  return result;
}

const Lane* Profile::lane_of(trace::Direction direction, Memory memory) const {
  const Lane* best = nullptr;
  int least = 0;
  for (const Lane& lane : lanes) {
    const int now = (lane.direction == direction ? 0 : 10) + distance(memory, lane.memory);
    if (best != nullptr && now >= least) continue;
    best = &lane;
    least = now;
  }
  return best;
}

Overlap Profile::overlap_at(uint64_t bytes) const {
  const auto after = std::lower_bound(
      overlaps.begin(), overlaps.end(), bytes,
      [](const Overlap& overlap, uint64_t wanted) { return overlap.bytes < wanted; });
  if (after == overlaps.begin()) return *after;
  if (after == overlaps.end()) return overlaps.back();
  const Overlap& before = *(after - 1);
  const double low = std::log(static_cast<double>(before.bytes));
  const double high = std::log(static_cast<double>(after->bytes));
  const double share = (std::log(static_cast<double>(bytes)) - low) / (high - low);
  return {bytes, mix(before.same_way, after->same_way, share),
          mix(before.both_ways, after->both_ways, share)};
}

}  // namespace ferry::tools::replay
