// SPDX-License-Identifier: Apache-2.0
// A hash table of fixed size.
#include "live_allocations.h"

#include <cstring>

namespace failures {
namespace {

void* const kRemoved = reinterpret_cast<void*>(1);

size_t hash_of(const void* memory) {
  return (reinterpret_cast<uintptr_t>(memory) >> 4) * 0x9E3779B97F4A7C15 >> 20;
}

constinit LiveAllocations the_allocations{};

}  // namespace

LiveAllocations& live_allocations() {
  return the_allocations;
}

void LiveAllocations::lock() {
  while (is_locked_.test_and_set(std::memory_order_acquire)) {
  }
}

LiveAllocations::Entry* LiveAllocations::find(void* memory, bool for_adding) {
  const size_t start = hash_of(memory);
  for (size_t i = 0; i < kEntries; ++i) {
    Entry& entry = entries_[(start + i) % kEntries];
    if (for_adding ? entry.memory == nullptr || entry.memory == kRemoved : entry.memory == memory) {
      return &entry;
    }
    if (entry.memory == nullptr) return nullptr;
  }
  return nullptr;
}

void LiveAllocations::add(void* memory, void* const* frames) {
  lock();
  if (Entry* entry = find(memory, true)) {
    entry->memory = memory;
    std::memcpy(entry->frames, frames, sizeof entry->frames);
  }
  unlock();
}

void LiveAllocations::remove(void* memory) {
  lock();
  if (Entry* entry = find(memory, false)) entry->memory = kRemoved;
  unlock();
}

int LiveAllocations::list(FailingSite* sites, int room) {
  int used = 0;
  lock();
  for (const Entry& entry : entries_) {
    if (entry.memory == nullptr || entry.memory == kRemoved) continue;
    int at = 0;
    while (at < used && sites[at].frames[0] != entry.frames[0])
      ++at;
    if (at == room) continue;
    if (at == used) {
      std::memcpy(sites[used++].frames, entry.frames, sizeof entry.frames);
      sites[at].live = 0;
    }
    ++sites[at].live;
  }
  unlock();
  return used;
}

}  // namespace failures
