// SPDX-License-Identifier: Apache-2.0
// All memory the program got from the runtime or registered with it, live and freed. All the layer
// says about an address comes from here.
#pragma once

#include "layers/check/report/site.h"
#include "layers/check/world/byte_set.h"

#include "ferry/backend.h"

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>

namespace ferry::layers::check {

struct Allocation {
  ferryx_memory memory{};
  uint64_t requested = 0;      // the size that the program has asked for, without padding
  bool is_of_runtime = false;  // the program has not asked for it (base/runtime_memory.h)
  SiteId made_at = kNoSite;
  SiteId freed_at = kNoSite;
  int freed_by = 0;  // the kernel's thread id
  ByteSet written;   // of device memory, in program addresses
  bool is_all_written = false;
  bool is_shared = false;             // other processes may write to it
  const void* reservation = nullptr;  // of mappings side by side, which are one allocation

  Range range() const {
    const auto begin = reinterpret_cast<uintptr_t>(memory.address);
    return {begin, begin + memory.size};
  }
  bool is_device() const { return memory.kind == FERRYX_MEMORY_DEVICE; }
  // Whether code of the host may touch it.
  bool is_host() const {
    return memory.kind == FERRYX_MEMORY_PINNED || memory.kind == FERRYX_MEMORY_REGISTERED ||
           memory.kind == FERRYX_MEMORY_MANAGED;
  }
  // Whether the layer itself can read it.
  bool is_readable() const { return memory.storage != nullptr; }
  // Whether the memory still belongs to the program after it has been unregistered.
  bool is_of_program() const {
    return memory.kind == FERRYX_MEMORY_REGISTERED ||
           (memory.kind == FERRYX_MEMORY_MAPPED && memory.address == memory.storage);
  }
};

// "4096 bytes of device memory at 0x…"
std::string describe(const Allocation& allocation);
const char* describe_kind(uint32_t kind);

// Not safe to share between threads: protected by World's lock.
class MemoryBook {
 public:
  Allocation& add(const ferryx_memory& memory, SiteId site);
  // Ends the life of the allocation that starts at `address`; it stays in the book as freed.
  const Allocation* end(const void* address, SiteId site, int thread);

  // Mapped memory: mappings of one reservation that touch each other are one allocation. What was
  // written before it was mapped is not known, so all of it counts as written.
  Allocation& join(const ferryx_memory& part, const void* reservation, SiteId site);
  // Takes a mapping out of its allocation; it stays in the book as freed.
  void cut(const ferryx_memory& part, SiteId site);

  Allocation* find(uintptr_t address);
  // Whether the range starts in live memory and extends past its end.
  bool is_left_by(const Range& range);
  // Whether the range lies wholly in live memory.
  bool holds(const Range& range);
  // The last allocation that held the address; nullptr if there was none, or it is live.
  const Allocation* find_freed(uintptr_t address) const;
  // The address may be reused by anyone from now on: drops the record of what was freed there.
  void forget_freed(const void* address);
  // The same for all that was freed in this range.
  void forget_freed_in(const Range& range);
  // All live memory counts as written.
  void mark_all_written();
  const std::map<uintptr_t, Allocation>& live() const { return live_; }

 private:
  void forget_oldest();
  // Moves a record among the freed ones.
  const Allocation* keep_freed(Allocation&& ended, SiteId site, int thread);

  std::map<uintptr_t, Allocation> live_;  // by first byte
  // An allocation freed later replaces those it overlaps; the oldest are dropped.
  struct Freed {
    Allocation allocation;
    uint64_t number = 0;
  };
  std::map<uintptr_t, Freed> freed_;                 // by first byte
  std::deque<std::pair<uintptr_t, uint64_t>> ages_;  // first bytes and numbers, oldest first
  uint64_t last_number_ = 0;
};

}  // namespace ferry::layers::check
