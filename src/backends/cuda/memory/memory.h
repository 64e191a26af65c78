// SPDX-License-Identifier: Apache-2.0
// Memory of CUDA devices and pinned host memory. Programs get CUDA's own addresses, except for the
// device's view of registered host memory. CUDA would give it the host address, but programs tell
// by the address where memory is; so it gets an address from a range without access rights.
#pragma once

#include "backends/cuda/memory/reader_lock.h"

#include "ferry/backend.h"

#include <atomic>
#include <cstdint>
#include <map>
#include <vector>

namespace ferry::cuda {

constexpr uint64_t round_up(uint64_t value, uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

// The live memory of this backend: all that kernels may access. May be shared between threads.
class LiveMemory {
 public:
  // See Line::memory_lock.
  ReaderLock& lock() { return mutex_; }

  // `block` is the address that CUDA returned; nullptr: the address of the memory.
  void add(const ferryx_memory& memory, int owner, void* block = nullptr);
  // Returns the address that CUDA returned. By then all work that was validated while the memory
  // was live has been submitted.
  void* remove(void* address);
  // Memory mapped in a range of reserved addresses. Mappings of one reservation that touch each
  // other are one range, as they are for the runtime.
  void join(const ferryx_memory& mapped, int owner, const void* reservation);
  // As remove().
  void cut(const ferryx_memory& mapped);
  // Peer access has changed.
  void note_change();

  // For callers that hold the lock, shared.
  uint64_t epoch() const { return epoch_; }
  // The memory that starts at or before `storage` and may end before it; size 0 when there is none.
  ferryx_memory find(const void* storage) const;
  std::vector<ferryx_memory> reachable_from(const ferryx_device& device) const;

  static constexpr int kHost = -1;  // as owner

 private:
  struct Entry {
    ferryx_memory memory{};
    void* block = nullptr;
    int owner = kHost;
    // Several threads may register the same memory at once; all but one undo it.
    uint32_t users = 0;
    const void* reservation = nullptr;  // of mapped memory

    char* end() const { return static_cast<char*>(memory.address) + memory.size; }
  };
  mutable ReaderLock mutex_;  // guards what follows
  uint64_t epoch_ = 0;
  std::map<const void*, Entry> entries_;
};

// Shared by all devices; never destroyed.
LiveMemory& live_memory();

// For memory that every device may use: CUDA's own waits are for one device. Troubles are logged.
void wait_for_all_devices();

int allocate_device_memory(ferryx_device& device, uint64_t size, ferryx_memory& out);
void free_device_memory(ferryx_device& device, const ferryx_memory& memory);
int measure_device_memory(ferryx_device& device, uint64_t& free_bytes, uint64_t& total_bytes);

int allocate_host_memory(ferryx_device& device, uint64_t size, ferryx_memory& out);
void free_host_memory(ferryx_device& device, const ferryx_memory& memory);

int allocate_managed_memory(ferryx_device& device, uint64_t size, ferryx_memory& out);
void free_managed_memory(ferryx_device& device, const ferryx_memory& memory);
// See managed_prefetch in ferry/backend_slots.def.
int prefetch_managed_memory(ferryx_device& device, void* address, uint64_t size, int32_t place);

// `mapped` may be nullptr.
int register_host_memory(ferryx_device& device, void* address, uint64_t size,
                         ferryx_memory* mapped);
void unregister_host_memory(ferryx_device& device, void* address, uint64_t size,
                            const ferryx_memory* mapped);

}  // namespace ferry::cuda
