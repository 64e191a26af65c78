// SPDX-License-Identifier: Apache-2.0
// One side of a race on a GPU: memory on both ends of the bus, and a stream to copy on. Ferry's
// side is in ferry_lane.h, CUDA's without Ferry in bench/raw/cuda_lane.h.
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
  /// `bytes`: the most that one copy may move.
  explicit Lane(size_t bytes) : bytes_(bytes) {}
  virtual ~Lane() = default;
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  size_t bytes() const { return bytes_; }
  virtual std::byte* host() const = 0;    // pinned, `bytes` long
  virtual std::byte* device() const = 0;  // 2 * bytes long: copies inside it go to the second half

  std::byte* source(Direction direction) const {
    return direction == Direction::kIn ? host() : device();
  }
  std::byte* target(Direction direction) const {
    if (direction == Direction::kOut) return host();
    return direction == Direction::kIn ? device() : device() + bytes_;
  }

  /// Enqueue work; host memory need not belong to the lane.
  virtual void copy(std::byte* to, const std::byte* from, size_t bytes, Direction direction) = 0;
  virtual void batch(Blocks& blocks, Direction direction) = 0;
  /// Returns when all enqueued work is complete.
  virtual void wait() = 0;

  /// One copy of the first `bytes`; waits for it.
  void copy_start(size_t bytes, Direction direction) {
    copy(target(direction), source(direction), bytes, direction);
    wait();
  }

 private:
  size_t bytes_;
};

}  // namespace ferry::bench::cuda
