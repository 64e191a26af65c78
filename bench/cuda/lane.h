// SPDX-License-Identifier: Apache-2.0
// One side of a race on a GPU: memory on both ends of the bus, and a stream to copy on. Ferry's
// side is in ferry_lane.h, that of CUDA without Ferry in bench/raw/cuda_lane.h.
#pragma once

#include <cstddef>
#include <vector>

namespace ferry::bench::cuda {

enum class Direction { kIn, kOut, kInside };  // to the device, from it, inside it

/// The blocks of one batch, by their addresses.
struct Blocks {
  std::vector<void*> to;
  std::vector<void*> from;
  std::vector<size_t> sizes;
};

/// Used by one thread.
class Lane {
 public:
  /// `bytes` is how much one copy may move.
  explicit Lane(size_t bytes) : bytes_(bytes) {}
  virtual ~Lane() = default;
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  size_t bytes() const { return bytes_; }
  virtual std::byte* host() const = 0;    // pinned, `bytes` of it
  virtual std::byte* device() const = 0;  // twice as many: copies inside go to the second half

  std::byte* source(Direction direction) const {
    return direction == Direction::kIn ? host() : device();
  }
  std::byte* target(Direction direction) const {
    if (direction == Direction::kOut) return host();
    return direction == Direction::kIn ? device() : device() + bytes_;
  }

  /// Queue work; host memory need not be the lane's own.
  virtual void copy(std::byte* to, const std::byte* from, size_t bytes, Direction direction) = 0;
  virtual void batch(Blocks& blocks, Direction direction) = 0;
  /// Returns when all that was queued is done.
  virtual void wait() = 0;

  /// One copy of the first `bytes`, until it is done.
  void copy_start(size_t bytes, Direction direction) {
    copy(target(direction), source(direction), bytes, direction);
    wait();
  }

 private:
  size_t bytes_;
};

}  // namespace ferry::bench::cuda
