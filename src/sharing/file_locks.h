// SPDX-License-Identifier: Apache-2.0
// Locks on bytes of a file in memory that several processes have open. The kernel drops them when
// the process ends, however it ends: a lock tells whether its process lives.
#pragma once

#include "sharing/descriptor.h"

#include <cstdint>
#include <optional>
#include <utility>

namespace ferry::sharing {

// The locks of one opening of the file (F_OFD_SETLK). They never conflict with each other, so two
// threads that use the same object do not exclude each other.
class FileLocks {
 public:
  // Opens the file of the descriptor once more, because descriptors that travelled between
  // processes share their locks. None: errno says why. Needs /proc.
  static FileLocks open(int file);

  FileLocks() = default;
  explicit operator bool() const { return static_cast<bool>(file_); }
  int number() const { return file_.number(); }
  // The opening itself, with its locks.
  Descriptor take() && { return std::move(file_); }

  // Does not wait. False when another opening has the byte, or the system refuses.
  bool lock(uint32_t byte) const;
  void unlock(uint32_t byte) const;
  // The first of `count` bytes that no other opening has. Empty: all are taken, or the system
  // refuses; errno says why.
  std::optional<uint32_t> lock_first(uint32_t count) const;
  // Whether another opening has the byte. A failure says nothing, so it counts as such.
  bool is_locked_elsewhere(uint32_t byte) const;

 private:
  explicit FileLocks(Descriptor file) : file_(std::move(file)) {}

  Descriptor file_;
};

}  // namespace ferry::sharing
