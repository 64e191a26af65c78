// SPDX-License-Identifier: Apache-2.0
// Loops without branches: anything wrong sets a bit that is tested after the loop.
#include "core/batch_scan.h"

#include "base/wide_words.h"

#include <algorithm>

namespace ferry {
namespace {

// Items per step, so that little is scanned past a wrong item.
constexpr size_t kStretch = 1024;
constexpr uint64_t kUpperBit = uint64_t{1} << 63;

struct Alike {
  ItemArrays items;
  uint64_t size;
  Starts dst;
  Starts src;

  // 0 when all items are good.
  template <size_t kBytes>
  [[gnu::always_inline]] uint64_t run() const {
    using Words = typename Wide<kBytes>::Words;
    constexpr size_t kWords = Wide<kBytes>::kCount;
    Words outside{};
    Words different{};
    size_t i = 0;
    for (; i + kWords <= items.count; i += kWords) {
      Words dsts;
      Words srcs;
      Words sizes;
      load_wide(items.dsts + i, dsts);
      load_wide(items.srcs + i, srcs);
      load_wide(items.sizes + i, sizes);
      dsts -= dst.begin;
      srcs -= src.begin;
      outside |= dsts | (dst.last - dsts);
      outside |= srcs | (src.last - srcs);
      different |= sizes ^ size;
    }
    uint64_t upper = 0;
    uint64_t any = 0;
    for (size_t k = 0; k < kWords; ++k) {
      upper |= outside[k];
      any |= different[k];
    }
    for (; i < items.count; ++i) {
      const uint64_t to = reinterpret_cast<uint64_t>(items.dsts[i]) - dst.begin;
      const uint64_t from = reinterpret_cast<uint64_t>(items.srcs[i]) - src.begin;
      upper |= to | (dst.last - to) | from | (src.last - from);
      any |= items.sizes[i] ^ size;
    }
    return (upper & kUpperBit) | any;
  }
};

struct Within {
  const size_t* sizes;
  const size_t* capacities;
  size_t count;

  template <size_t kBytes>
  [[gnu::always_inline]] uint64_t run() const {
    using Words = typename Wide<kBytes>::Words;
    constexpr size_t kWords = Wide<kBytes>::kCount;
    Words above{};
    size_t i = 0;
    for (; i + kWords <= count; i += kWords) {
      Words size;
      Words capacity;
      load_wide(sizes + i, size);
      load_wide(capacities + i, capacity);
      above |= size | capacity | (capacity - size);
    }
    uint64_t upper = 0;
    for (size_t k = 0; k < kWords; ++k)
      upper |= above[k];
    for (; i < count; ++i)
      upper |= sizes[i] | capacities[i] | (capacities[i] - sizes[i]);
    return upper & kUpperBit;
  }
};

// Calls `is_good` with the start and the length of each stretch as long as it returns true.
template <class IsGood>
bool in_stretches(size_t count, IsGood is_good) {
  for (size_t i = 0; i < count; i += kStretch) {
    if (!is_good(i, std::min(kStretch, count - i))) return false;
  }
  return true;
}

}  // namespace

bool are_alike(const ItemArrays& items, size_t size, Starts dst, Starts src) {
  if (((dst.last | src.last) & kUpperBit) != 0) return false;
  return in_stretches(items.count, [&](size_t first, size_t count) {
    return run_widest(Alike{.items = {.dsts = items.dsts + first,
                                      .srcs = items.srcs + first,
                                      .sizes = items.sizes + first,
                                      .count = count},
                            .size = size,
                            .dst = dst,
                            .src = src}) == 0;
  });
}

bool are_within(const size_t* sizes, const size_t* capacities, size_t count) {
  return in_stretches(count, [&](size_t first, size_t length) {
    return run_widest(Within{
               .sizes = sizes + first, .capacities = capacities + first, .count = length}) == 0;
  });
}

}  // namespace ferry
