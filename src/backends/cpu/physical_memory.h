// SPDX-License-Identifier: Apache-2.0
// Physical memory: bytes in an anonymous file of the kernel, which can be mapped at any number of
// addresses. The memory of a device is one sparse file, so that thousands of pieces need one file
// descriptor; every piece of host memory is a file of its own, and every piece that is shared.
#pragma once

#include "backends/cpu/memory.h"
#include "backends/cpu/memory_file.h"

#include "ferry/backend.h"

#include <cstdint>
#include <mutex>

// One piece. Where it is may change: the lock of the mappings protects file, offset and owns_file.
struct ferryx_physical {
  int file = -1;
  uint64_t offset = 0;  // of its first byte in the file
  uint64_t size = 0;
  bool is_host = false;
  bool is_huge = false;      // its pages were made huge
  bool owns_file = false;    // nothing else is in the file, whose size is sealed
  bool is_imported = false;  // memory of another process, which counts it
};

namespace ferry::cpu {

// The file of one device, and which part of it is used up. May be shared between threads.
class DeviceFile {
 public:
  // Addresses in the file are given out once: what was released stays a hole.
  int take(uint64_t size, ferryx_physical& physical);

 private:
  std::mutex mutex_;  // protects what follows
  MemoryFile file_;
  uint64_t used_ = 0;
};

int create_physical(ferryx_device& device, const ferryx_physical_settings& settings,
                    ferryx_physical** physical);
void release_physical(ferryx_device& device, ferryx_physical* physical);

}  // namespace ferry::cpu
