// SPDX-License-Identifier: Apache-2.0
// The blocks of all pools by address, and the steps of their lives. Only for memory_pool*.cpp.
#pragma once

#include "core/memory_pool.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

namespace ferry {

struct PoolBlock {
  enum class State {
    kLive,   // the program has it
    kFreed,  // its free is queued; the stream that frees it may have it again
    kIdle,   // its free has run
    kGone    // its memory was returned; the entry shows that the address was one of the pool
  };

  MemoryPool* pool = nullptr;
  ferryx_memory memory{};   // as the program sees it
  ferryx_memory backing{};  // as the backend gave it
  State state = State::kLive;
  void* stream = nullptr;  // kFreed: handle of the stream that frees it, once the free is queued
  uint64_t free = 0;       // kFreed: number of the free; that of an earlier life has another
  MemoryPool::BySize::node_type entry;  // in the pool's reusable_ while it is freed or idle

  uintptr_t start() const { return reinterpret_cast<uintptr_t>(memory.address); }
  bool holds(uintptr_t address) const { return address - start() < memory.size; }
};

// Memory that leaves a pool. The caller returns it without the lock: that may wait for the device,
// and a free in stream order needs the lock.
struct LeavingMemory {
  void give_back() const {
    if (device != nullptr) give_back_device_memory(*device, backing);
  }

  Device* device = nullptr;  // nullptr: there is none
  ferryx_memory backing{};
  Ref<MemoryPool> last;  // of a pool that was destroyed and has no other block
};

// Never destroyed. All functions are called with the lock held, and none needs memory.
struct PoolBook {
  using State = PoolBlock::State;
  using Blocks = std::map<uintptr_t, PoolBlock>;

  static PoolBook& instance();

  // The block that holds the address; nullptr when there is none.
  PoolBlock* find(const void* address);
  // The block with this free, unless a reuse or aclrtFree has come before it.
  PoolBlock* find_freed(const void* address, uint64_t free);

  // Enters the block into the list of those that can be given out again, or removes it.
  static void list(PoolBlock& block);
  static void unlist(PoolBlock& block);

  // The address of the block is known no longer.
  static void forget(const PoolBlock& block);
  // Makes a block that is freed idle.
  static void rest(PoolBlock& block);
  // The memory of a block that is not listed leaves its pool.
  LeavingMemory detach(PoolBlock& block);
  // Removes entries of memory that was returned and that the device has given out again.
  void erase_gone(const ferryx_memory& memory);

  static bool is_destroyed(const MemoryPool& pool) { return pool.is_destroyed_; }
  static bool has_surplus(const MemoryPool& pool) { return pool.idle_ > pool.threshold_; }
  static void note_use(MemoryPool& pool);
  static void note_surplus(const MemoryPool& pool);
  // Calls an optional slot of the backend.
  using Slot = void (*)(ferryx_device* device, const ferryx_memory* memory);
  static void tell(Slot slot, const Device& device, const ferryx_memory& backing);

  // Set with the first pool: programs without pools pay for nothing.
  static inline std::atomic<bool> is_used{false};

  std::mutex mutex;  // guards the members below, the blocks, and the members of pools that say so
  Blocks blocks;     // by first byte; they do not overlap
  std::vector<MemoryPool*> pools;
  uint64_t last_free = 0;
};

}  // namespace ferry
