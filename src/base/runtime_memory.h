// SPDX-License-Identifier: Apache-2.0
// Marks allocations that the runtime makes for itself, such as argument blocks of kernels: the
// program has not asked for them and cannot leak them.
#pragma once

namespace ferry {

inline thread_local bool is_making_runtime_memory = false;

class RuntimeMemoryScope {
 public:
  RuntimeMemoryScope() { is_making_runtime_memory = true; }
  ~RuntimeMemoryScope() { is_making_runtime_memory = false; }
  RuntimeMemoryScope(const RuntimeMemoryScope&) = delete;
  RuntimeMemoryScope& operator=(const RuntimeMemoryScope&) = delete;
};

}  // namespace ferry
