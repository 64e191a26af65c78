// SPDX-License-Identifier: Apache-2.0
// Stream-ordered pools of device memory. A block is an allocation of the backend of its own. Its
// free is queued on a stream; afterwards the pool keeps the block as idle memory, until the memory
// is given out again or returned to the device.
#pragma once

#include "base/status.h"
#include "core/device.h"
#include "core/handle_table.h"
#include "core/memory.h"

#include "ferry/backend.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <set>
#include <utility>

namespace ferry {

class AllocationRegistry;
class Stream;
struct LeavingMemory;

// May be shared between threads. A pool that was destroyed lives until its last block is freed.
//
// Invariants: `taken` is the sum of all blocks, `idle` that of the blocks whose free has run; the
// rest is in use. A block that is in use is found by its address (allocation_registry.h), an idle
// one is not.
class MemoryPool final : public Handled {
 public:
  static constexpr HandleKind kHandleKind = HandleKind::kMemoryPool;
  // Sizes and addresses are multiples of it.
  static constexpr uint64_t kUnit = uint64_t{2} << 20;
  static constexpr uint64_t round_up(uint64_t size) { return (size + kUnit - 1) / kUnit * kUnit; }

  // `size`, a multiple of the unit, limits what the pool takes from the device.
  static Result<Ref<MemoryPool>> create(Device& device, uint64_t size);
  MemoryPool(Device& device, AllocationRegistry& live, uint64_t size)
      : device_(device), live_(live), size_(size) {}
  ~MemoryPool() = default;

  uint64_t size() const { return size_; }
  using BySize = std::set<std::pair<uint64_t, uintptr_t>>;  // size and address of blocks

  // A block for work queued later on the stream: an idle one, one that the stream itself has freed,
  // or new memory of the device. 507000 when there is none.
  Status allocate(const PaddedSize& wanted, const Stream& stream, void** address);
  // Returns idle memory. `least` bytes stay, rounded up to whole units, and what is in use.
  void trim(uint64_t least);
  // Returns all idle memory. Blocks in use stay until they are freed. False when another thread has
  // destroyed it.
  bool destroy();

  struct Figures {
    uint64_t taken = 0;
    uint64_t taken_peak = 0;
    uint64_t used = 0;
    uint64_t used_peak = 0;
  };
  Figures figures() const;
  void reset_taken_peak();
  void reset_used_peak();
  // How much idle memory the pool keeps when a thread synchronises.
  uint64_t threshold() const;
  void set_threshold(uint64_t bytes);
  // Returns the idle memory above the threshold.
  void return_surplus();

  // Settings that programs set and read back: reuse by other streams always waits for the free.
  std::array<std::atomic<uint32_t>, 3> reuse_settings{};

 private:
  friend struct PoolBook;
  enum class Fit { kExact, kLarger };

  // False when no block that the stream may have fits.
  bool reuse(const PaddedSize& wanted, const Stream& stream, Fit fit, void** address);
  Status allocate_more(const PaddedSize& wanted, const Stream& stream, void** address);
  bool has_room(uint64_t bytes) const;
  // Returns idle memory until no more than `most` bytes of it are left.
  void keep_idle(uint64_t most);
  LeavingMemory detach_idle(uint64_t most, uint64_t& again);
  // Takes memory of the device: for the program, or as idle memory.
  Status take(const PaddedSize& wanted, void** address);
  void take_idle(uint64_t bytes) noexcept;
  Status fail_full(const PaddedSize& wanted) const;

  Device& device_;
  AllocationRegistry& live_;
  const uint64_t size_;
  std::mutex supply_;  // memory is taken from the device and returned by one thread at a time

  // Guarded by the lock of all pools:
  BySize reusable_;  // blocks that are freed or idle
  uint64_t taken_ = 0;
  uint64_t taken_peak_ = 0;
  uint64_t idle_ = 0;
  uint64_t used_peak_ = 0;
  uint64_t threshold_ = 0;
  bool is_destroyed_ = false;
  Ref<MemoryPool> self_;  // until it is destroyed and has no block
};

// `code` when the handle is not that of a live pool.
Result<Ref<MemoryPool>> find_pool(void* handle, aclError code);

// Queues the free of a block: the pool has it back when the stream gets there. Other memory is then
// freed as by aclrtFree. 107000 for an address in a pool at which no block in use starts.
Status free_in_stream_order(void* address, Stream& stream);

// Frees a block of a pool without waiting for a stream.
enum class PoolFree { kNotInPool, kFreedAlready, kDone };
PoolFree free_pool_memory_now(const void* address);

bool is_pool_memory(const void* address);

// ---- synchronisation ----

// Whether a pool has more idle memory than it is to keep.
extern std::atomic<bool> pools_have_surplus;
void return_surplus_of_pools();

// Call when a thread of the program has synchronised: pools return the idle memory that they are
// not to keep.
inline void note_synchronisation() {
  if (pools_have_surplus.load(std::memory_order_relaxed)) [[unlikely]]
    return_surplus_of_pools();
}

}  // namespace ferry
