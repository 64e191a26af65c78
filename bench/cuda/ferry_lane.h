// SPDX-License-Identifier: Apache-2.0
// Ferry's side of a race: it uses AscendCL only, nothing of CUDA.
#pragma once

#include "bench/client.h"
#include "bench/cuda/lane.h"

namespace ferry::bench::cuda {

/// Rows of `width` bytes, `pitch` bytes apart on both sides.
struct Rows {
  size_t width;
  size_t pitch;
  size_t height;
};

/// Used by one thread. The device must stay set during its lifetime.
class FerryLane : public Lane {
 public:
  explicit FerryLane(size_t bytes);

  std::byte* host() const override { return host_.at(0); }
  std::byte* device() const override { return device_.at(0); }
  void copy(std::byte* to, const std::byte* from, size_t bytes, Direction direction) override;
  void batch(Blocks& blocks, Direction direction) override;
  void wait() override { stream_.synchronize(); }

  /// Writes what the copies below read at execution: source and target of `bytes` inside the
  /// device, as a descriptor and as two stored addresses.
  void describe(size_t bytes);
  void copy_described();
  void copy_by_stored_addresses();
  void copy_rows(const Rows& rows);

 private:
  Buffer host_;
  Buffer device_;
  Buffer described_;  // the descriptor, followed by the addresses
  Stream stream_;
  size_t described_bytes_ = 0;
};

}  // namespace ferry::bench::cuda
