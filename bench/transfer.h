// SPDX-License-Identifier: Apache-2.0
// Blocks that are copied from one buffer to another: their layout and contents, the check of what
// arrived, and the ways to copy them.
#pragma once

#include "bench/client.h"
#include "bench/race.h"
#include "bench/raw/copy_kernels.h"
#include "bench/raw/thread_team.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ferry::bench {

/// Block i is copied from offset from[i] to offset to[i].
struct Layout {
  size_t block_bytes;
  size_t pool_bytes;  // of each buffer
  std::vector<size_t> from;
  std::vector<size_t> to;

  size_t bytes() const { return from.size() * block_bytes; }
};

/// One block that fills both buffers.
Layout whole(size_t bytes);

/// Blocks one after another with gaps, at the same offsets on both sides. Every block starts with
/// bytes that change from round to round.
Layout in_a_row(size_t count, size_t block_bytes);

/// Blocks at random places of pools that are a quarter larger, so that few neighbours on one side
/// are neighbours on the other.
Layout scattered(size_t count, size_t block_bytes);
/// The same in pools of this size.
Layout scattered(size_t count, size_t block_bytes, size_t pool_bytes);

/// Used by one thread. The layout must outlive it.
class Transfer {
 public:
  Transfer(const Layout& layout, Buffer::Place from, Buffer::Place to);

  /// Fills the source with bytes that differ from all earlier rounds.
  void prepare();
  /// Throws when a block did not arrive complete and in its place.
  void verify() const;

  /// Enqueues one copy per block.
  void submit_one_by_one(const Stream& stream) const;

  /// The ways to copy all blocks; each waits for the last. The raw ones are for plain memory.
  void copy_one_by_one(const Stream& stream) const;
  void copy_as_batch(const Stream& stream);
  void copy_raw(CopyKernel kernel) const;
  void copy_raw(CopyKernel kernel, ThreadTeam& team) const;

 private:
  void copy_share(CopyKernel kernel, size_t begin, size_t end) const;

  const Layout& layout_;
  Buffer source_;
  Buffer target_;
  Buffer image_;            // on the host: the contents of the source
  mutable Buffer arrived_;  // on the host: room to read the target back
  uint64_t round_ = 0;
  // The arguments of a batch.
  std::vector<void*> sources_;
  std::vector<void*> targets_;
  std::vector<size_t> sizes_;
};

/// False on products that have no batch copies.
bool has_batch_copies();

/// A contender that prepares and verifies `transfer` in every round.
Contender contender(const std::string& name, Transfer& transfer, std::function<void()> once);

/// The raw contenders: memcpy on one thread, and on all cores.
std::vector<Contender> raw_contenders(Transfer& raw, ThreadTeam& team);
/// And non-temporal stores on all cores.
Contender non_temporal_contender(Transfer& raw, ThreadTeam& team);

}  // namespace ferry::bench
