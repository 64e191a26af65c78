// SPDX-License-Identifier: Apache-2.0
// Writing batches of one size as lists of pairs, the short form that most batches fit. What does
// not fit becomes columns (coalesce.h). No CUDA header is needed here.
#pragma once

#include "backends/cuda/transfer/item_columns.h"

#include "ferry/backend.h"

#include <cstddef>
#include <cstdint>

namespace ferry::cuda {

// Inputs of one list; larger batches are cut.
constexpr size_t kMostPairs = 8192;
constexpr size_t kPairBytes = kMostPairs * sizeof(uint64_t);

// The items from `first` to `end` of a batch.
ferryx_columns part_of(const ferryx_columns& columns, size_t first, size_t end);

// Writes the items of a batch in order. Not shared between threads.
class PairWriter {
 public:
  explicit PairWriter(const ferryx_columns& columns);

  // Whether sizes and allocations allow pairs at all.
  bool is_possible() const { return is_possible_; }

  enum class Reader {
    kGpu,  // the words go past the caches: the GPU has read the list before, and lines need not be
           // fetched back only to be written all over
    kHost
  };
  enum class Result {
    kWritten,
    kMisfit,  // an address is not a multiple of the unit: the words are of no use
    kRuns     // so many items continue the one before that joining them is worth the longer form;
              // said of the first part alone: later the form is settled
  };
  Result write(size_t count, uint64_t* words, Reader reader);
  // How many were written.
  size_t written() const { return written_; }
  // A list that begins at `words`.
  ItemPairs list_at(uint64_t* words) const;

 private:
  const ferryx_columns& columns_;
  ItemPairs form_;  // without words
  bool is_possible_ = false;
  size_t written_ = 0;
};

}  // namespace ferry::cuda
