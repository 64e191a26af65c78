// SPDX-License-Identifier: Apache-2.0
// A profiling session of the program: whether it is open, and which configurations are started.
// What is recorded goes to annotations.h.
#pragma once

#include "base/status.h"
#include "core/handle_table.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ferry {

// What aclprofCreateConfig describes. Never changes.
class ProfilingConfig final : public Handled {
 public:
  static constexpr HandleKind kHandleKind = HandleKind::kProfilingConfig;

  struct Contents {
    std::vector<uint32_t> devices;  // sorted; empty: the host only
    uint32_t metrics = 0;
    uint64_t types = 0;

    bool operator==(const Contents& other) const = default;
  };
  explicit ProfilingConfig(Contents contents) : contents_(std::move(contents)) {}
  const Contents& contents() const { return contents_; }

 private:
  const Contents contents_;
};

// 100002 when a session is open.
Status open_profiling(const std::string& path);
void close_profiling();
bool is_profiling_open();
// Where the program wants the results; "" while no session is open.
std::string profiling_path();

// Whether any configuration is started.
bool is_profiling_started();

// 100043 without a session; 100042 when one of its devices is started with another configuration.
Status start_profiling(const ProfilingConfig::Contents& config);
// 100000 when no such configuration is started. Without a session there is nothing to stop.
Status stop_profiling(const ProfilingConfig::Contents& config);

}  // namespace ferry
