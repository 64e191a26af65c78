// SPDX-License-Identifier: Apache-2.0
// Managed memory: the host and all devices use it at one address. Allocating it is in memory.h.
#pragma once

#include "base/status.h"
#include "core/managed_hints.h"
#include "core/stream.h"

#include <span>
#include <vector>

namespace ferry {

// 107000 when the range is not managed memory.
Status advise_managed(const ManagedRange& range, aclrtMemManagedAdviseType advice,
                      const ManagedPlace& place);
Status check_managed(const ManagedRange& range);
Status read_managed(const ManagedRange& range, aclrtMemManagedRangeAttribute attribute,
                    std::span<int32_t> values);

struct ManagedPrefetch {
  ManagedRange range;
  ManagedPlace place;
};

// Queues the moves as one task. It fails with 507001 for a range that is not managed memory by
// then; the other ranges are moved.
Status prefetch_managed(std::vector<ManagedPrefetch> moves, Stream& stream);

}  // namespace ferry
