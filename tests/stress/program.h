// SPDX-License-Identifier: Apache-2.0
// A random program of API calls that is free of races by construction, and the bytes it must leave.
// A sequential model executes every operation when it is generated. Vector clocks track the order
// of operations; where nothing orders two operations that touch the same buffer, an event or a
// synchronisation is inserted.
#pragma once

#include "acl/acl.h"

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace stress {

constexpr size_t kStreams = 5;
constexpr size_t kBuffers = 10;  // the first half on the device, the rest in pinned host memory
constexpr size_t kBytes = 4096;

// For each stream, how many of its operations are known to be complete. The host has one too.
using VectorClock = std::array<uint64_t, kStreams>;

// Used by one thread, which needs a context.
class Program {
 public:
  explicit Program(uint64_t seed);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // Generates `operations` operations, waits for all of them, and compares every byte with the
  // model. Returns "" or what is wrong.
  std::string run(size_t operations);

 private:
  struct Use {
    size_t stream = 0;
    uint64_t time = 0;
  };
  struct Buffer {
    void* address = nullptr;
    std::vector<uint8_t> expected;
    std::vector<Use> writes;  // the latest ones
    std::vector<Use> reads;   // since the latest writes
  };
  struct Recorded {
    aclrtEvent event = nullptr;
    size_t stream = 0;
    VectorClock clock{};
    bool is_recorded = false;
  };
  struct Range {
    size_t dst = 0;
    size_t src = 0;
    size_t size = 0;
  };

  size_t pick(size_t count) { return random_() % count; }
  static bool is_device(size_t buffer) { return buffer < kBuffers / 2; }
  size_t pick_buffer(bool on_device);
  Range pick_range();
  Range pick_range(size_t dst, size_t src);
  aclrtStream stream(size_t index) const { return streams_[index]; }
  char* at(size_t buffer, size_t offset) const {
    return static_cast<char*>(buffers_[buffer].address) + offset;
  }

  // Ensures that `stream` comes after all uses of the buffer that conflict with the new one.
  enum class Access { kRead, kWrite };
  void order(size_t stream, size_t buffer, Access access);
  void order_after(size_t stream, const Use& use);
  // Records an operation on a stream that uses these buffers.
  void note(size_t stream, size_t written, std::initializer_list<size_t> read);
  void move_expected(size_t dst, size_t src, const Range& range);

  void copy();
  void copy_batch();
  void copy_2d();
  void copy_described();
  void fill();
  void record();
  void wait();
  void synchronize();
  void synchronize_event();
  void copy_now();
  void touch_on_host();
  void query();

  void check(aclError code, const char* what);
  std::string compare();

  std::mt19937_64 random_;
  std::string failure_;
  std::array<aclrtStream, kStreams> streams_{};
  std::array<Buffer, kBuffers> buffers_;
  std::array<Recorded, 4> events_;
  std::array<VectorClock, kStreams> clocks_{};  // what precedes a new operation on a stream
  std::array<uint64_t, kStreams> times_{};      // operations queued so far
  VectorClock host_{};
  std::vector<void*> descriptors_;  // kept until the end: tasks read them when they run
};

}  // namespace stress
