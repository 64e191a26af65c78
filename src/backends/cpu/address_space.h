// SPDX-License-Identifier: Apache-2.0
// A reserved span of addresses and which parts of it are taken. What lies behind the addresses is
// the business of memory.h.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>

namespace ferry::cpu {

// Not thread safe: the owner locks.
class AddressSpace {
 public:
  AddressSpace() = default;
  AddressSpace(uintptr_t start, uint64_t size);

  uintptr_t start() const { return start_; }
  uint64_t size() const { return size_; }

  // `size` bytes aligned to `alignment`, a power of two; 0 when there is no such room.
  uintptr_t take(uint64_t size, uint64_t alignment);
  // What was taken, as it was taken.
  void give_back(uintptr_t address, uint64_t size);

 private:
  void add_free(uintptr_t address, uint64_t size);
  void remove_free(uintptr_t address, uint64_t size);

  uintptr_t start_ = 0;
  uint64_t size_ = 0;
  std::map<uintptr_t, uint64_t> free_;                     // start -> size, neighbours merged
  std::set<std::pair<uint64_t, uintptr_t>> free_by_size_;  // the same, for best fit
};

// How many addresses the process may have (ulimit -v); UINT64_MAX without a limit.
uint64_t address_limit();

// Reserves addresses without access rights and without memory behind them, aligned to a huge page.
// Tries `wanted` bytes, then less and less; 0 bytes when even `least` cannot be had.
std::pair<uintptr_t, uint64_t> reserve_addresses(uint64_t wanted, uint64_t least);

}  // namespace ferry::cpu
