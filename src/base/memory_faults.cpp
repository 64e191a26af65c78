// SPDX-License-Identifier: Apache-2.0
// The list of damaged ranges.
#include "base/memory_faults.h"

#include <algorithm>
#include <iterator>

namespace ferry {
namespace {

bool overlap(const MemoryFault& one, const MemoryFault& other) {
  const auto begin = reinterpret_cast<uintptr_t>(one.address);
  const auto other_begin = reinterpret_cast<uintptr_t>(other.address);
  // Differences, not ends: an end may be past the last address.
  return begin <= other_begin ? other_begin - begin < one.size : begin - other_begin < other.size;
}

}  // namespace

MemoryFaults& MemoryFaults::instance() {
  static auto* faults = new MemoryFaults;
  return *faults;
}

void MemoryFaults::add(const MemoryFault& fault) {
  const std::lock_guard lock(mutex_);
  faults_.push_back(fault);
}

std::vector<MemoryFault> MemoryFaults::of(int32_t device) const {
  const std::lock_guard lock(mutex_);
  std::vector<MemoryFault> found;
  std::copy_if(faults_.begin(), faults_.end(), std::back_inserter(found),
               [&](const MemoryFault& fault) { return fault.device == device; });
  return found;
}

void MemoryFaults::repair(int32_t device, std::span<const MemoryFault> ranges) {
  const std::lock_guard lock(mutex_);
  std::erase_if(faults_, [&](const MemoryFault& fault) {
    return fault.device == device &&
           std::any_of(ranges.begin(), ranges.end(),
                       [&](const MemoryFault& range) { return overlap(fault, range); });
  });
}

void MemoryFaults::clear() {
  const std::lock_guard lock(mutex_);
  faults_.clear();
}

}  // namespace ferry
