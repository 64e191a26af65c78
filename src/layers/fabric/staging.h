// SPDX-License-Identifier: Apache-2.0
// Copies between memory of a device that the host cannot address and memory of other hosts: through
// pinned host memory, in pieces that overlap in time.
#pragma once

#include "layers/fabric/job.h"
#include "layers/fabric/local_device.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace ferry::layers::fabric {

class Staging {
 public:
  // At most LocalDevice::kBuffer bytes.
  struct Item {
    void* local = nullptr;  // storage
    ferryx_fabric_opening* opening = nullptr;
    uint64_t offset = 0;
    uint64_t size = 0;
  };
  Staging(Job& job, LocalDevice& device, ferryx_fabric_direction direction)
      : job_(job), device_(device), direction_(direction) {}
  ~Staging();
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  bool is_for(const LocalDevice& device, ferryx_fabric_direction direction) const {
    return &device_ == &device && direction_ == direction;
  }
  // Cuts a piece into items.
  void add(const ferryx_fabric_piece& piece);
  void start();

  // By all of the process.
  static uint64_t bytes_staged() { return staged.load(std::memory_order_relaxed); }

 private:
  static inline std::atomic<uint64_t> staged{0};
  static constexpr size_t kBuffers = 4;

  // One buffer, and the items that are in it.
  struct Slot {
    Staging* staging = nullptr;
    std::shared_ptr<Job> job;  // while it is busy
    ferryx_memory buffer{};
    std::vector<ferryx_copy> copies;
    std::vector<ferryx_fabric_piece> pieces;
  };
  void begin(Slot& slot);
  // False when there is nothing left.
  bool fill_lists(Slot& slot);
  // The device's part. False when it fails; then the slot has ended.
  bool copy(Slot& slot);
  void transfer(Slot& slot);
  static void transferred(void* argument, int code, const char* text);
  static void end(Slot& slot, int code, const char* text);

  Job& job_;
  LocalDevice& device_;
  const ferryx_fabric_direction direction_;
  std::vector<Item> items_;
  std::mutex mutex_;  // guards next_
  size_t next_ = 0;   // the first item that no slot has taken
  std::vector<Slot> slots_;
};

}  // namespace ferry::layers::fabric
