// SPDX-License-Identifier: Apache-2.0
// The memory of a run: one block per region of the plan.
#pragma once

#include "replay/plan.h"

#include "acl/acl.h"

#include <cstddef>
#include <string>
#include <vector>

namespace ferry::tools::replay {

/// "aclrtMalloc returned 207001: ...", with the library's own text.
std::string failure_text(const char* function, aclError code);

// The byte that all fills write.
constexpr int kFillValue = 0x5a;

// Huge pages everywhere, for profiles and runs alike: otherwise the size of an allocation, of which
// a trace says nothing, would decide how fast its copies are.
uint64_t whole_huge_pages(uint64_t size);
std::byte* first_huge_page(void* allocation);
void request_huge_pages(void* allocation, uint64_t size);

/// The bytes of all regions.
using Contents = std::vector<std::vector<std::byte>>;

/// Devices that the plan uses must stay set for the calling thread.
class RunMemory {
 public:
  RunMemory() = default;
  ~RunMemory();
  RunMemory(const RunMemory&) = delete;
  RunMemory& operator=(const RunMemory&) = delete;

  /// Returns "", or why the memory cannot be had.
  std::string allocate(const Plan& plan);
  /// Writes every byte, the same ones each time. It also keeps page faults out of measurements.
  std::string fill();
  std::string read(Contents& contents) const;
  std::byte* at(const Spot& spot) const { return blocks_[spot.region].address + spot.offset; }

 private:
  struct Block {
    Region region;
    void* allocation = nullptr;
    std::byte* address = nullptr;  // in the allocation
    bool is_registered = false;
  };
  static std::string allocate_block(Block& block);
  std::vector<Block> blocks_;
};

/// What fill() writes, and what the steps make of it when each waits for the one before it.
Contents expected_contents(const Plan& plan);

}  // namespace ferry::tools::replay
