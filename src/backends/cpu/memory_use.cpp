// SPDX-License-Identifier: Apache-2.0
// The list of all users, and waiting for them.
#include "backends/cpu/memory_use.h"

#include <array>
#include <mutex>
#include <thread>

namespace ferry::cpu {
namespace {

constinit std::mutex list_mutex;  // protects the list, and lets one StorageChange live at a time
constinit MemoryUse* first_use = nullptr;

// For threads that copy during a call. More threads than these take turns.
constexpr size_t kDirectUses = 64;

std::array<MemoryUse, kDirectUses>& direct_uses() {
  static auto* uses = new std::array<MemoryUse, kDirectUses>;
  return *uses;
}

MemoryUse& begin_directly() {
  std::array<MemoryUse, kDirectUses>& uses = direct_uses();
  const size_t start = std::hash<std::thread::id>()(std::this_thread::get_id());
  for (size_t i = start;; ++i) {
    MemoryUse& use = uses[i % kDirectUses];
    if (use.try_begin()) return use;
    if (i % kDirectUses == start % kDirectUses) std::this_thread::yield();
  }
}

}  // namespace

constinit std::atomic<bool> MemoryUse::is_changing{false};

MemoryUse::MemoryUse() {
  const std::lock_guard lock(list_mutex);
  next_ = first_use;
  if (next_ != nullptr) next_->previous_ = this;
  first_use = this;
}

MemoryUse::~MemoryUse() {
  const std::lock_guard lock(list_mutex);
  if (next_ != nullptr) next_->previous_ = previous_;
  (previous_ != nullptr ? previous_->next_ : first_use) = next_;
}

void MemoryUse::begin_after_change() {
  do {
    is_begun_.store(0);
    is_begun_.notify_all();
    is_changing.wait(true);
    is_begun_.store(1);
  } while (is_changing.load());
}

bool MemoryUse::try_begin() {
  uint32_t free = 0;
  if (!is_begun_.compare_exchange_strong(free, 1)) return false;
  if (is_changing.load()) begin_after_change();
  return true;
}

DirectUse::DirectUse() : use_(begin_directly()) {}

StorageChange::StorageChange() {
  list_mutex.lock();
  MemoryUse::is_changing.store(true);
  for (MemoryUse* use = first_use; use != nullptr; use = use->next_) {
    while (use->is_begun_.load() != 0)
      use->is_begun_.wait(1);
  }
}

StorageChange::~StorageChange() {
  MemoryUse::is_changing.store(false);
  MemoryUse::is_changing.notify_all();
  list_mutex.unlock();
}

}  // namespace ferry::cpu
