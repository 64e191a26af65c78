// SPDX-License-Identifier: Apache-2.0
// Loops over the batch without a branch in them: what could be wrong is gathered and looked at
// behind them.
#include "backends/cuda/pairs.h"

#include "backends/cuda/plan.h"

#include <bit>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace ferry::cuda {
namespace {

constexpr uint32_t kHalf = 32;
// One item in so many may continue the one before and stay an item of its own.
constexpr size_t kItemsToARun = 8;
using Reader = PairWriter::Reader;

template <Reader kReader>
void put(uint64_t* at, uint64_t word) {
#if defined(__x86_64__)
  if constexpr (kReader == Reader::kGpu) {
    _mm_stream_si64(reinterpret_cast<long long*>(at), static_cast<long long>(word));
    return;
  }
#endif
  *at = word;
}

// What was put is in memory before anything that follows, such as the launch of a kernel.
template <Reader kReader>
void settle() {
#if defined(__x86_64__)
  if constexpr (kReader == Reader::kGpu) _mm_sfence();
#endif
}

// The smallest unit in which all places of the allocation fit half a word.
PairSide side_of(const ferryx_memory& memory) {
  const auto bits = static_cast<uint32_t>(std::bit_width(memory.size - 1));
  return {.base = reinterpret_cast<uint64_t>(memory.storage),
          .shift = bits > kHalf ? bits - kHalf : 0};
}

uint64_t rest_mask(const PairSide& side) {
  return (uint64_t{1} << side.shift) - 1;
}

uint64_t word_of(uint64_t dst, uint64_t src) {
  return dst | src << kHalf;
}

// What a loop over items has seen.
struct Found {
  uint64_t rest = 0;  // not 0 when an address is not a multiple of the unit
  size_t neighbours = 0;
};

// Shifts by a variable are slow, and most allocations count in bytes.
enum class Unit { kByte, kAny };

template <Reader kReader, Unit kUnit>
void write_words(const ferryx_columns& items, const ItemPairs& pairs, Found& found) {
  const uint32_t dst_shift = kUnit == Unit::kByte ? 0 : pairs.dst.shift;
  const uint32_t src_shift = kUnit == Unit::kByte ? 0 : pairs.src.shift;
  const uint64_t dst_rest = kUnit == Unit::kByte ? 0 : rest_mask(pairs.dst);
  const uint64_t src_rest = kUnit == Unit::kByte ? 0 : rest_mask(pairs.src);
  const auto dst_begin = reinterpret_cast<uint64_t>(items.dst.address);
  const auto src_begin = reinterpret_cast<uint64_t>(items.src.address);
  const uint64_t step = word_of(pairs.size >> dst_shift, pairs.size >> src_shift);
  void* const* const dsts = items.dsts;
  void* const* const srcs = items.srcs;
  uint64_t* const words = pairs.words;
  uint64_t rest = 0;
  uint64_t before = 0;
  size_t neighbours = 0;
  for (size_t i = 0; i < items.count; ++i) {
    const uint64_t dst = reinterpret_cast<uint64_t>(dsts[i]) - dst_begin;
    const uint64_t src = reinterpret_cast<uint64_t>(srcs[i]) - src_begin;
    rest |= (dst & dst_rest) | (src & src_rest);
    const uint64_t word = word_of(dst >> dst_shift, src >> src_shift);
    neighbours += word - before == step ? 1 : 0;
    before = word;
    put<kReader>(words + i, word);
  }
  settle<kReader>();
  found = {.rest = rest, .neighbours = neighbours};
}

// Words for the GPU of items that count in bytes, two at a time; returns of how many items.
size_t stream_words([[maybe_unused]] const ferryx_columns& items,
                    [[maybe_unused]] uint64_t* words) {
  size_t i = 0;
#if defined(__x86_64__)
  if (reinterpret_cast<uintptr_t>(words) % sizeof(__m128i) != 0) return 0;
  const __m128i dst_begin = _mm_set1_epi64x(reinterpret_cast<int64_t>(items.dst.address));
  const __m128i src_begin = _mm_set1_epi64x(reinterpret_cast<int64_t>(items.src.address));
  for (; i + 2 <= items.count; i += 2) {
    const __m128i dsts = _mm_loadu_si128(reinterpret_cast<const __m128i*>(items.dsts + i));
    const __m128i srcs = _mm_loadu_si128(reinterpret_cast<const __m128i*>(items.srcs + i));
    const __m128i dst = _mm_sub_epi64(dsts, dst_begin);
    const __m128i src = _mm_sub_epi64(srcs, src_begin);
    _mm_stream_si128(reinterpret_cast<__m128i*>(words + i),
                     _mm_or_si128(dst, _mm_slli_epi64(src, kHalf)));
  }
  _mm_sfence();
#endif
  return i;
}

template <Reader kReader>
void write_words(const ferryx_columns& items, const ItemPairs& pairs, Found& found) {
  if (pairs.dst.shift == 0 && pairs.src.shift == 0) {
    write_words<kReader, Unit::kByte>(items, pairs, found);
  } else {
    write_words<kReader, Unit::kAny>(items, pairs, found);
  }
}

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
  // Sizes in whole units, so that neighbours are told by their words.
  is_possible_ = form_.size > 0 && form_.size < kLargeItem &&
                 (form_.size & (rest_mask(form_.dst) | rest_mask(form_.src))) == 0;
}

ItemPairs PairWriter::list_at(uint64_t* words) const {
  ItemPairs list = form_;
  list.words = words;
  return list;
}

PairWriter::Result PairWriter::write(size_t count, uint64_t* words, Reader reader) {
  ferryx_columns items = part_of(columns_, written_, written_ + count);
  const bool is_first = written_ == 0;
  const bool is_in_bytes = form_.dst.shift == 0 && form_.src.shift == 0;
  if (reader == Reader::kGpu && is_in_bytes && !is_first) {
    const size_t streamed = stream_words(items, words);
    items = part_of(items, streamed, count);
    words += streamed;
  }
  Found found;
  if (reader == Reader::kGpu) {
    write_words<Reader::kGpu>(items, list_at(words), found);
  } else {
    write_words<Reader::kHost>(items, list_at(words), found);
  }
  if (found.rest != 0) return Result::kMisfit;
  written_ += count;
  return is_first && found.neighbours * kItemsToARun > count ? Result::kRuns : Result::kWritten;
}

}  // namespace ferry::cuda
