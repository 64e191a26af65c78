// SPDX-License-Identifier: Apache-2.0
// The loops over a batch have no branch per item: misfits are accumulated and checked after the
// loop.
#include "backends/cuda/transfer/pairs.h"

#include "backends/cuda/transfer/plan.h"
#include "base/wide_words.h"

#include <bit>
#include <cstring>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace ferry::cuda {
namespace {

constexpr uint32_t kHalf = 32;
// Up to one item in this many may continue the one before and still not be joined.
constexpr size_t kItemsToARun = 8;
using Reader = PairWriter::Reader;

// The smallest granule with which all offsets in the allocation fit half a word.
PairSide side_of(const ferryx_memory& memory) {
  const auto bits = static_cast<uint32_t>(std::bit_width(memory.size - 1));
  return {.base = reinterpret_cast<uint64_t>(memory.storage),
          .shift = bits > kHalf ? bits - kHalf : 0};
}

uint64_t rest_mask(const PairSide& side) {
  return (uint64_t{1} << side.shift) - 1;
}

// A store that bypasses the caches, where the processor has one; to a multiple of kPlainWidth.
template <class Words>
[[gnu::always_inline]] inline void stream(uint64_t* to, const Words& words) {
#if defined(__x86_64__)
  for (size_t i = 0; i < sizeof words; i += kPlainWidth) {
    __m128i part;
    std::memcpy(&part, reinterpret_cast<const char*>(&words) + i, sizeof part);
    _mm_stream_si128(reinterpret_cast<__m128i*>(reinterpret_cast<char*>(to) + i), part);
  }
#else
  std::memcpy(to, &words, sizeof words);
#endif
}

// Streamed words are in memory before anything that follows, such as the launch of a kernel.
void settle_streams() {
#if defined(__x86_64__)
  _mm_sfence();
#endif
}

// What a loop over items has found.
struct Found {
  uint64_t rest = 0;  // not 0 when an address is not a multiple of the granule
  uint64_t neighbours = 0;
};

// The parameters of the words. Each loop has a copy: its stores might alias the original.
struct Recipe {
  uint64_t dst_begin = 0;
  uint64_t src_begin = 0;
  PairSide dst;
  PairSide src;
  uint64_t size = 0;

  // For single numbers or for vector registers; by reference, as in load_wide.
  template <class Words>
  [[gnu::always_inline]] void make_words(const Words& dsts, const Words& srcs, Words& words,
                                         Words& rests) const {
    const Words to = dsts - dst_begin;
    const Words from = srcs - src_begin;
    rests |= (to & rest_mask(dst)) | (from & rest_mask(src));
    words = to >> dst.shift | from >> src.shift << kHalf;
  }
  // Adds 1 where both distances to the next item equal the size.
  template <class Words>
  [[gnu::always_inline]] void count_neighbours(const Words& dst_steps, const Words& src_steps,
                                               Words& count) const {
    const Words differences = (dst_steps ^ size) | (src_steps ^ size);
    count += differences == 0 ? Words{} + 1 : Words{};
  }
};

enum class Count { kNothing, kNeighbours };

// Writes the words of items, and counts the items that the next one continues.
template <Count kCount>
struct WordLoop {
  const ferryx_columns& items;
  const ItemPairs& pairs;
  Reader reader;

  template <size_t kBytes>
  [[gnu::always_inline]] Found run() const {
    using Words = typename Wide<kBytes>::Words;
    constexpr size_t kWords = Wide<kBytes>::kCount;
    constexpr size_t kAhead = kCount == Count::kNeighbours ? 1 : 0;
    const Recipe recipe{.dst_begin = reinterpret_cast<uint64_t>(items.dst.address),
                        .src_begin = reinterpret_cast<uint64_t>(items.src.address),
                        .dst = pairs.dst,
                        .src = pairs.src,
                        .size = pairs.size};
    void* const* const all_dsts = items.dsts;
    void* const* const all_srcs = items.srcs;
    uint64_t* const to = pairs.words;
    const size_t count = items.count;
    const bool streams =
        reader == Reader::kGpu && reinterpret_cast<uintptr_t>(to) % kPlainWidth == 0;
    Words rests{};
    Words neighbours{};
    size_t i = 0;
    for (; i + kWords + kAhead <= count; i += kWords) {
      Words dsts;
      Words srcs;
      load_wide(all_dsts + i, dsts);
      load_wide(all_srcs + i, srcs);
      if constexpr (kCount == Count::kNeighbours) {
        Words next_dsts;
        Words next_srcs;
        load_wide(all_dsts + i + 1, next_dsts);
        load_wide(all_srcs + i + 1, next_srcs);
        next_dsts -= dsts;
        next_srcs -= srcs;
        recipe.count_neighbours(next_dsts, next_srcs, neighbours);
      }
      Words words;
      recipe.make_words(dsts, srcs, words, rests);
      if (streams) {
        stream(to + i, words);
      } else {
        std::memcpy(to + i, &words, sizeof words);
      }
    }
    if (streams) settle_streams();
    Found found;
    for (size_t k = 0; k < kWords; ++k) {
      found.rest |= rests[k];
      found.neighbours += neighbours[k];
    }
    for (; i < count; ++i)
      write_one(recipe, i, found);
    return found;
  }

 private:
  void write_one(const Recipe& recipe, size_t i, Found& found) const {
    const auto dst = reinterpret_cast<uint64_t>(items.dsts[i]);
    const auto src = reinterpret_cast<uint64_t>(items.srcs[i]);
    if (kCount == Count::kNeighbours && i + 1 < items.count) {
      recipe.count_neighbours(reinterpret_cast<uint64_t>(items.dsts[i + 1]) - dst,
                              reinterpret_cast<uint64_t>(items.srcs[i + 1]) - src,
                              found.neighbours);
    }
    recipe.make_words(dst, src, pairs.words[i], found.rest);
  }
};

}  // namespace

ferryx_columns part_of(const ferryx_columns& columns, size_t first, size_t end) {
  ferryx_columns part = columns;
  part.dsts += first;
  part.srcs += first;
  part.sizes += first;
  part.count = end - first;
  return part;
}

PairWriter::PairWriter(const ferryx_columns& columns)
    : columns_(columns),
      form_{.words = nullptr,
            .dst = side_of(columns.dst),
            .src = side_of(columns.src),
            .size = columns.common_size} {
  // Sizes must be whole granules, so that neighbours are whole granules apart.
  is_possible_ = form_.size > 0 && form_.size < kLargeItem &&
                 (form_.size & (rest_mask(form_.dst) | rest_mask(form_.src))) == 0;
}

ItemPairs PairWriter::list_at(uint64_t* words) const {
  ItemPairs list = form_;
  list.words = words;
  return list;
}

PairWriter::Result PairWriter::write(size_t count, uint64_t* words, Reader reader) {
  const ferryx_columns items = part_of(columns_, written_, written_ + count);
  const ItemPairs pairs = list_at(words);
  const bool is_first = written_ == 0;
  const Found found = is_first ? run_widest(WordLoop<Count::kNeighbours>{items, pairs, reader})
                               : run_widest(WordLoop<Count::kNothing>{items, pairs, reader});
  if (found.rest != 0) return Result::kMisfit;
  written_ += count;
  return is_first && found.neighbours * kItemsToARun > count ? Result::kRuns : Result::kWritten;
}

}  // namespace ferry::cuda
