// SPDX-License-Identifier: Apache-2.0
// Layouts and contents, the same on both sides.
#include "bench/fabric/protocol.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace ferry::bench::fabric {
namespace {

// 2^64 over the golden ratio: adjacent words differ in many bits.
constexpr uint64_t kStep = 0x9E3779B97F4A7C15;

uint64_t word_at(size_t offset, uint64_t seed) {
  return (offset / sizeof(uint64_t) + 1) * kStep ^ seed * (kStep << 1 | 1);
}

}  // namespace

Layout layout_of(const Shape& shape) {
  const bool fits = shape.count != 0 && shape.block_bytes != 0 &&
                    shape.block_bytes % sizeof(uint64_t) == 0 &&
                    shape.count <= kPoolBytes / shape.block_bytes;
  if (!fits) {
    throw std::runtime_error(fmt::format("{} blocks of {} bytes do not fit the memory of {} bytes",
                                         shape.count, shape.block_bytes, kPoolBytes));
  }
  if (shape.count == 1) return {shape.block_bytes, kPoolBytes, {0}, {0}};
  return scattered(shape.count, shape.block_bytes, kPoolBytes);
}

void fill_blocks(const Layout& layout, uint64_t seed, std::byte* memory) {
  for (const size_t start : layout.from) {
    for (size_t offset = start; offset < start + layout.block_bytes; offset += sizeof(uint64_t)) {
      const uint64_t word = word_at(offset, seed);
      std::memcpy(memory + offset, &word, sizeof word);
    }
  }
}

void verify_blocks(const Layout& layout, uint64_t seed, const std::byte* memory) {
  for (size_t i = 0; i < layout.from.size(); ++i) {
    for (size_t at = 0; at < layout.block_bytes; at += sizeof(uint64_t)) {
      const uint64_t word = word_at(layout.from[i] + at, seed);
      if (std::memcmp(memory + layout.to[i] + at, &word, sizeof word) == 0) continue;
      throw std::runtime_error(
          fmt::format("WRONG BYTES in block {} of {}, {} bytes each: the speed of such a copy "
                      "means nothing",
                      i, layout.from.size(), layout.block_bytes));
    }
  }
}

}  // namespace ferry::bench::fabric
