// SPDX-License-Identifier: Apache-2.0
// What the two programs tell each other, and the contents of blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace prefill_decode {

// Decode's cache, and how prefill reaches it. The bytes say everything: a program on another
// server, or in another language, needs no more.
struct Introduction {
  unsigned char cache[128];  // a FABRIC handle
  char ready[65];            // the key of the notify that says "blocks ready"
  uint64_t block_bytes;
  uint64_t cache_blocks;
};

// A request: its blocks belong in these places of decode's cache. `count` numbers (uint32_t)
// follow; none: the end.
struct BlockTable {
  uint64_t request;
  uint64_t count;
};

// The contents of block `index` of a request differ in every word from those of all others.
inline void fill_block(unsigned char* block, size_t bytes, uint64_t request, uint64_t index) {
  constexpr uint64_t kStep = 0x9E3779B97F4A7C15;  // 2^64 over the golden ratio
  uint64_t word = (request << 40 | index << 20) * kStep;
  for (size_t at = 0; at < bytes; at += sizeof word) {
    word += kStep;
    std::memcpy(block + at, &word, sizeof word);
  }
}

}  // namespace prefill_decode
