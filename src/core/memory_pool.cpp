// SPDX-License-Identifier: Apache-2.0
// Giving blocks out, and taking memory from the device and returning it.
#include "core/memory_pool.h"

#include "base/error_state.h"
#include "core/allocation_registry.h"
#include "core/memory_pool_book.h"
#include "core/runtime.h"
#include "core/stream.h"

#include <algorithm>
#include <memory>
#include <new>
#include <string>

namespace ferry {
namespace {

using State = PoolBlock::State;

PoolBook& book() {
  return PoolBook::instance();
}

// Memory of the backend that goes back to it unless it has become a block.
struct NewBacking {
  explicit NewBacking(Device& of_device) : device(of_device) {}
  ~NewBacking() {
    if (backing.address != nullptr) give_back_device_memory(device, backing);
  }
  NewBacking(const NewBacking&) = delete;
  NewBacking& operator=(const NewBacking&) = delete;

  // Backends align device memory as they like; where the unit is not kept, a larger piece has an
  // aligned one inside.
  Status take(const PaddedSize& wanted) {
    FERRY_TRY(ferryx_memory, exact, take_device_memory(device, wanted, {}));
    backing = memory = *exact;
    if (misalignment() == 0) return {};
    give_back_device_memory(device, std::exchange(backing, {}));
    const PaddedSize more{.requested = wanted.requested,
                          .padded = wanted.padded + MemoryPool::kUnit};
    FERRY_TRY(ferryx_memory, larger, take_device_memory(device, more, {}));
    backing = memory = *larger;
    const uint64_t skipped = (MemoryPool::kUnit - misalignment()) % MemoryPool::kUnit;
    memory.address = static_cast<char*>(memory.address) + skipped;
    memory.storage = static_cast<char*>(memory.storage) + skipped;
    memory.size = wanted.padded;
    return {};
  }

  uint64_t misalignment() const {
    return reinterpret_cast<uintptr_t>(memory.address) % MemoryPool::kUnit;
  }

