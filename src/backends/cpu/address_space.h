// SPDX-License-Identifier: Apache-2.0
// A reserved span of addresses, and which parts of it are allocated. memory.h manages the memory
// behind the addresses.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>

namespace ferry::cpu {

// Not safe to share between threads: the owner locks.
class AddressSpace {
 public:
  AddressSpace() = default;
  AddressSpace(uintptr_t start, uint64_t size);

  uintptr_t start() const { return start_; }
  uint64_t size() const { return size_; }

  // `size` bytes aligned to `alignment`, a power of two; 0 when there is no such range.
  uintptr_t take(uint64_t size, uint64_t alignment);
  // Exactly a range that was taken.
  void give_back(uintptr_t address, uint64_t size);

 private:
  void add_free(uintptr_t address, uint64_t size);
  void remove_free(uintptr_t address, uint64_t size);

  uintptr_t start_ = 0;
  uint64_t size_ = 0;
  std::map<uintptr_t, uint64_t> free_;                     // start -> size, adjacent ranges merged
  std::set<std::pair<uint64_t, uintptr_t>> free_by_size_;  // the same, for best fit
};

// Limit on the address space of the process (ulimit -v); UINT64_MAX without a limit.
uint64_t address_limit();

// Reserves addresses without access rights and without memory behind them, aligned to a huge page.
// Tries `wanted` bytes, then halves; 0 bytes when not even `least` is available.
std::pair<uintptr_t, uint64_t> reserve_addresses(uint64_t wanted, uint64_t least);

}  // namespace ferry::cpu
