// SPDX-License-Identifier: Apache-2.0
// Cuts copies into pieces that fit a staging buffer, and lays a piece out in one. Needs no CUDA
// header.
#pragma once

#include "ferry/backend.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ferry::cuda {

constexpr uint64_t kPieceBytes = uint64_t{1} << 20;
constexpr size_t kPieceItems = 4096;
// In a buffer each item has the same offset from a multiple of 16 as on the device.
constexpr uint64_t kPieceAlignment = 16;
constexpr size_t kPieceBuffer = kPieceBytes + kPieceItems * kPieceAlignment;

// `bytes` bytes that start at `offset` in an item and continue in the items that follow.
struct Piece {
  size_t item = 0;
  uint64_t offset = 0;
  uint64_t bytes = 0;
};

std::vector<Piece> cut_pieces(std::span<const ferryx_copy> items);

// The slice of one item in a piece: its address on both sides and in the buffer.
struct Part {
  char* host = nullptr;
  char* device = nullptr;
  char* staged = nullptr;
  uint64_t size = 0;
};

// Lays the slices of a piece out in `buffer` of kPieceBuffer bytes, itself aligned to 16.
enum class HostSide { kSource, kDestination };
void lay_out(std::span<const ferryx_copy> items, const Piece& piece, HostSide host, char* buffer,
             std::vector<Part>& parts);

}  // namespace ferry::cuda
