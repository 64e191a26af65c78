// SPDX-License-Identifier: Apache-2.0
// Reserved addresses, and physical memory mapped there. Programs get CUDA's own addresses.
#pragma once

#include "backends/cuda/memory/physical_memory.h"

#include "ferry/backend.h"

#include <cstdint>
#include <vector>

namespace ferry::cuda {

// 207000 when none of these CUDA devices has virtual memory, 207001 when there are no such
// addresses.
int reserve_addresses(const std::vector<int>& devices, uint64_t size, uint64_t alignment,
                      void* wanted, ferryx_memory& range);
void release_addresses(const ferryx_memory& range);

// The device may access the memory, and other devices that can; all devices and the host, if it is
// host memory.
int map_physical(ferryx_device& device, ferryx_physical& physical, const ferryx_memory& range,
                 uint64_t offset, uint64_t size, ferryx_memory& mapped);
// Waits until no device uses the range.
int unmap_physical(ferryx_device& device, const ferryx_memory& mapped);

// 207000 when the devices have no peer access.
int open_to_device(ferryx_device& device, ferryx_device& peer, const ferryx_memory& mapped);
// 207000 for memory of a GPU that processors cannot access.
int open_to_host(ferryx_device& device, const ferryx_memory& mapped);

// The device was opened: lets it access what is mapped already.
void open_mappings_to(ferryx_device& device);

}  // namespace ferry::cuda
