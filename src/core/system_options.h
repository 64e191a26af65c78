// SPDX-License-Identifier: Apache-2.0
// Options that programs set for libraries of operators, and read back. The process has a set of
// them, and so has each context.
#pragma once

#include "acl/acl_base_rt.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace ferry {

// May be shared between threads.
class SystemOptions {
 public:
  void set(aclSysParamOpt option, int64_t value) { values_[option].store(value); }
  // Empty when the option was never set.
  std::optional<int64_t> get(aclSysParamOpt option) const {
    const int64_t value = values_[option].load();
    return value == kUnset ? std::nullopt : std::optional(value);
  }

 private:
  static constexpr int64_t kUnset = -1;  // no option can have this value
  static constexpr size_t kCount = ACL_OPT_ENABLE_KERNEL_EARLY_START + 1;

  std::array<std::atomic<int64_t>, kCount> values_{kUnset, kUnset, kUnset, kUnset};
};

SystemOptions& process_options();

}  // namespace ferry
