// SPDX-License-Identifier: Apache-2.0
// Numbers of stacks.
#include "layers/trace/stacks.h"

#include <utility>

namespace ferry::layers::trace {

uint64_t Stacks::number_of(const CallRecord& call, EventList& events) {
  constexpr size_t kMostAddresses = size_t{1} << 20;
  const size_t count = (call.size - sizeof call) / sizeof(uint64_t);
  if (count == 0) return 0;
  const auto* const addresses = reinterpret_cast<const uint64_t*>(&call + 1);
  std::vector<uint64_t> stack(addresses, addresses + count);
  if (const auto known = numbers_.find(stack); known != numbers_.end()) return known->second;
  if (addresses_ + count > kMostAddresses) return 0;
  addresses_ += count;
  const uint64_t number = numbers_.size() + 1;
  const auto& frames = numbers_.emplace(std::move(stack), number).first->first;
  ferryx_trace_event& event = events.add(FERRYX_TRACE_STACK);
  event.stack = number;
  event.frames = frames.data();
  event.frame_count = frames.size();
  return number;
}

}  // namespace ferry::layers::trace
