// SPDX-License-Identifier: Apache-2.0
// Memory of this process that transfers are using. Freeing or unmapping it waits for them.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <list>
#include <mutex>
#include <vector>

namespace ferry::layers::fabric {

struct LocalRange {
  uintptr_t start = 0;
  uint64_t size = 0;
};

// May be shared between threads; never destroyed.
class LocalUses {
 public:
  using Entry = std::list<std::vector<LocalRange>>::iterator;
  static LocalUses& instance();

  // From now on wait_for() waits. Before the memory is looked up: it may be freed before, not
  // after.
  Entry begin(std::vector<LocalRange> ranges);
  void end(Entry entry);
  // Returns when no transfer uses a byte of the range. Called when no other can begin to.
  void wait_for(const void* address, uint64_t size);

 private:
  bool is_used(const LocalRange& range) const;

  std::atomic<uint32_t> count_{0};  // of entries
  mutable std::mutex mutex_;        // guards what follows
  std::condition_variable ended_;
  std::list<std::vector<LocalRange>> entries_;
};

}  // namespace ferry::layers::fabric
