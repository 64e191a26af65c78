// SPDX-License-Identifier: Apache-2.0
// Closes the gate; the errors of calls made afterwards.
#include "backends/cuda/plugin/gate.h"

#include "acl/error_codes/rt_error_codes.h"

#include <algorithm>
#include <type_traits>

namespace ferry::cuda {

static_assert(std::is_trivially_destructible_v<Gate>);
constinit Gate gate;

bool Gate::close() {
  State expected = State::kOpen;
  return state_.compare_exchange_strong(expected, State::kClosing);
}

bool Gate::is_empty() const {
  return std::all_of(slots_.begin(), slots_.end(),
                     [](const ThreadSlots::Slot& slot) { return slot.inside.load() == 0; });
}

void Gate::settle(State state) {
  state_.store(state, std::memory_order_release);
  state_.notify_all();
}

Gate::State Gate::wait_until_closed() const {
  state_.wait(State::kClosing, std::memory_order_acquire);
  return state();
}

Trouble no_more_work() {
  return {.code = ACL_ERROR_RT_INTERNAL_ERROR,
          .text = "the process is ending, and CUDA with it: its devices take no more work"};
}

Trouble end_of_work(Gate::State state) {
  if (state == Gate::State::kDone) return {};
  return {.code = ACL_ERROR_RT_INTERNAL_ERROR,
          .text = "the process is ending, and CUDA with it: work of the stream was left undone"};
}

}  // namespace ferry::cuda
