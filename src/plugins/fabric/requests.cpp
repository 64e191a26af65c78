// SPDX-License-Identifier: Apache-2.0
// One pass over the pieces, in their order.
#include "plugins/fabric/requests.h"

#include <algorithm>
#include <utility>

namespace ferry::fabric {
namespace {

constexpr size_t kUsualBlock = 4096;

uint8_t* local_of(const ferryx_fabric_piece& piece) {
  return static_cast<uint8_t*>(piece.local);
}

uint64_t most_packed(const ferryx_fabric_piece& piece) {
  const Peer* const peer = piece.opening->peer.get();
  return peer == nullptr ? kUsualPackedBlock : peer->packed_block.load(std::memory_order_relaxed);
}

bool continues(const ferryx_fabric_piece& first, const ferryx_fabric_piece& second) {
  return first.opening == second.opening && first.offset + first.size == second.offset &&
         local_of(first) + first.size == local_of(second) && first.is_unsure == second.is_unsure;
}

class Cutter {
 public:
  explicit Cutter(ferryx_fabric_direction direction) : is_put_(direction == FERRYX_FABRIC_PUT) {}

  void add(const ferryx_fabric_piece& piece) {
    if (piece.size <= most_packed(piece)) return pack(piece);
    finish_pack();
    const uint64_t most = piece.is_unsure != 0 ? kMostStaged : kMostChunk;
    for (uint64_t done = 0; done < piece.size; done += most)
      add_single(piece, done, std::min(most, piece.size - done));
  }

  std::vector<std::unique_ptr<Chunk>> finish() {
    finish_pack();
    return std::move(chunks_);
  }

 private:
  void add_single(const ferryx_fabric_piece& piece, uint64_t done, uint64_t size) {
    auto chunk = std::make_unique<Chunk>();
    chunk->peer = piece.opening->peer;
    chunk->message = is_put_ ? Message::kPut : Message::kGet;
    chunk->segment = piece.opening->segment;
    chunk->offset = piece.offset + done;
    chunk->size = size;
    chunk->local = {local_of(piece) + done, size, piece.is_unsure != 0};
    chunks_.push_back(std::move(chunk));
  }

  void pack(const ferryx_fabric_piece& piece) {
    const bool has_room = packed_ != nullptr && packed_->peer == piece.opening->peer &&
                          packed_->parts.size() < kMostParts &&
                          packed_->size + piece.size <= kPackedRequest;
    if (!has_room) {
      finish_pack();
      packed_ = std::make_unique<Chunk>();
      packed_->peer = piece.opening->peer;
      packed_->message = is_put_ ? Message::kPutPacked : Message::kGetPacked;
      packed_->parts.reserve(kPackedRequest / kUsualBlock);
      packed_->locals.reserve(kPackedRequest / kUsualBlock);
    }
    packed_->parts.push_back({piece.opening->segment, piece.offset, piece.size});
    packed_->locals.push_back({local_of(piece), piece.size, piece.is_unsure != 0});
    packed_->size += piece.size;
  }

  // A single block needs no list.
  void finish_pack() {
    if (packed_ == nullptr) return;
    if (packed_->parts.size() == 1) {
      packed_->message = is_put_ ? Message::kPut : Message::kGet;
      packed_->segment = packed_->parts[0].segment;
      packed_->offset = packed_->parts[0].offset;
      packed_->local = packed_->locals[0];
      packed_->parts.clear();
      packed_->locals.clear();
    }
    chunks_.push_back(std::move(packed_));
  }

  const bool is_put_;
  std::unique_ptr<Chunk> packed_;
  std::vector<std::unique_ptr<Chunk>> chunks_;
};

}  // namespace

std::vector<std::unique_ptr<Chunk>> cut(ferryx_fabric_direction direction,
                                        const ferryx_fabric_piece* pieces, size_t count) {
  Cutter cutter(direction);
  for (size_t i = 0; i < count;) {
    ferryx_fabric_piece merged = pieces[i++];
    while (i < count && continues(merged, pieces[i]))
      merged.size += pieces[i++].size;
    if (merged.size > 0) cutter.add(merged);
  }
  return cutter.finish();
}

}  // namespace ferry::fabric
