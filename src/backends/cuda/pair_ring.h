// SPDX-License-Identifier: Apache-2.0
// Lists of pairs that go round: written by the host, read by a kernel, and used again when the
// kernel has said that it is done. It says so in words behind the lists, one a block, which the
// host reads without asking CUDA: an event would cost a call for each batch, and its end be seen
// later. No CUDA header is needed here.
#pragma once

#include "backends/cuda/pairs.h"
#include "backends/cuda/plan.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace ferry::cuda {

// A launch that reads a list; none when it has no blocks. Small enough for an atomic.
struct Ticket {
  uint32_t turn = 0;
  uint16_t list = 0;
  uint16_t blocks = 0;

  bool is_one() const { return blocks > 0; }
};

// May be shared between threads.
class PairRing {
 public:
  static constexpr size_t kLists = 16;
  static constexpr uint32_t kMostBlocks = kMostMultiprocessors;
  // What open() wants.
  static constexpr size_t kBytes = kLists * (kPairBytes + kMostBlocks * sizeof(uint32_t));

  // Gives it memory, which kernels reach at the same addresses and which is never freed. False when
  // it has some already.
  bool open(void* memory);
  bool is_open() const { return memory_.load(std::memory_order_acquire) != nullptr; }

  struct List {
    uint64_t* pairs = nullptr;
    uint32_t* done = nullptr;  // the word of block 0; each block writes `turn` to its own
    uint32_t turn = 0;
    size_t index = 0;
  };
  // False when all are in use, or before open().
  bool take(List& list);
  // A kernel of so many blocks, at most kMostBlocks, has been launched and reads the list.
  Ticket give_back_after(const List& list, uint32_t blocks);
  // No kernel reads it.
  void give_back(const List& list);

  // Whether the launch has ended. After some billions of later ones it may say no for ever.
  bool is_done(Ticket ticket) const;

 private:
  enum class Use { kFree, kTaken, kQueued };
  struct Slot {
    Use use = Use::kFree;
    Ticket ticket;  // when kQueued
  };

  bool is_free(const Slot& slot) const;
  uint32_t* words_of(size_t list) const;

  // Written once: whoever holds a ticket sees it.
  std::atomic<char*> memory_ = nullptr;
  std::mutex mutex_;  // guards all below
  Slot slots_[kLists];
  size_t next_ = 0;  // the list that has been in use for longest
  uint32_t turns_ = 0;
};

}  // namespace ferry::cuda
