// SPDX-License-Identifier: Apache-2.0
// Small memory is copied. For larger memory one hash per piece is enough to find a change, and
// takes less time and space than a copy.
#include "layers/check/guard/snapshot.h"

// Everything is compiled into this file: there is no library to load at run time.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstring>

namespace ferry::layers::check {
namespace {

constexpr size_t kPiece = 4096;
constexpr size_t kMostKept = 256;
constexpr size_t kMostHashed = 64 << 10;  // of sampled memory
constexpr size_t kMostSamples = 64;
constexpr size_t kSample = 64;  // a cache line

// Whole small pieces, so that samples start at pages as the memory does.
size_t sampled_piece(size_t size) {
  const size_t least = (size + kMostSamples - 1) / kMostSamples;
  return (least + kPiece - 1) / kPiece * kPiece;
}

}  // namespace

Snapshot::Snapshot(const void* storage, size_t size, Detail detail)
    : storage_(static_cast<const unsigned char*>(storage)),
      size_(size),
      is_sampled_(detail == Detail::kSampled && size > kMostHashed),
      piece_(is_sampled_ ? sampled_piece(size) : kPiece) {
  renew();
}

std::optional<size_t> Snapshot::first_change() const {
  if (size_ <= kMostKept) {
    const auto [now, then] = std::mismatch(storage_, storage_ + size_, bytes_.begin());
    if (now == storage_ + size_) return std::nullopt;
    return static_cast<size_t>(now - storage_);
  }
  if (is_sampled_) fetch_samples();
  for (size_t piece = 0; piece < hashes_.size(); ++piece) {
    if (hash_of(piece) != hashes_[piece]) return piece * piece_;
  }
  return std::nullopt;
}

void Snapshot::renew() {
  if (size_ <= kMostKept) {
    bytes_.assign(storage_, storage_ + size_);
    return;
  }
  hashes_.resize((size_ + piece_ - 1) / piece_);
  if (is_sampled_) fetch_samples();
  for (size_t piece = 0; piece < hashes_.size(); ++piece) {
    hashes_[piece] = hash_of(piece);
  }
}

// One after the other the samples would each wait for memory.
void Snapshot::fetch_samples() const {
  for (size_t start = 0; start < size_; start += piece_)
    __builtin_prefetch(storage_ + start);
}

uint64_t Snapshot::hash_of(size_t piece) const {
  const size_t start = piece * piece_;
  const size_t length = std::min(piece_, size_ - start);
  if (!is_sampled_) return XXH3_64bits(storage_ + start, length);
  const bool is_last = start + length == size_;
  const size_t sampled = std::min(kSample, length);
  const uint64_t first = XXH3_64bits(storage_ + start, sampled);
  return is_last ? first ^ XXH3_64bits_withSeed(storage_ + size_ - sampled, sampled, 1) : first;
}

}  // namespace ferry::layers::check
