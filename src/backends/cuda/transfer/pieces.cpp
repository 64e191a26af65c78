// SPDX-License-Identifier: Apache-2.0
// Where pieces start and end.
#include "backends/cuda/transfer/pieces.h"

#include <algorithm>

namespace ferry::cuda {

std::vector<Piece> cut_pieces(std::span<const ferryx_copy> items) {
  std::vector<Piece> pieces;
  Piece piece;
  for (size_t i = 0; i < items.size(); ++i) {
    for (uint64_t offset = 0; offset < items[i].size;) {
      if (piece.bytes == 0) piece = {.item = i, .offset = offset, .bytes = 0};
      const uint64_t part = std::min(items[i].size - offset, kPieceBytes - piece.bytes);
      piece.bytes += part;
      offset += part;
      if (piece.bytes == kPieceBytes || i - piece.item + 1 == kPieceItems) {
        pieces.push_back(piece);
        piece.bytes = 0;
      }
    }
  }
  if (piece.bytes > 0) pieces.push_back(piece);
  return pieces;
}

void lay_out(std::span<const ferryx_copy> items, const Piece& piece, HostSide host, char* buffer,
             std::vector<Part>& parts) {
  parts.clear();
  uint64_t offset = piece.offset;
  uint64_t used = 0;
  uint64_t left = piece.bytes;
  for (size_t i = piece.item; left > 0; ++i, offset = 0) {
    char* dst = static_cast<char*>(items[i].dst_storage) + offset;
    char* src = static_cast<char*>(const_cast<void*>(items[i].src_storage)) + offset;
    const bool from_host = host == HostSide::kSource;
    char* device = from_host ? dst : src;
    const uint64_t size = std::min(items[i].size - offset, left);
    used += (reinterpret_cast<uint64_t>(device) - used) % kPieceAlignment;
    parts.push_back(
        {.host = from_host ? src : dst, .device = device, .staged = buffer + used, .size = size});
    used += size;
    left -= size;
  }
}

}  // namespace ferry::cuda
