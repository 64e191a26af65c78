// SPDX-License-Identifier: Apache-2.0
// The content of host memory at one time, to detect later changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ferry::layers::check {

// Not safe to share between threads. The memory must stay readable for the snapshot's lifetime;
// other threads may write to it, which is what a snapshot detects.
class Snapshot {
 public:
  // `storage` is an address that is readable whatever is guarded.
  // kSampled: of memory above 64 KiB only a cache line at the start of each of up to 64 pieces of
  // equal size, and the last bytes.
  enum class Detail { kAll, kSampled };
  Snapshot(const void* storage, size_t size, Detail detail = Detail::kAll);

  // The first byte that differs now: exact up to 256 bytes, otherwise the start of its 4 KiB piece.
  std::optional<size_t> first_change() const;
  // Takes the snapshot again.
  void renew();

 private:
  uint64_t hash_of(size_t piece) const;
  void fetch_samples() const;

  const unsigned char* storage_;
  size_t size_;
  bool is_sampled_;
  size_t piece_;                      // bytes
  std::vector<unsigned char> bytes_;  // of small memory
  std::vector<uint64_t> hashes_;      // of each piece of large memory
};

}  // namespace ferry::layers::check
