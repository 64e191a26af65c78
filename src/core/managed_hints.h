// SPDX-License-Identifier: Apache-2.0
// What the program has advised about its managed memory and where it was prefetched to, per page of
// 2 MiB. Only records: where the pages really are is up to the backend.
#pragma once

#include "acl/acl_rt.h"
#include "ferry/backend.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <vector>

namespace ferry {

constexpr uint64_t kManagedPage = uint64_t{2} << 20;

struct ManagedRange {
  const void* address = nullptr;
  uint64_t size = 0;
};

// A place for managed memory, as the attributes of a range report it.
struct ManagedPlace {
  static constexpr int32_t kHost = -1;
  static constexpr int32_t kNone = -2;  // never set, or pages that differ

  aclrtMemManagedLocationType type = ACL_MEM_LOCATIONTYPE_INVALID;
  int32_t id = kNone;  // of a device or NUMA node; kHost: any host memory

  bool operator==(const ManagedPlace&) const = default;
};

// May be shared between threads; never destroyed.
class ManagedHints {
 public:
  static ManagedHints& instance();

  void add(const ferryx_memory& memory);
  // Does nothing if there is no such memory. Needs no memory itself.
  void remove(const void* address);

  // The functions below return false, and have done nothing, when the range is not wholly inside
  // one piece of managed memory. They concern every page of which it holds a byte.

  bool advise(const ManagedRange& range, aclrtMemManagedAdviseType advice,
              const ManagedPlace& place);
  // Needs no memory.
  bool note_prefetch(const ManagedRange& range, const ManagedPlace& place);
  // Fills all of `values`; every attribute but ACCESSED_BY has one.
  bool read(const ManagedRange& range, aclrtMemManagedRangeAttribute attribute,
            std::span<int32_t> values);

 private:
  struct Page {
    bool is_read_mostly = false;
    ManagedPlace preferred;
    ManagedPlace prefetched;
  };
  struct Memory {
    std::vector<Page> pages;
    std::map<int32_t, std::vector<bool>> accessed_by;  // by id; one entry per page
  };
  // The pages of a range; `memory` is nullptr when it is not inside one.
  struct Found {
    Memory* memory = nullptr;
    size_t first = 0;
    std::span<Page> pages;

    void set_accessed_by(int32_t id, bool is_set) const;
    void write_accessed_by(std::span<int32_t> ids) const;
    bool is_read_mostly() const;
    // What all pages agree on; no place where they differ.
    ManagedPlace common(ManagedPlace Page::*member) const;
  };

  Found find(const ManagedRange& range);

  std::mutex mutex_;  // guards what follows
  std::map<uintptr_t, Memory> by_start_;
};

}  // namespace ferry
