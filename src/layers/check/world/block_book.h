// SPDX-License-Identifier: Apache-2.0
// Blocks that the program's own allocator cuts out of device memory: when it took each one back,
// and where. So a race on such memory can be told from the reuse of a block that another stream
// still uses.
#pragma once

#include "layers/check/order/history.h"
#include "layers/check/order/order.h"
#include "layers/check/report/site.h"

#include <cstdint>
#include <deque>
#include <map>
#include <vector>

namespace ferry::layers::check {

// The last task of each queue that was submitted at some time, and the epoch of the host.
using Submitted = std::map<QueueId, uint64_t>;

// Not safe to share between threads: protected by World's lock. The size of a block is not known:
// it ends where the next one starts. Memory is bounded; what is dropped is not explained.
class BlockBook {
 public:
  void taken(uintptr_t address, Submitted submitted);
  void released(uintptr_t address, Submitted submitted, SiteId site);
  // Where the block that held the byte was released, after one of the two was submitted and before
  // the other. kNoSite when it was the same block all the time.
  SiteId release_between(const Moment& one, const Moment& other, uintptr_t address) const;
  // The memory that the blocks were cut from is freed.
  void forget(const Range& range);

 private:
  struct Life {
    Submitted taken;
    Submitted released;
    SiteId released_at = kNoSite;  // kNoSite: it is live
  };
  std::map<uintptr_t, std::deque<Life>> lives_;  // by first byte; the latest last
};

}  // namespace ferry::layers::check
