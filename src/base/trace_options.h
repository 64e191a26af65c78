// SPDX-License-Identifier: Apache-2.0
// What is recorded: FERRY_TRACE_OPTIONS, and the options of ferryTraceStart.
#pragma once

#include <cstdint>
#include <string_view>

namespace ferry {

struct TraceOptions {
  bool items = false;     // addresses and sizes of all items of a batch
  bool contents = false;  // a hash of what is copied from the host
  bool stacks = false;    // whole stacks of calls
  uint64_t ring = 0;      // keep only so many works, in memory; 0: write all

  bool operator==(const TraceOptions& other) const = default;
};

constexpr uint64_t kLargestTraceRing = 1'000'000;

// A comma list of items, contents and ring=N. False when the text is none.
bool parse_trace_options(std::string_view text, TraceOptions& options);

constexpr const char* kAllowedTraceOptions =
    "a comma list of items, contents, stacks and ring=1 to 1000000";

}  // namespace ferry
