// SPDX-License-Identifier: Apache-2.0
// Memory of CUDA devices and pinned host memory. The addresses programs get are CUDA's own. Only
// the device's view of registered host memory is not: CUDA gives it the address it has on the host,
// but programs tell by the address where memory lies; so it gets one from a span that nobody may
// touch.
#pragma once

#include "backends/cuda/memory/reader_lock.h"

#include "ferry/backend.h"

#include <atomic>
#include <cstdint>
#include <map>
#include <vector>

namespace ferry::cuda {

// What kernels may touch: all memory of this backend. May be shared between threads.
class LiveMemory {
 public:
  // See Line::memory_lock.
  ReaderLock& lock() { return mutex_; }

  // `block` is what CUDA gave; nullptr: the memory itself.
  void add(const ferryx_memory& memory, int owner, void* block = nullptr);
  // Returns what CUDA gave. Then whatever was judged with the memory still live has been submitted.
  void* remove(void* address);
  // Who reaches what has changed.
  void note_change();

  // With the lock, shared.
  uint64_t epoch() const { return epoch_; }
  // The memory that the storage address lies in; without a size when there is none.
  ferryx_memory find(const void* storage) const;
  std::vector<ferryx_memory> reachable_from(const ferryx_device& device) const;

  static constexpr int kHost = -1;  // as owner

 private:
  struct Entry {
    ferryx_memory memory{};
    void* block = nullptr;
    int owner = kHost;
    // Of several threads that register the same memory, the losers take it back.
    uint32_t users = 0;
  };
  mutable ReaderLock mutex_;  // guards what follows
  uint64_t epoch_ = 0;
  std::map<const void*, Entry> entries_;
};

// Shared by all devices; never destroyed.
LiveMemory& live_memory();

int allocate_device_memory(ferryx_device& device, uint64_t size, ferryx_memory& out);
void free_device_memory(ferryx_device& device, const ferryx_memory& memory);
int measure_device_memory(ferryx_device& device, uint64_t& free_bytes, uint64_t& total_bytes);

int allocate_host_memory(ferryx_device& device, uint64_t size, ferryx_memory& out);
void free_host_memory(ferryx_device& device, const ferryx_memory& memory);
// `mapped` may be nullptr.
int register_host_memory(ferryx_device& device, void* address, uint64_t size,
                         ferryx_memory* mapped);
void unregister_host_memory(ferryx_device& device, void* address, uint64_t size,
                            const ferryx_memory* mapped);

}  // namespace ferry::cuda
