// SPDX-License-Identifier: Apache-2.0
// Free blocks by size class: powers of two.
#include "core/kernel/argument_memory.h"

#include "base/never_destroyed.h"
#include "core/runtime_memory.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <map>
#include <mutex>
#include <vector>

namespace ferry {
namespace {

constexpr size_t kSmallest = 64;  // bytes, as all blocks are aligned to
constexpr size_t kClasses = 11;   // up to 64 KiB
constexpr size_t kPieceSize = size_t{1} << 20;

size_t class_of(size_t size) {
  return std::bit_width((std::max(size, kSmallest) - 1) / kSmallest);
}

struct Free {
  char* address = nullptr;
  char* storage = nullptr;
};

// The pieces of one device. Their number follows the largest number of blocks in use at a time;
// they are given back together.
class BlockStore {
 public:
  Result<Free> take(Device& device, size_t size_class) {
    const std::lock_guard lock(mutex_);
    std::vector<Free>& list = free_[size_class];
    if (list.empty()) FERRY_RETURN_IF_ERROR(cut_piece(device, size_class));
    const Free taken = list.back();
    list.pop_back();
    ++used_;
    return taken;
  }

  void give_back(const Free& block, size_t size_class) {
    const std::lock_guard lock(mutex_);
    free_[size_class].push_back(block);  // cut_piece has reserved its place
    --used_;
  }

  void trim() {
    std::vector<std::unique_ptr<RuntimeMemory>> idle;
    const std::lock_guard lock(mutex_);
    if (used_ > 0) return;
    for (std::vector<Free>& list : free_)
      list.clear();
    made_ = {};
    idle.swap(pieces_);
  }

 private:
  Status cut_piece(Device& device, size_t size_class) {
    const size_t size = kSmallest << size_class;
    const size_t count = kPieceSize / size;
    std::vector<Free>& list = free_[size_class];
    made_[size_class] += count;
    list.reserve(made_[size_class]);
    pieces_.reserve(pieces_.size() + 1);
    Result<std::unique_ptr<RuntimeMemory>> piece = RuntimeMemory::make(device, kPieceSize);
    if (!piece.ok()) {
      made_[size_class] -= count;
      return piece.status();
    }
    for (size_t i = 0; i < count; ++i) {
      char* const storage = (*piece)->storage();
      list.push_back(
          {(*piece)->address() + i * size, storage == nullptr ? nullptr : storage + i * size});
    }
    pieces_.push_back(std::move(*piece));
    return {};
  }

  std::mutex mutex_;  // guards what follows
  std::array<std::vector<Free>, kClasses> free_;
  std::array<size_t, kClasses> made_{};
  size_t used_ = 0;
  std::vector<std::unique_ptr<RuntimeMemory>> pieces_;
};

// Never destroyed. Teardown must not need memory: it does nothing while there is none.
std::atomic<bool> has_stores{false};

BlockStore& store_of(const Device& device) {
  static NeverDestroyed<std::mutex> mutex;  // guards `stores`
  static auto* stores = new std::map<int32_t, BlockStore>;
  const std::lock_guard lock(*mutex);
  BlockStore& store = (*stores)[device.id()];
  has_stores = true;
  return store;
}

}  // namespace

Result<std::unique_ptr<ArgumentMemory>> ArgumentMemory::make(Device& device, size_t size) {
  std::unique_ptr<ArgumentMemory> made(new ArgumentMemory);
  if (class_of(size) >= kClasses) {
    FERRY_TRY(std::unique_ptr<RuntimeMemory>, own, RuntimeMemory::make(device, size));
    made->address_ = (*own)->address();
    made->storage_ = (*own)->storage();
    made->own_ = std::move(*own);
    return made;
  }
  made->size_class_ = class_of(size);
  FERRY_TRY(Free, block, store_of(device).take(device, made->size_class_));
  made->device_ = &device;
  made->address_ = block->address;
  made->storage_ = block->storage;
  return made;
}

void trim_argument_memory(const Device& device) {
  if (has_stores) store_of(device).trim();
}

ArgumentMemory::~ArgumentMemory() {
  if (device_ == nullptr) return;
  store_of(*device_).give_back({address_, storage_}, size_class_);
}

}  // namespace ferry
