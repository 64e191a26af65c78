// SPDX-License-Identifier: Apache-2.0
// Device memory that counts as damaged. Devices of this library have none; the layer that injects
// failures adds ranges, and the program finds and repairs them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

namespace ferry {

struct MemoryFault {
  int32_t device = 0;
  void* address = nullptr;
  size_t size = 0;
};

// May be shared between threads; never destroyed.
class MemoryFaults {
 public:
  static MemoryFaults& instance();

  void add(const MemoryFault& fault);
  std::vector<MemoryFault> of(int32_t device) const;
  // Forgets the faults of the device that these ranges overlap.
  void repair(int32_t device, std::span<const MemoryFault> ranges);
  void clear();

 private:
  mutable std::mutex mutex_;  // guards faults_
  std::vector<MemoryFault> faults_;
};

}  // namespace ferry
