// SPDX-License-Identifier: Apache-2.0
// The arguments of the kernel "gather_blocks", as its source for the device would declare them.
#pragma once

#include <cstdint>

// Copies `count` blocks of `block_size` bytes, which lie at the addresses of the list, behind each
// other to `target`. Everything is in device memory.
struct GatherArguments {
  const void* const* blocks;  // the list; in the launches below it is part of the argument block
  void* target;
  uint64_t block_size;
  uint64_t count;
};
