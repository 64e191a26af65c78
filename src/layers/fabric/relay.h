// SPDX-License-Identifier: Apache-2.0
// A copy from one host to another: its bytes pass through this one, in pieces that overlap in time.
#pragma once

#include "layers/fabric/job.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ferry::layers::fabric {

class Relay {
 public:
  struct Side {
    ferryx_fabric_opening* opening = nullptr;
    uint64_t offset = 0;
  };
  Relay(Job& job, const Side& dst, const Side& src, uint64_t size);

  // Begins as many pieces as there are buffers.
  void start();

  // By all relays of the process.
  static uint64_t bytes_relayed() { return relayed.load(std::memory_order_relaxed); }

 private:
  static constexpr uint64_t kPiece = uint64_t{1} << 20;
  static constexpr size_t kBuffers = 4;

  // One buffer, and the piece that is in it.
  struct Slot {
    Relay* relay = nullptr;
    std::shared_ptr<Job> job;  // while it is busy
    std::unique_ptr<uint8_t[]> bytes;
    uint64_t offset = 0;
    uint64_t size = 0;
  };
  void begin(Slot& slot);
  static void got(void* argument, int code, const char* text);
  static void put(void* argument, int code, const char* text);
  static void end(Slot& slot, int code, const char* text);

  static inline std::atomic<uint64_t> relayed{0};

  Job& job_;
  const Side dst_;
  const Side src_;
  const uint64_t size_;
  std::atomic<uint64_t> next_{0};  // where the next piece begins
  std::vector<Slot> slots_;
};

}  // namespace ferry::layers::fabric
