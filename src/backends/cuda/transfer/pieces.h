// SPDX-License-Identifier: Apache-2.0
// Cutting copies into pieces that fit a staging buffer, and packing a piece into one. No CUDA
// header is needed here.
#pragma once

#include "ferry/backend.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ferry::cuda {

constexpr uint64_t kPieceBytes = uint64_t{1} << 20;
constexpr size_t kPieceItems = 4096;
// In a buffer each item starts as far from a multiple of 16 as it does on the device.
constexpr uint64_t kPieceAlignment = 16;
constexpr size_t kPieceBuffer = kPieceBytes + kPieceItems * kPieceAlignment;

// `bytes` bytes from `offset` in an item on, over the items that follow.
struct Piece {
  size_t item = 0;
  uint64_t offset = 0;
  uint64_t bytes = 0;
};

std::vector<Piece> cut_pieces(std::span<const ferryx_copy> items);

// A part of an item: where it lies on both sides, and where in the buffer.
struct Part {
  char* host = nullptr;
  char* device = nullptr;
  char* staged = nullptr;
  uint64_t size = 0;
};

// The parts of a piece, laid out in `buffer` of kPieceBuffer bytes, itself aligned to 16.
enum class HostSide { kSource, kDestination };
void lay_out(std::span<const ferryx_copy> items, const Piece& piece, HostSide host, char* buffer,
             std::vector<Part>& parts);

}  // namespace ferry::cuda