  Device& device;
  ferryx_memory backing{};
  ferryx_memory memory{};
};

// A block of a pool, allocated before anything changes.
PoolBook::Blocks::node_type new_block(MemoryPool& pool) {
  PoolBook::Blocks made;
  PoolBlock& block = made[0];
  block.pool = &pool;
  MemoryPool::BySize entry{{0, 0}};
  block.entry = entry.extract(entry.begin());
  return made.extract(made.begin());
}

}  // namespace

// ---- a pool ----

Result<Ref<MemoryPool>> MemoryPool::create(Device& device, uint64_t size) {
  FERRY_TRY(Runtime*, runtime, Runtime::get());
  auto made = std::make_unique<MemoryPool>(device, (*runtime)->memory(), size);
  MemoryPool* const listed = made.get();
  Ref<MemoryPool> pool =
      HandleTable<MemoryPool>::instance().insert(std::move(made), [&](void* /*handle*/) {
        const std::lock_guard lock(book().mutex);
        book().pools.push_back(listed);
      });
  PoolBook::is_used.store(true, std::memory_order_relaxed);
  const std::lock_guard lock(book().mutex);
  pool->self_ = pool;
  return pool;
}

bool MemoryPool::destroy() {
  const Ref<MemoryPool> last = HandleTable<MemoryPool>::instance().remove(handle());
  if (!last) return false;
  const std::lock_guard order(supply_);
  {
    const std::lock_guard lock(book().mutex);
    is_destroyed_ = true;
    std::erase(book().pools, this);
    std::erase_if(book().blocks, [this](const auto& entry) {
      return entry.second.pool == this && entry.second.state == State::kGone;
    });
  }
  keep_idle(0);
  const std::lock_guard lock(book().mutex);
  if (taken_ == 0) self_ = {};
  return true;
}

MemoryPool::Figures MemoryPool::figures() const {
  const std::lock_guard lock(book().mutex);
  return {
      .taken = taken_, .taken_peak = taken_peak_, .used = taken_ - idle_, .used_peak = used_peak_};
}

void MemoryPool::reset_taken_peak() {
  const std::lock_guard lock(book().mutex);
  taken_peak_ = taken_;
}

void MemoryPool::reset_used_peak() {
  const std::lock_guard lock(book().mutex);
  used_peak_ = taken_ - idle_;
}

uint64_t MemoryPool::threshold() const {
  const std::lock_guard lock(book().mutex);
  return threshold_;
}

void MemoryPool::set_threshold(uint64_t bytes) {
  const std::lock_guard lock(book().mutex);
  threshold_ = bytes;
  PoolBook::note_surplus(*this);
}

// ---- giving out ----

Status MemoryPool::allocate(const PaddedSize& wanted, const Stream& stream, void** address) {
  if (reuse(wanted, stream, Fit::kExact, address)) return {};
  return allocate_more(wanted, stream, address);
}

bool MemoryPool::reuse(const PaddedSize& wanted, const Stream& stream, Fit fit, void** address) {
  std::unique_lock lock(book().mutex);
  auto next = reusable_.lower_bound({wanted.padded, 0});
  const auto fits = [&] {
    return next != reusable_.end() && (fit == Fit::kLarger || next->first == wanted.padded);
  };
  const auto is_for_stream = [&] {
    const PoolBlock& block = book().blocks.find(next->second)->second;
    return block.state == State::kIdle || block.stream == stream.handle();
  };
  while (fits() && !is_for_stream())
    ++next;
  if (!fits()) return false;
  PoolBlock& block = book().blocks.find(next->second)->second;
  const bool was_idle = block.state == State::kIdle;
  // An idle block becomes known again. This may throw, and comes before all changes.
  if (was_idle) live_.insert(block.memory, wanted.requested);
  PoolBook::unlist(block);
  block.state = State::kLive;
  *address = block.memory.address;
  if (!was_idle) return true;
  idle_ -= block.memory.size;
  PoolBook::note_use(*this);
  const ferryx_memory backing = block.backing;
  lock.unlock();  // the program does not know the address yet
  PoolBook::tell(device_.backend().memory_reuse, device_, backing);
  return true;
}

// Idle memory of other sizes makes room first, so that the pool grows only when it must.
Status MemoryPool::allocate_more(const PaddedSize& wanted, const Stream& stream, void** address) {
  const std::lock_guard order(supply_);
  uint64_t idle = 0;
  bool is_too_much = false;
  {
    const std::lock_guard lock(book().mutex);
    if (is_destroyed_)
      return fail_handle(ACL_ERROR_RT_INTERNAL_ERROR, "memPool", handle(), "memory pool");
    idle = idle_;
    is_too_much = wanted.padded > size_ - (taken_ - idle_);
  }
  if (!is_too_much) keep_idle(idle - std::min(idle, wanted.padded));
  // Another thread may have taken idle blocks meanwhile.
  if (!has_room(wanted.padded)) {
    return reuse(wanted, stream, Fit::kLarger, address) ? Status() : fail_full(wanted);
  }
  return take(wanted, address);
}

bool MemoryPool::has_room(uint64_t bytes) const {
  const std::lock_guard lock(book().mutex);
  return bytes <= size_ - taken_;
}

Status MemoryPool::fail_full(const PaddedSize& wanted) const {
  const Figures now = figures();
  return reject(ACL_ERROR_RT_INTERNAL_ERROR, kEE1011, "size", wanted.requested)
      .because(
          ", rounded up %llu, but %llu of the pool's %llu bytes are in use; what another stream "
          "frees counts until its free has run",
          static_cast<unsigned long long>(wanted.padded), static_cast<unsigned long long>(now.used),
          static_cast<unsigned long long>(size_));
}

// ---- memory of the device ----

Status MemoryPool::take(const PaddedSize& wanted, void** address) {
  PoolBook::Blocks::node_type node = new_block(*this);
  NewBacking made(device_);
  if (!made.take(wanted).ok()) {
    const std::string reason = recent_error().sentence();
    return reject(ACL_ERROR_RT_INTERNAL_ERROR, kEE1011, "size", wanted.requested)
        .because(": the device cannot serve the pool: %s", reason.c_str());
  }
  const std::lock_guard lock(book().mutex);
  if (address != nullptr) {
    if (!live_.insert(made.memory, wanted.requested)) {
      return fail(ACL_ERROR_RT_INTERNAL_ERROR, kEE9999,
                  "the backend returned memory at %p that is in use", made.memory.address);
    }
    *address = made.memory.address;
  }
  book().erase_gone(made.memory);
  PoolBlock& block = node.mapped();
  block.memory = made.memory;
  block.backing = std::exchange(made.backing, {});
  block.entry.value() = {block.memory.size, block.start()};
  node.key() = block.start();
  taken_ += block.memory.size;
  taken_peak_ = std::max(taken_peak_, taken_);
  if (address == nullptr) {
    block.state = State::kIdle;
    idle_ += block.memory.size;
    PoolBook::list(block);
    PoolBook::tell(device_.backend().memory_rest, device_, block.backing);
  }
  PoolBook::note_use(*this);
  book().blocks.insert(std::move(node));
  return {};
}

// What the pool may keep is less than the block it came from. If the device has no such piece after
// all, the pool keeps nothing: no caller waits for it.
void MemoryPool::take_idle(uint64_t bytes) noexcept {
  try {
    if (take({.requested = bytes, .padded = bytes}, nullptr).ok()) return;
  } catch (const std::bad_alloc&) {
  }
  FERRY_LOG(kWarn, "a pool could not keep %llu idle bytes", static_cast<unsigned long long>(bytes));
}

void MemoryPool::keep_idle(uint64_t most) {
  uint64_t again = 0;
  for (;;) {
    const LeavingMemory leaving = detach_idle(most / kUnit * kUnit, again);
    if (leaving.device == nullptr) break;
    leaving.give_back();
  }
  if (again > 0) take_idle(again);
}

// Detaches an idle block while more than `most` is idle. `again`: how much of it is to be kept.
LeavingMemory MemoryPool::detach_idle(uint64_t most, uint64_t& again) {
  const std::lock_guard lock(book().mutex);
  if (idle_ <= most) return {};
  for (const auto& [size, start] : reusable_) {
    PoolBlock& block = book().blocks.find(start)->second;
    if (block.state != State::kIdle) continue;
    const uint64_t excess = idle_ - most;
    again = size > excess ? size - excess : 0;
    PoolBook::unlist(block);
    return book().detach(block);
  }
  return {};
}

void MemoryPool::trim(uint64_t least) {
  const std::lock_guard order(supply_);
  const Figures now = figures();
  keep_idle(std::max(round_up(least), now.used) - now.used);
}

Result<Ref<MemoryPool>> find_pool(void* handle, aclError code) {
  FERRY_RETURN_IF_ERROR(Runtime::get().status());
  Ref<MemoryPool> pool = HandleTable<MemoryPool>::instance().find(handle);
  if (!pool) return fail_handle(code, "memPool", handle, "memory pool");
  return pool;
}

// ---- synchronisation ----

std::atomic<bool> pools_have_surplus{false};

void MemoryPool::return_surplus() {
  const std::lock_guard order(supply_);
  keep_idle(threshold());
}

namespace {

Ref<MemoryPool> next_with_surplus() {
  const std::lock_guard lock(book().mutex);
  for (const MemoryPool* pool : book().pools) {
    if (!PoolBook::has_surplus(*pool)) continue;
    if (Ref<MemoryPool> found = HandleTable<MemoryPool>::instance().find(pool->handle()))
      return found;
  }
  return {};
}

}  // namespace

void return_surplus_of_pools() {
  pools_have_surplus.store(false, std::memory_order_relaxed);
  while (const Ref<MemoryPool> pool = next_with_surplus())
    pool->return_surplus();
}

}  // namespace ferry
