// SPDX-License-Identifier: Apache-2.0
// Writes batches of one item size as lists of pairs, the short form, which suits most batches.
// Other batches become lists of three arrays (coalesce.h). Needs no CUDA header.
#pragma once

#include "backends/cuda/transfer/item_columns.h"

#include "ferry/backend.h"

#include <cstddef>
#include <cstdint>

namespace ferry::cuda {

// The most items in one list; larger batches are submitted in parts.
constexpr size_t kMostPairs = 8192;
constexpr size_t kPairBytes = kMostPairs * sizeof(uint64_t);

// The items of a batch from `first` up to, but not including, `end`.
ferryx_columns part_of(const ferryx_columns& columns, size_t first, size_t end);

// Writes the items of a batch in order. Not shared between threads.
class PairWriter {
 public:
  explicit PairWriter(const ferryx_columns& columns);

  // Whether sizes and allocations allow pairs at all.
  bool is_possible() const { return is_possible_; }

  enum class Reader {
    kGpu,  // the stores bypass the caches: the GPU has read the list before, and lines need not be
           // fetched back only to be overwritten
    kHost
  };
  enum class Result {
    kWritten,
    kMisfit,  // an address is not a multiple of the granule: the words are useless
    kRuns     // so many items continue the one before that joining them is worth the longer form;
              // only for the first part: after it the form is settled
  };
  Result write(size_t count, uint64_t* words, Reader reader);
  // How many items were written.
  size_t written() const { return written_; }
  // The list that starts at `words`.
  ItemPairs list_at(uint64_t* words) const;

 private:
  const ferryx_columns& columns_;
  ItemPairs form_;  // without words
  bool is_possible_ = false;
  size_t written_ = 0;
};

}  // namespace ferry::cuda
