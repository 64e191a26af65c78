// SPDX-License-Identifier: Apache-2.0
// The pairs of functions that were named for waits.
#include "base/program_wait.h"

#include <forward_list>
#include <mutex>

namespace ferry {
namespace {

// Each pair that was ever named, once: a wait may still end with one that was replaced.
struct NamedPairs {
  std::mutex mutex;  // guards the list
  std::forward_list<WaitFunctions> list;
};

const WaitFunctions* keep_pair(ferryWaitBegin begin, ferryWaitEnd end) {
  static auto* const pairs = new NamedPairs;
  const std::lock_guard lock(pairs->mutex);
  for (const WaitFunctions& pair : pairs->list) {
    if (pair.begin == begin && pair.end == end) return &pair;
  }
  return &pairs->list.emplace_front(WaitFunctions{.begin = begin, .end = end});
}

}  // namespace

void set_wait_functions(ferryWaitBegin begin, ferryWaitEnd end) {
  wait_functions.store(begin == nullptr ? nullptr : keep_pair(begin, end),
                       std::memory_order_release);
}

}  // namespace ferry
