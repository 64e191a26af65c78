// SPDX-License-Identifier: Apache-2.0
// How many bytes each process has taken of devices whose capacity is common to several processes:
// a table in a file in memory that each of them maps. Processes may be killed at any moment: their
// bytes are then free.
#pragma once

#include "base/status.h"
#include "sharing/descriptor.h"
#include "sharing/file_locks.h"

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>

namespace ferry::sharing {

// May be shared between threads.
class Ledger {
 public:
  static constexpr uint32_t kMostDevices = 64;
  static constexpr uint32_t kMostProcesses = 512;

  // A new one. 207005 with a text when the system gives no file or memory.
  static Result<std::shared_ptr<Ledger>> create(uint64_t capacity);
  // That of another process, by a descriptor that was passed on; it may be closed afterwards.
  // 507899 when it is not a ledger of this capacity, 207005 as above.
  static Result<std::shared_ptr<Ledger>> open(int file, uint64_t capacity);
  // The bytes of this process are free.
  ~Ledger();
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;

  // For other processes to open. It has no locks.
  int file() const { return passed_on_.number(); }

  // Takes bytes of a device for this process. False when fewer are left, or in doubt; then nothing
  // is taken. Waits for another process at most a moment, even if that one is stopped.
  bool take(uint32_t device, uint64_t size);
  void give_back(uint32_t device, uint64_t size);
  // What all processes that live have taken of a device.
  uint64_t used(uint32_t device);

 private:
  struct Table;
  struct Joined;
  static Result<std::shared_ptr<Ledger>> join(Descriptor file, uint64_t capacity);
  Ledger(Descriptor passed_on, FileLocks locks, Table& table, uint32_t process, uint64_t capacity);

  bool lock_table() const;
  bool take_now(uint32_t device, uint64_t size);
  uint64_t sum(uint32_t device) const;
  void drop_ended(uint32_t device);

  std::mutex mutex_;  // guards taken_; one thread of this process uses the table at a time
  // By this process. Invariant: its entries of the table are the same, except during take().
  std::array<uint64_t, kMostDevices> taken_{};
  const Descriptor passed_on_;
  const FileLocks locks_;
  Table& table_;
  const uint32_t process_;  // number of this process in the table
  const uint64_t capacity_;
};

}  // namespace ferry::sharing
