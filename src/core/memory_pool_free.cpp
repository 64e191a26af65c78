// SPDX-License-Identifier: Apache-2.0
// Freeing blocks: in stream order, and at once.
#include "base/work.h"
#include "core/allocation_registry.h"
#include "core/memory_pool_book.h"
#include "core/runtime.h"
#include "core/stream.h"

#include <memory>

namespace ferry {
namespace {

using State = PoolBlock::State;

PoolBook& all_blocks() {
  return PoolBook::instance();
}

// A free in stream order. It owns itself once it is queued.
struct QueuedFree {
  // Also when the work is dropped: then no later task of the stream uses the memory.
  static void start(void* argument, ferryx_callout* callout) {
    const std::unique_ptr<QueuedFree> own(static_cast<QueuedFree*>(argument));
    if (own->number != 0) {
      own->end_use().give_back();
    } else {
      own->free_other();
    }
    if (callout != nullptr) callout->done(callout);
  }

  // The block becomes idle; that of a destroyed pool leaves.
  LeavingMemory end_use() const {
    const std::lock_guard lock(all_blocks().mutex);
    PoolBlock* block = all_blocks().find_freed(address, number);
    if (block == nullptr) return {};
    PoolBook::rest(*block);
    if (!PoolBook::is_destroyed(*block->pool)) return {};
    PoolBook::unlist(*block);
    return all_blocks().detach(*block);
  }

  // As aclrtFree, but nobody learns of an error.
  void free_other() const {
    if (free_pool_memory_now(address) != PoolFree::kNotInPool) return;
    static_cast<void>(free_if_live(address));
  }

  void* address = nullptr;
  uint64_t number = 0;  // 0: memory of no pool
};

// The start of a free, which is undone unless the free is queued.
struct FreeToBe {
  explicit FreeToBe(std::unique_ptr<QueuedFree> made) : free(std::move(made)) {}
  ~FreeToBe() {
    if (free == nullptr) return;
    const std::lock_guard lock(all_blocks().mutex);
    PoolBlock* block = all_blocks().find_freed(free->address, free->number);
    if (block == nullptr) return;
    PoolBook::unlist(*block);
    block->state = State::kLive;
  }
  FreeToBe(const FreeToBe&) = delete;
  FreeToBe& operator=(const FreeToBe&) = delete;

  std::unique_ptr<QueuedFree> free;
};

Status fail_not_a_block(const void* address, const PoolBlock& block) {
  const char* const what =
      block.state == State::kLive ? "lies inside a block" : "lies in a block that was freed before";
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1011, "ptr", Value::beside(address))
      .because(
          " %s: in a pool only the start of a block in use can be freed; the block is %llu bytes "
          "at %p",
          what, static_cast<unsigned long long>(block.memory.size), block.memory.address);
}

// The block at an address that is, or was, one of a pool; nullptr for other memory, also if a pool
// had it before.
PoolBlock* block_at(const void* address, const AllocationRegistry& live) {
  PoolBlock* block = all_blocks().find(address);
  ferryx_memory other{};
  const bool is_other =
      block != nullptr && block->state == State::kGone && live.find(address, other);
  return is_other ? nullptr : block;
}

// No stream may have the block before its free is queued: the call may still fail.
Status begin_free(QueuedFree& free, const AllocationRegistry& live) {
  PoolBook& book = all_blocks();
  const std::lock_guard lock(book.mutex);
  PoolBlock* block = block_at(free.address, live);
  if (block == nullptr) return {};
  if (block->state != State::kLive || block->memory.address != free.address) {
    return fail_not_a_block(free.address, *block);
  }
  free.number = block->free = ++book.last_free;
  block->state = State::kFreed;
  block->stream = nullptr;
  PoolBook::list(*block);
  return {};
}

void allow_reuse(void* address, uint64_t number, const Stream& stream) {
  const std::lock_guard lock(all_blocks().mutex);
  PoolBlock* block = all_blocks().find_freed(address, number);
  if (block != nullptr) block->stream = stream.handle();
}

}  // namespace

Status free_in_stream_order(void* address, Stream& stream) {
  FERRY_TRY(Runtime*, runtime, Runtime::get());
  FERRY_RETURN_IF_ERROR(stream.check_open_for_work());
  FreeToBe begun(std::make_unique<QueuedFree>());
  begun.free->address = address;
  FERRY_RETURN_IF_ERROR(begin_free(*begun.free, (*runtime)->memory()));
  const uint64_t number = begun.free->number;
  ferryx_work work = make_work(FERRYX_CALLOUT, &ferryx_payload::callout,
                               {.start = QueuedFree::start, .argument = begun.free.get()});
  FERRY_RETURN_IF_ERROR(stream.submit(work));
  static_cast<void>(begun.free.release());  // QueuedFree::start owns it now
  allow_reuse(address, number, stream);
  return {};
}

PoolFree free_pool_memory_now(const void* address) {
  if (!PoolBook::is_used.load(std::memory_order_relaxed)) return PoolFree::kNotInPool;
  LeavingMemory leaving;
  {
    const std::lock_guard lock(all_blocks().mutex);
    PoolBlock* block = all_blocks().find(address);
    if (block == nullptr || block->memory.address != address) return PoolFree::kNotInPool;
    if (block->state == State::kFreed) return PoolFree::kFreedAlready;
    if (block->state != State::kLive) return PoolFree::kNotInPool;
    PoolBook::forget(*block);
    leaving = all_blocks().detach(*block);
  }
  leaving.give_back();
  return PoolFree::kDone;
}

bool is_pool_memory(const void* address) {
  if (!PoolBook::is_used.load(std::memory_order_relaxed)) return false;
  const std::lock_guard lock(all_blocks().mutex);
  const PoolBlock* block = all_blocks().find(address);
  return block != nullptr && (block->state == State::kLive || block->state == State::kFreed);
}

}  // namespace ferry
