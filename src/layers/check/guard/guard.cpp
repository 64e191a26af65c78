// SPDX-License-Identifier: Apache-2.0
// All guardable memory, by address, under one lock. guarded_pages.cpp implements what a guard does
// to pages, touch_handler.cpp what a touch does.
#include "layers/check/guard/guard.h"

#include "layers/check/guard/double_mapping.h"
#include "layers/check/guard/fault_chain.h"
#include "layers/check/guard/guarded_pages.h"
#include "layers/check/guard/signal_lock.h"
#include "layers/check/guard/touch_handler.h"
#include "layers/check/guard/touch_ring.h"

#include <pthread.h>

#include <atomic>
#include <map>
#include <memory>
#include <utility>

namespace ferry::layers::check {
namespace {

// Each guard costs two system calls of some microseconds, so thousands of them would slow down a
// large batch for little information. The kernel also limits a process to some 65,000 mappings with
// different rights. A guard adds two, memory that is mapped twice adds three, and most are left to
// the program.
constexpr size_t kMostGuards = 256;
constexpr size_t kMostMemory = 4096;

// May be shared between threads. The lock protects all members, and the fault chain.
struct Guards {
  SignalLock lock;
  std::map<uintptr_t, GuardedPages> memory;  // by address
  std::atomic<size_t> guard_count{0};        // may be read without the lock
  std::unique_ptr<SignalHold> fork_hold;     // while a fork is in progress
};

// Null before guards are opened and in the child of a fork. Never destroyed: the program may touch
// memory until it exits.
std::atomic<Guards*> opened{nullptr};

uintptr_t address_of(const ferryx_memory& memory) {
  return reinterpret_cast<uintptr_t>(memory.address);
}

GuardedPages* find(Guards& guards, uintptr_t address) {
  auto next = guards.memory.upper_bound(address);
  if (next == guards.memory.begin()) return nullptr;
  GuardedPages& pages = std::prev(next)->second;
  return pages.contains(address) ? &pages : nullptr;
}

Judgement judge(uintptr_t address, FaultAccess access) {
  // A thread that holds the lock does not touch guarded memory. Exception: a program whose
  // allocator, which is then ours too, takes its memory from pinned memory. Then the faulting
  // thread itself holds the lock.
  constexpr Nanoseconds kPatience = std::chrono::seconds(2);
  Guards* guards = opened.load();
  if (guards == nullptr) return {};
  const SignalHold hold(guards->lock, kPatience);
  GuardedPages* pages = hold.is_held() ? find(*guards, address) : nullptr;
  return pages != nullptr ? pages->judge(address, access) : Judgement{};
}

// Holding the lock makes a fork copy consistent bookkeeping.
void hold_for_fork() {
  Guards* guards = opened.load();
  if (guards == nullptr) return;
  auto hold = std::make_unique<SignalHold>(guards->lock);
  guards->fork_hold = std::move(hold);
}

void release_after_fork() {
  Guards* guards = opened.load();
  if (guards == nullptr) return;
  const auto hold = std::move(guards->fork_hold);
}

}  // namespace

bool open_guards(OnTouch on_touch) {
  if (!open_double_mappings() || !open_touch_ring(on_touch)) return false;
  open_touch_handler(judge);
  auto* guards = new Guards;
  {
    const SignalHold hold(guards->lock);
    if (!stay_on_top()) return false;
  }
  opened.store(guards);
  return pthread_atfork(hold_for_fork, release_after_fork, disown_guards_in_child) == 0;
}

bool make_guardable(ferryx_memory& memory) {
  Guards* guards = opened.load();
  const uintptr_t address = address_of(memory);
  const bool is_ours = memory.kind == FERRYX_MEMORY_PINNED || memory.kind == FERRYX_MEMORY_MANAGED;
  if (guards == nullptr || !is_ours || memory.size == 0 || address % memory_page_size() != 0) {
    return false;
  }
  const SignalHold hold(guards->lock);
  if (guards->memory.size() >= kMostMemory || guards->memory.count(address) != 0) return false;
  const uint64_t mapped_size =
      (memory.size + memory_page_size() - 1) / memory_page_size() * memory_page_size();
  const uintptr_t storage = map_twice(address, mapped_size);
  if (storage == 0) return false;
  watch_addresses({.begin = address, .end = address + mapped_size});
  guards->memory.try_emplace(address, memory, storage);
  memory.storage = reinterpret_cast<void*>(storage);
  return true;
}

void retire(const ferryx_memory& memory) {
  Guards* guards = opened.load();
  if (guards == nullptr) return;
  const SignalHold hold(guards->lock);
  GuardedPages* pages = find(*guards, address_of(memory));
  if (pages != nullptr && stay_on_top()) pages->retire();
}

void make_ordinary(const ferryx_memory& memory) {
  Guards* guards = opened.load();
  if (guards == nullptr) return;
  const SignalHold hold(guards->lock);
  const auto found = guards->memory.find(address_of(memory));
  if (found == guards->memory.end()) return;
  const GuardedPages& pages = found->second;
  map_once(pages.address(), pages.mapped_size(), pages.storage());
  guards->guard_count -= pages.guard_count();
  guards->memory.erase(found);
}

Range guard(const Range& range, Guard kind, uint64_t label) {
  Guards* guards = opened.load();
  // Checked before the lock: most ranges of a large batch are not guardable.
  if (guards == nullptr || guards->guard_count >= kMostGuards) return {};
  const SignalHold hold(guards->lock);
  GuardedPages* pages = find(*guards, range.begin);
  if (pages == nullptr || guards->guard_count >= kMostGuards) return {};
  const PageSpan span = pages->pages_inside(range);
  // Without our handler on top, a touch would kill the program.
  if (span.is_empty() || !stay_on_top()) return {};
  pages->add_guard(span, kind, label);
  ++guards->guard_count;
  return pages->bytes_of(span, range);
}

void unguard(const Range& range, Guard kind, uint64_t label) {
  Guards* guards = opened.load();
  if (guards == nullptr) return;
  const SignalHold hold(guards->lock);
  GuardedPages* pages = find(*guards, range.begin);
  if (pages == nullptr) return;
  const size_t count_before = pages->guard_count();
  pages->remove_guard(pages->pages_inside(range), kind, label);
  guards->guard_count -= count_before - pages->guard_count();
}

void disown_guards_in_child() {
  Guards* guards = opened.exchange(nullptr);
  if (guards == nullptr) return;
  for (const auto& [address, pages] : guards->memory) {
    map_for_child(address, pages.mapped_size());
  }
  const auto hold = std::move(guards->fork_hold);
}

}  // namespace ferry::layers::check
