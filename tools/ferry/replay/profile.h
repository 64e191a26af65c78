// SPDX-License-Identifier: Apache-2.0
// What a device can do, as numbers that a prediction needs. `ferry bench --profile` measures one;
// docs/tracing.md describes the JSON.
#pragma once

#include "trace/trace.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ferry::tools::replay {

/// How long a copy of some size takes to execute.
struct CurvePoint {
  uint64_t bytes = 0;
  double ns = 0;
};

/// A way that copies go: a direction and the memory of the host side.
struct Lane {
  trace::Direction direction = trace::Direction::kNone;
  trace::Memory memory = trace::Memory::kUnknown;
  std::vector<CurvePoint> copy;  // execution of one copy; rising sizes
  double submit_ns = 0;          // the host, for aclrtMemcpyAsync
  double item_submit_ns = 0;     // the host, per item of aclrtMemcpyBatchAsync
  double item_ns = 0;            // execution, per item of a batch, beside its bytes
  double batch_submit_ns = 0;    // the host, for the call
  double batch_ns = 0;           // execution, for the batch
};

struct Profile {
  std::string device;  // aclrtGetSocName
  bool has_batch = true;
  bool waiter_helps = false;  // a thread that synchronises executes the copies itself
  double synchronize_ns = 0;  // of a stream that has nothing to do
  double record_ns = 0;       // the host
  double wait_ns = 0;         // the host
  double cross_ns = 0;        // from a record to the work behind a wait for it
  double fill_bytes_per_ns = 1;
  double two_streams = 1;  // speed of two streams in one direction together, over that of one
  double both_ways = 1;    // the same for two directions
  std::vector<Lane> lanes;

  const Lane* lane_of(trace::Direction direction, trace::Memory memory) const;
};

/// Returns "", or one sentence that says what is wrong with the text.
std::string read_profile(std::string_view text, Profile& profile);
std::string profile_text(const Profile& profile);

}  // namespace ferry::tools::replay
