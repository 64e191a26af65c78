// SPDX-License-Identifier: Apache-2.0
// Values that queues have stored, by address: what can be relied on after a wait that one of them
// has ended.
#pragma once

#include "layers/check/order/history.h"
#include "layers/check/order/order.h"

#include "ferry/backend.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace ferry::layers::check {

// Not safe to share between threads: protected by World's lock. Memory is bounded; what is merged
// or dropped makes a wait rely on more, never on less.
class ValueBook {
 public:
  void add(uintptr_t address, uint64_t value, const Knowledge& knowledge);
  // What all stores that satisfy the wait have published. Empty when there is none: then the value
  // came from elsewhere.
  std::optional<Knowledge> behind(const ferryx_value& awaited) const;
  // The memory was allocated anew.
  void forget(const Range& range);

  size_t size() const { return stores_.size(); }

 private:
  struct Store {
    std::optional<uint64_t> value;  // empty: several, of which any may satisfy a wait
    Knowledge knowledge;
  };
  static constexpr size_t kMostStores = 16;  // per address
  static constexpr size_t kMostAddresses = 65536;

  std::map<uintptr_t, std::vector<Store>> stores_;
};

}  // namespace ferry::layers::check
