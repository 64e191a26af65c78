// SPDX-License-Identifier: Apache-2.0
// A KV-cache offload as serving systems do it, and its options. The command line is in main.cpp,
// the copies are in transfer.cpp.
#pragma once

#include <cstddef>
#include <vector>

namespace kv_offload {

struct Options {
  // Bytes of one block in one layer: a token row, then 16 tokens of smaller and larger models, then
  // 128 tokens. Multiples of 8.
  std::vector<size_t> block_bytes{512, 8 << 10, 32 << 10, 128 << 10};
  size_t layers = 32;
  size_t blocks = 0;  // moved per round; 0: 128, or fewer so that a round moves at most 128 MiB
  size_t rounds = 5;
  int device = 0;
};

// Moves blocks out and back, compares every byte and prints a table. Returns 0, or 1 when a byte
// was wrong; a call that fails ends the program with 1.
int run(const Options& options);

}  // namespace kv_offload
