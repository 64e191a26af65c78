// SPDX-License-Identifier: Apache-2.0
// Stand-ins: functions of the program that act as kernels, by the name of the kernel; and what
// became of the launches.
#pragma once

#include "base/status.h"

#include "ferry/kernel.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ferry {

// Limits of an argument list, and of a parameter table.
constexpr size_t kMostParameters = 128;
constexpr size_t kMostArgumentBytes = 65536;

// One registration; never changed.
struct StandIn {
  bool has(uint32_t flag) const { return (flags & flag) != 0; }

  std::string name;
  uint32_t flags = 0;
  ferryKernelFunction function = nullptr;
  void* data = nullptr;
  std::optional<std::vector<ferryKernelParameter>> parameters;
  ferryKernelDeclare declare = nullptr;
  const void* symbol = nullptr;
  uint64_t entry = 0;
  int32_t type = 0;
};

// A device variable; never changed and never destroyed.
struct DeviceVariable {
  std::string name;
  const void* symbol = nullptr;
  size_t size = 0;
};

// Counts of one kernel; never destroyed.
struct KernelCounts {
  std::string name;
  std::atomic<uint64_t> launches{0};
  std::atomic<uint64_t> failures{0};
  std::atomic<uint64_t> skipped{0};
};

// All registrations of the process. May be shared between threads; never destroyed. Needs no
// runtime: stand-ins may be registered before it starts, and while it does.
class StandIns {
 public:
  static StandIns& instance();

  Status add(const ferryKernel& kernel);
  Status remove(const char* name);

  // nullptr when there is none.
  std::shared_ptr<const StandIn> find(std::string_view name) const;
  std::shared_ptr<const StandIn> find_by_symbol(const void* symbol) const;
  std::shared_ptr<const StandIn> find_by_entry(uint64_t entry) const;
  const DeviceVariable* find_variable(std::string_view name) const;
  const DeviceVariable* find_variable_by_symbol(const void* symbol) const;

  // Whether bytes that are no ELF file may be a binary: a stand-in, or nothing, runs instead.
  bool takes_any_binary() const;

  KernelCounts& counts_of(std::string_view name);
  // nullptr past the last one.
  const KernelCounts* counts_at(size_t index) const;

 private:
  Status check_free(const ferryKernel& kernel) const;
  Status add_variables(const ferryKernel& kernel);
  template <class Matches>
  std::shared_ptr<const StandIn> find_if(Matches matches) const;

  mutable std::mutex mutex_;  // guards what follows
  std::map<std::string, std::shared_ptr<const StandIn>, std::less<>> by_name_;
  std::deque<DeviceVariable> variables_;
  std::deque<KernelCounts> counts_;  // in the order in which they were first met
};

// Says that a kernel has no stand-in, and what to do about it. `argument` and `value` name it;
// `remark` follows the statement.
Status fail_unknown_kernel(aclError code, const char* argument, const Value& value,
                           const char* remark = "");

}  // namespace ferry
