// SPDX-License-Identifier: Apache-2.0
// Writes the trace of a small program, call by call, with the times of a simple device.
#pragma once

#include "trace/trace.h"

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

namespace ferry::tools::advice {

constexpr uint64_t kHost = 0x10'0000'0000;    // addresses of the host's memory
constexpr uint64_t kDevice = 0x70'0000'0000;  // and of the device's

struct Block {
  trace::Direction direction = trace::Direction::kHostToDevice;
  uint64_t host = kHost;
  uint64_t device = kDevice;
  uint64_t size = 4096;
  trace::Memory memory = trace::Memory::kPinned;
  uint64_t hash = 0;
};

class Program {
 public:
  Program() {
    trace_.soc = "Ascend910B1";
    trace_.devices.push_back({.id = 0, .kind = "cpu", .name = "CPU", .memory = 1ULL << 30});
  }

  // The call site of the following calls.
  Program& at(uint64_t site) {
    site_ = site;
    return *this;
  }
  // The host does something else.
  Program& compute(int64_t ns) {
    now_ += ns;
    return *this;
  }
  void copy(int32_t stream, const Block& block);
  // With pageable memory: the call copies before it returns.
  void blocking_copy(int32_t stream, const Block& block);
  void batch(int32_t stream, const std::vector<Block>& blocks);
  void refused_batch();
  void wait(int32_t stream);
  void record(int32_t stream, uint64_t marker);
  void wait_for_record(int32_t stream, uint64_t marker);
  void kernel(int32_t stream, int64_t ns);
  // "alloc", "free", "register", ...
  void memory(std::string_view function, std::string_view what, uint64_t address, uint64_t size);
  // Works of a captured model; one call submits all of them.
  void run_model(int32_t stream, const std::vector<Block>& blocks);

  trace::Trace& trace() { return trace_; }

 private:
  trace::Call& call(std::string_view function, int32_t stream, int64_t ns);
  trace::Work& submit(int32_t stream, trace::Kind kind, int64_t ns);
  static int64_t time_of(uint64_t bytes) { return 500 + static_cast<int64_t>(bytes / 8); }
  static void describe(const Block& block, trace::Work& work);

  trace::Trace trace_;
  int64_t now_ = 0;
  uint64_t site_ = 0x400000;
  std::map<int32_t, int64_t> free_at_;   // by stream
  std::map<uint64_t, int64_t> reached_;  // by marker
  uint64_t runs_ = 0;
};

}  // namespace ferry::tools::advice
