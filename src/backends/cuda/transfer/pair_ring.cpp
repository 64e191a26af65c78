// SPDX-License-Identifier: Apache-2.0
// Turns only grow, so a completion word covers all launches up to the one that wrote it.
#include "backends/cuda/transfer/pair_ring.h"

#include <algorithm>

namespace ferry::cuda {
namespace {

// Also correct when the turn counter has wrapped around in between.
bool is_reached(uint32_t word, uint32_t turn) {
  return static_cast<int32_t>(word - turn) >= 0;
}

}  // namespace

bool PairRing::open(void* memory) {
  const std::lock_guard lock(mutex_);
  if (is_open()) return false;
  memory_.store(static_cast<char*>(memory), std::memory_order_release);
  return true;
}

uint32_t* PairRing::words_of(size_t slot) const {
  char* words = memory_.load(std::memory_order_acquire) + kLists * kPairBytes;
  return reinterpret_cast<uint32_t*>(words) + slot * kMostBlocks;
}

bool PairRing::is_done(Ticket ticket) const {
  uint32_t* const words = words_of(ticket.slot);
  return std::all_of(words, words + ticket.blocks, [&](uint32_t& word) {
    return is_reached(std::atomic_ref(word).load(std::memory_order_acquire), ticket.turn);
  });
}

bool PairRing::is_free(const Slot& slot) const {
  return slot.use == Use::kFree || (slot.use == Use::kQueued && is_done(slot.ticket));
}

bool PairRing::take(Need need, Share& share) {
  const std::lock_guard lock(mutex_);
  if (!is_open()) return false;
  Range& range = need == Need::kList ? with_list_ : without_list_;
  for (size_t i = 0; i < range.count; ++i) {
    const size_t at = (range.next + i) % range.count;
    const size_t slot = range.first + at;
    if (!is_free(slots_[slot])) continue;
    slots_[slot].use = Use::kTaken;
    range.next = (at + 1) % range.count;
    share = {.done = words_of(slot), .turn = ++turns_, .slot = slot};
    if (need == Need::kList) {
      share.pairs = reinterpret_cast<uint64_t*>(memory_.load() + slot * kPairBytes);
    }
    // A word that no block has written for a long time would pass for a later turn one day.
    for (uint32_t block = 0; block < kMostBlocks; ++block)
      std::atomic_ref(share.done[block]).store(share.turn - 1, std::memory_order_relaxed);
    return true;
  }
  return false;
}

Ticket PairRing::give_back_after(const Share& share, uint32_t blocks) {
  const Ticket ticket{.turn = share.turn,
                      .slot = static_cast<uint16_t>(share.slot),
                      .blocks = static_cast<uint16_t>(blocks)};
  const std::lock_guard lock(mutex_);
  slots_[share.slot] = {.use = Use::kQueued, .ticket = ticket};
  return ticket;
}

void PairRing::give_back(const Share& share) {
  const std::lock_guard lock(mutex_);
  slots_[share.slot].use = Use::kFree;
}

}  // namespace ferry::cuda
