// SPDX-License-Identifier: Apache-2.0
// One piece of memory for all words of a context.
#include "core/context_words.h"

namespace ferry {

Result<void*> ContextWords::address(Device& device, uint64_t offset) {
  const std::lock_guard lock(mutex_);
  if (has_ended_) {
    return fail(ACL_ERROR_RT_INTERNAL_ERROR, kEE9999,
                "the context of the calling thread is being destroyed");
  }
  if (memory_ == nullptr) {
    FERRY_TRY(std::unique_ptr<RuntimeMemory>, made, RuntimeMemory::make(device, 2 * kSize));
    FERRY_RETURN_IF_ERROR((*made)->clear());
    memory_ = std::move(*made);
  }
  return static_cast<void*>(memory_->address() + offset);
}

void ContextWords::end() {
  const std::lock_guard lock(mutex_);
  has_ended_ = true;
  memory_.reset();
}

}  // namespace ferry
