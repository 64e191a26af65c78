// SPDX-License-Identifier: Apache-2.0
// Batch: are many scattered blocks as fast as one large copy, and never slower than CUDA's own
// functions?
#pragma once

#include "bench/cuda/ground.h"
#include "bench/question.h"

#include <map>
#include <tuple>

namespace ferry::bench::cuda {

/// Caches its measurements: the plot shows the same races as the rows. Used by one thread; the
/// ground must outlive it.
class BatchQuestion {
 public:
  explicit BatchQuestion(Ground& ground) : ground_(ground) {}

  void ask(const Setup& setup);
  Sweep sweep(const Setup& setup);

 private:
  struct Shape {
    size_t count;
    size_t block_bytes;
    bool is_full;  // enough bytes to be compared with the limit
  };
  struct Outcome {
    Times times;             // Ferry, loop, CUDA's batch and, if is_full, one large copy
    double multiprocessors;  // used by Ferry's kernel; 0 when it did not run
  };

  static std::vector<Shape> full_shapes(Effort effort);
  static std::vector<Shape> shapes_of_few(Effort effort);
  void ask_shape(const Setup& setup, const Shape& shape, Direction direction);
  void add_full_rows(const Setup& setup, const Shape& shape, Direction direction,
                     const Outcome& outcome) const;
  const Outcome& outcome_of(const Setup& setup, const Shape& shape, Direction direction);
  Outcome measure(const Setup& setup, const Shape& shape, Direction direction);

  Ground& ground_;
  std::map<std::tuple<Direction, size_t, size_t>, Outcome> outcomes_;
};

}  // namespace ferry::bench::cuda
