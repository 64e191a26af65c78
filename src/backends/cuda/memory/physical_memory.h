// SPDX-License-Identifier: Apache-2.0
// Physical memory: memory of a GPU or of the host without an address, and memory of other
// processes.
#pragma once

#include "ferry/backend.h"

#include <cuda.h>

#include <cstdint>

// Constant once it is made.
struct ferryx_physical {
  CUmemGenericAllocationHandle handle = 0;
  uint64_t size = 0;  // of what can be mapped
  bool is_host = false;
  int node = 0;  // of host memory
  bool is_shareable = false;
  // Of memory of another process: the first byte is not the first of the handle.
  uint64_t offset = 0;
  // Memory that another process has from memory_alloc: CUDA has chosen its address; else nullptr.
  void* opened = nullptr;
};

namespace ferry::cuda {

// 207000 when the device or the driver has no virtual memory, or none on the host.
int create_physical(ferryx_device& device, const ferryx_physical_settings& settings,
                    ferryx_physical** physical);
void release_physical(ferryx_device& device, ferryx_physical* physical);

// ---- between processes ----

// A descriptor of CUDA, which only its driver understands.
int export_physical(ferryx_device& device, const ferryx_physical& physical, ferryx_shared& shared);
// Of memory_alloc: a file in memory with CUDA's name of the allocation. Such memory cannot become
// a descriptor, because cudaMalloc has made it.
int export_memory(ferryx_device& device, const ferryx_memory& memory, ferryx_shared& shared);
// Both kinds. 507899 when it is neither.
int import_physical(ferryx_device& device, const ferryx_shared& shared, ferryx_physical** physical);

}  // namespace ferry::cuda
