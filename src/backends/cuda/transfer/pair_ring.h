// SPDX-License-Identifier: Apache-2.0
// Ring of pinned pair lists with completion words. The host writes a list, a kernel reads it, and
// it is reused when the kernel has completed. Each block of the kernel writes a completion word,
// which the host polls without asking CUDA: an event would cost a call per batch, and its
// completion be seen later. Kernels whose pairs travel with the launch get words alone. Needs no
// CUDA header.
#pragma once

#include "backends/cuda/transfer/pairs.h"
#include "backends/cuda/transfer/plan.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace ferry::cuda {

// A launch that has completion words; none when it has no blocks. Small enough for an atomic.
struct Ticket {
  uint32_t turn = 0;
  uint16_t slot = 0;
  uint16_t blocks = 0;

  bool is_one() const { return blocks > 0; }
};

// May be shared between threads.
class PairRing {
 public:
  static constexpr size_t kLists = 16;
  static constexpr size_t kWithoutList = 64;
  static constexpr uint32_t kMostBlocks = kMostMultiprocessors;
  // The size of the memory for open().
  static constexpr size_t kBytes =
      kLists * kPairBytes + (kLists + kWithoutList) * kMostBlocks * sizeof(uint32_t);

  // Provides the memory. Kernels must see it at the same addresses, and it must never be freed.
  // False when the ring has memory already.
  bool open(void* memory);
  bool is_open() const { return memory_.load(std::memory_order_acquire) != nullptr; }

  // What one launch gets.
  struct Share {
    uint64_t* pairs = nullptr;  // room for kMostPairs, if a list was asked for
    uint32_t* done = nullptr;   // the word of block 0; each block writes `turn` to its own
    uint32_t turn = 0;
    size_t slot = 0;
  };
  enum class Need { kList, kWordsAlone };
  // False when all are in use, or before open().
  bool take(Need need, Share& share);
  // A kernel of this many blocks, at most kMostBlocks, has been launched with the share.
  Ticket give_back_after(const Share& share, uint32_t blocks);
  // No kernel was launched with the share.
  void give_back(const Share& share);

  // Whether the launch has completed. After some billions of later launches it may return false for
  // ever.
  bool is_done(Ticket ticket) const;

 private:
  enum class Use { kFree, kTaken, kQueued };
  struct Slot {
    Use use = Use::kFree;
    Ticket ticket;  // when kQueued
  };

  // The slots for one need, used in turn.
  struct Range {
    size_t first = 0;
    size_t count = 0;
    size_t next = 0;  // relative to `first`: the slot in use for longest
  };

  bool is_free(const Slot& slot) const;
  uint32_t* words_of(size_t slot) const;

  // Written once; every holder of a ticket sees it.
  std::atomic<char*> memory_ = nullptr;
  std::mutex mutex_;  // guards all below
  Slot slots_[kLists + kWithoutList];
  Range with_list_{.first = 0, .count = kLists};
  Range without_list_{.first = kLists, .count = kWithoutList};
  uint32_t turns_ = 0;
};

}  // namespace ferry::cuda
