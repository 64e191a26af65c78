// SPDX-License-Identifier: Apache-2.0
// One entry of FERRY_FAIL: which calls or tasks something happens to, and what.
#pragma once

#include "acl/acl_base_rt.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ferry {

struct FailureRule {
  std::string function;
  // When: the `nth` call (1 is the first; 0 means every call), or with a probability in millionths.
  uint64_t nth = 0;
  std::optional<uint32_t> millionths{};
  uint64_t seed = 0;  // of the probability
  // Where: only calls for this stream; the tasks that the function queues, when they run.
  std::optional<int32_t> stream{};
  bool is_at_run = false;
  // What: one of these. A code; a delay; memory that the call allocates counts as damaged.
  aclError code = 0;
  std::chrono::microseconds delay{0};
  bool damages_memory = false;
};

// function:when[@run][@stream<id>][@seed<n>]=what; when: n, * or a percentage such as 2.5%; what: a
// code, a time such as 20ms, or uce. Empty when the text is none.
std::optional<FailureRule> parse_failure_rule(std::string_view text);

}  // namespace ferry
