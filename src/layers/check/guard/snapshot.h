// SPDX-License-Identifier: Apache-2.0
// What host memory held at one time, to see whether it has changed since.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ferry::layers::check {

// Not safe to share between threads. The memory must stay readable while it lives; that others
// write to it meanwhile is what it is for.
class Snapshot {
 public:
  // `storage` is where the bytes can be read, whatever is guarded.
  Snapshot(const void* storage, size_t size);

  // The first byte (exact up to 256 bytes, else the start of the 4 KiB piece) that is different
  // now.
  std::optional<size_t> first_change() const;
  // Takes it again.
  void renew();

 private:
  uint64_t hash_of(size_t piece) const;

  const unsigned char* storage_;
  size_t size_;
  std::vector<unsigned char> bytes_;  // of small memory
  std::vector<uint64_t> hashes_;      // of each piece of large memory
};

}  // namespace ferry::layers::check
