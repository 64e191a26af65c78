// SPDX-License-Identifier: Apache-2.0
// Best fit over free ranges.
#include "backends/cpu/address_space.h"

#include <sys/mman.h>
#include <sys/resource.h>

namespace ferry::cpu {

AddressSpace::AddressSpace(uintptr_t start, uint64_t size) : start_(start), size_(size) {
  if (size > 0) add_free(start, size);
}

void AddressSpace::add_free(uintptr_t address, uint64_t size) {
  free_.emplace(address, size);
  free_by_size_.emplace(size, address);
}

void AddressSpace::remove_free(uintptr_t address, uint64_t size) {
  free_.erase(address);
  free_by_size_.erase({size, address});
}

uintptr_t AddressSpace::take(uint64_t size, uint64_t alignment) {
  for (auto fit = free_by_size_.lower_bound({size, 0}); fit != free_by_size_.end(); ++fit) {
    const auto [range_size, range] = *fit;
    const uintptr_t aligned = (range + alignment - 1) & ~(alignment - 1);
    const uint64_t before = aligned - range;
    if (before > range_size || range_size - before < size) continue;
    remove_free(range, range_size);
    if (before > 0) add_free(range, before);
    const uint64_t after = range_size - before - size;
    if (after > 0) add_free(aligned + size, after);
    return aligned;
  }
  return 0;
}

void AddressSpace::give_back(uintptr_t address, uint64_t size) {
  const auto next = free_.lower_bound(address);
  if (next != free_.begin()) {
    const auto [before, before_size] = *std::prev(next);
    if (before + before_size == address) {
      remove_free(before, before_size);
      address = before;
      size += before_size;
    }
  }
  const auto after = free_.find(address + size);
  if (after != free_.end()) {
    const uint64_t after_size = after->second;
    remove_free(address + size, after_size);
    size += after_size;
  }
  add_free(address, size);
}

uint64_t address_limit() {
  rlimit limit{};
  const bool is_limited = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  return is_limited ? limit.rlim_cur : UINT64_MAX;
}

std::pair<uintptr_t, uint64_t> reserve_addresses(uint64_t wanted, uint64_t least) {
  constexpr uint64_t kHugePage = uint64_t{2} << 20;
  for (uint64_t size = wanted; size >= least && size > 0; size /= 2) {
    void* range = mmap(nullptr, size + kHugePage, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED) continue;
    const auto start = reinterpret_cast<uintptr_t>(range);
    return {(start + kHugePage - 1) & ~(kHugePage - 1), size};
  }
  return {0, 0};
}

}  // namespace ferry::cpu
