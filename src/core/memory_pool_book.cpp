// SPDX-License-Identifier: Apache-2.0
// What each step in the life of a block changes.
#include "core/memory_pool_book.h"

#include "core/allocation_registry.h"

#include <iterator>

namespace ferry {

PoolBook& PoolBook::instance() {
  static auto* book = new PoolBook;
  return *book;
}

PoolBlock* PoolBook::find(const void* address) {
  const auto wanted = reinterpret_cast<uintptr_t>(address);
  const auto next = blocks.upper_bound(wanted);
  if (next == blocks.begin()) return nullptr;
  PoolBlock& block = std::prev(next)->second;
  return block.holds(wanted) ? &block : nullptr;
}

PoolBlock* PoolBook::find_freed(const void* address, uint64_t free) {
  PoolBlock* block = find(address);
  const bool is_it = block != nullptr && block->state == State::kFreed && block->free == free;
  return is_it ? block : nullptr;
}

void PoolBook::list(PoolBlock& block) {
  block.pool->reusable_.insert(std::move(block.entry));
}

void PoolBook::unlist(PoolBlock& block) {
  block.entry = block.pool->reusable_.extract({block.memory.size, block.start()});
}

void PoolBook::forget(const PoolBlock& block) {
  ferryx_memory removed{};
  block.pool->live_.remove(block.memory.address, FERRYX_MEMORY_DEVICE, removed);
}

void PoolBook::rest(PoolBlock& block) {
  MemoryPool& pool = *block.pool;
  forget(block);
  tell(pool.device_.backend().memory_rest, pool.device_, block.backing);
  block.state = State::kIdle;
  pool.idle_ += block.memory.size;
  note_surplus(pool);
}

LeavingMemory PoolBook::detach(PoolBlock& block) {
  MemoryPool& pool = *block.pool;
  LeavingMemory leaving{.device = &pool.device_, .backing = block.backing, .last = {}};
  if (block.state == State::kIdle) pool.idle_ -= block.memory.size;
  pool.taken_ -= block.memory.size;
  block.state = State::kGone;
  if (!pool.is_destroyed_) return leaving;
  blocks.erase(block.start());
  if (pool.taken_ == 0) leaving.last = std::move(pool.self_);
  return leaving;
}

void PoolBook::erase_gone(const ferryx_memory& memory) {
  const auto start = reinterpret_cast<uintptr_t>(memory.address);
  auto next = blocks.lower_bound(start);
  if (next != blocks.begin() && std::prev(next)->second.holds(start)) --next;
  while (next != blocks.end() && next->first < start + memory.size)
    next = blocks.erase(next);
}

void PoolBook::note_use(MemoryPool& pool) {
  pool.used_peak_ = std::max(pool.used_peak_, pool.taken_ - pool.idle_);
}

void PoolBook::note_surplus(const MemoryPool& pool) {
  if (has_surplus(pool)) pools_have_surplus.store(true, std::memory_order_relaxed);
}

void PoolBook::tell(Slot slot, const Device& device, const ferryx_memory& backing) {
  if (slot != nullptr) slot(device.handle(), &backing);
}

}  // namespace ferry
