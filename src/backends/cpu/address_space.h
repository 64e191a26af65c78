// SPDX-License-Identifier: Apache-2.0
// A reserved span of addresses, and which parts of it are allocated. memory.h manages the memory
// behind the addresses.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>

namespace ferry::cpu {

inline constexpr uint64_t kHugePage = uint64_t{2} << 20;

// Not safe to share between threads: the owner locks.
class AddressSpace {
 public:
  AddressSpace() = default;
  AddressSpace(uintptr_t start, uint64_t size);

  uintptr_t start() const { return start_; }
  uint64_t size() const { return size_; }

  // `size` bytes aligned to `alignment`, a power of two; 0 when there is no such range. Nothing has
  // changed when it throws.
  uintptr_t take(uint64_t size, uint64_t alignment);
  // Exactly a range that was taken. Needs no memory.
  void give_back(uintptr_t address);

 private:
  using BySize = std::set<std::pair<uint64_t, uintptr_t>>;
  struct Range {
    uint64_t size = 0;
    BySize::node_type entry;  // its entry in free_by_size_, kept here while the range is taken

    bool is_free() const { return entry.empty(); }
  };
  using Ranges = std::map<uintptr_t, Range>;

  void join_with_next(Ranges::iterator range);

  uintptr_t start_ = 0;
  uint64_t size_ = 0;
  Ranges ranges_;        // the whole span, by start; no two free ones are neighbours
  BySize free_by_size_;  // the free ones, for best fit
};

// Limit on the address space of the process (ulimit -v); UINT64_MAX without a limit.
uint64_t address_limit();

// Reserves addresses without access rights and without memory behind them, aligned to a huge page.
class Reservation {
 public:
  // Tries `wanted` bytes, then halves; 0 bytes when not even `least` is available.
  Reservation(uint64_t wanted, uint64_t least);
  // Returns the addresses, unless they are kept.
  ~Reservation();
  Reservation(const Reservation&) = delete;
  Reservation& operator=(const Reservation&) = delete;

  uintptr_t start() const { return start_; }
  uint64_t size() const { return size_; }
  void keep() { is_kept_ = true; }

 private:
  uintptr_t start_ = 0;
  uint64_t size_ = 0;
  bool is_kept_ = false;
};

}  // namespace ferry::cpu
