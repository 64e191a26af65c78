// SPDX-License-Identifier: Apache-2.0
// What a device can do, as numbers that a prediction needs. `ferry bench --profile` measures one;
// docs/tracing.md describes the JSON.
#pragma once

#include "trace/trace.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ferry::tools::replay {

/// Times of copies of one size, in nanoseconds.
struct CurvePoint {
  uint64_t bytes = 0;
  double copy_ns = 0;    // one of many that are queued: how much later the last one ends
  double single_ns = 0;  // aclrtMemcpyAsync and aclrtSynchronizeStream, nothing else
  double call_ns = 0;    // aclrtMemcpy
  double item_ns = 0;    // one of many in a batch
};

/// Copies in a loop over so many bytes, both sides together: caches hold few of them.
struct Curve {
  uint64_t footprint = 0;
  std::vector<CurvePoint> points;  // rising sizes; at least one
};

/// A way that copies go: a direction and the memory of the host side.
struct Lane {
  trace::Direction direction = trace::Direction::kNone;
  trace::Memory memory = trace::Memory::kUnknown;
  double submit_ns = 0;        // the host, per aclrtMemcpyAsync
  double batch_submit_ns = 0;  // the host, per aclrtMemcpyBatchAsync
  double item_submit_ns = 0;   // the host, per item of a batch
  double batch_ns = 0;         // the device, per batch, beside its items
  std::vector<Curve> curves;   // rising footprints; at least one

  /// Interpolated between sizes, and between footprints by their logarithm. Beyond the last size
  /// times grow with the size.
  CurvePoint at(uint64_t bytes, uint64_t footprint) const;
};

/// How much two streams move together, over what one moves: 1 is nothing gained, 2 is the most.
struct Overlap {
  uint64_t bytes = 0;  // of a copy
  double same_way = 1;
  double both_ways = 1;
};

struct Profile {
  std::string device;  // its name, for people
  bool has_batch = true;
  double synchronize_ns = 0;  // the host, of a stream that has nothing to do
  double record_ns = 0;       // the host
  double wait_ns = 0;         // the host
  double cross_ns = 0;        // from the end of a record to what waits for it on another stream
  double fill_submit_ns = 0;
  double fill_bytes_per_ns = 1;
  std::vector<Overlap> overlaps;  // rising sizes; at least one
  std::vector<Lane> lanes;        // at least one

  /// The lane that fits best; never nullptr for a profile that was read or measured.
  const Lane* lane_of(trace::Direction direction, trace::Memory memory) const;
  Overlap overlap_at(uint64_t bytes) const;
};

/// Returns "", or one sentence that says what is wrong with the text.
std::string read_profile(std::string_view text, Profile& profile);
/// The same of a file. `path` is part of what it returns.
std::string load_profile(const std::string& path, Profile& profile);
std::string profile_text(const Profile& profile);

}  // namespace ferry::tools::replay
