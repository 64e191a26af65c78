// SPDX-License-Identifier: Apache-2.0
// Rules that were requested, and counting towards them.
#pragma once

#include "base/failure_rule.h"
#include "base/random.h"

#include "acl/acl_base_rt.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace ferry::layers::inject {

// What happens to a call or task: all of it that is not 0.
struct Effect {
  aclError code = ACL_SUCCESS;
  std::chrono::microseconds delay{0};
  bool damages_memory = false;

  bool is_none() const {
    return code == ACL_SUCCESS && delay == std::chrono::microseconds(0) && !damages_memory;
  }
};

// The rules of one function. Not thread safe: their owner locks.
class Rules {
 public:
  void add(const FailureRule& rule);
  void clear() { rules_.clear(); }
  // Counts a call or task on the stream that `stream` returns, which is asked only if a rule needs
  // it; -1 for none. The first code that applies decides; delays add up.
  Effect strike(const std::function<int32_t()>& stream);

 private:
  struct Rule {
    uint64_t countdown = 0;  // calls left until it fires; 0: it fires on every call
    std::optional<uint32_t> millionths;
    Random random;
    std::optional<int32_t> stream;
    Effect effect;

    bool fires();
  };

  std::vector<Rule> rules_;
};

}  // namespace ferry::layers::inject
