// SPDX-License-Identifier: Apache-2.0
// Copies use storage; unmapping takes it away. Whoever moves bytes says so first, and only then
// validates addresses; whoever takes storage away waits until no one uses it.
#pragma once

#include <atomic>
#include <cstdint>

namespace ferry::cpu {

// One user of storage at a time: a queue, or a thread that copies during its call.
//
// Invariant: begin() and StorageChange both write their own word before they read the other's, in
// the one order of all sequentially consistent operations. So either the user sees the change and
// waits, or the change sees the user and waits.
class MemoryUse {
 public:
  MemoryUse();
  ~MemoryUse();
  MemoryUse(const MemoryUse&) = delete;
  MemoryUse& operator=(const MemoryUse&) = delete;

  // Until end() no storage that is valid now goes away. Waits while storage changes. Whoever has
  // begun waits for nothing but bytes being moved.
  void begin() {
    is_begun_.store(1);
    if (is_changing.load()) [[unlikely]]
      begin_after_change();
  }
  // The same, unless somebody else has begun with this object.
  bool try_begin();
  void end() {
    is_begun_.store(0);
    if (is_changing.load()) [[unlikely]]
      is_begun_.notify_all();
  }
  // For the one who may have begun.
  bool is_begun() const { return is_begun_.load(std::memory_order_relaxed) != 0; }

 private:
  friend class StorageChange;

  void begin_after_change();

  static constinit std::atomic<bool> is_changing;

  std::atomic<uint32_t> is_begun_{0};
  // In the list of all, which a lock of its own protects.
  MemoryUse* next_ = nullptr;
  MemoryUse* previous_ = nullptr;
};

// The calling thread uses storage while it lives.
class DirectUse {
 public:
  DirectUse();
  ~DirectUse() { use_.end(); }
  DirectUse(const DirectUse&) = delete;
  DirectUse& operator=(const DirectUse&) = delete;

 private:
  MemoryUse& use_;
};

// While it lives, nobody uses storage: copies that had begun are done, others wait.
class StorageChange {
 public:
  StorageChange();
  ~StorageChange();
  StorageChange(const StorageChange&) = delete;
  StorageChange& operator=(const StorageChange&) = delete;
};

}  // namespace ferry::cpu
