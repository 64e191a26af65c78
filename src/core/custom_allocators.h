// SPDX-License-Identifier: Apache-2.0
// Allocators of the program that are registered for streams. Nothing here calls them: only
// operators and models would.
#pragma once

#include "base/status.h"
#include "core/handle_table.h"

#include "acl/acl_rt_allocator.h"

#include <mutex>
#include <optional>

namespace ferry {

struct AllocatorFunctions {
  aclrtAllocator object = nullptr;
  aclrtAllocatorAllocFunc allocate = nullptr;
  aclrtAllocatorFreeFunc free = nullptr;
  aclrtAllocatorAllocAdviseFunc allocate_at = nullptr;  // may stay nullptr
  aclrtAllocatorGetAddrFromBlockFunc address_of = nullptr;
};

// May be shared between threads.
class AllocatorDesc final : public Handled {
 public:
  static constexpr HandleKind kHandleKind = HandleKind::kAllocatorDesc;

  template <class T>
  void set(T AllocatorFunctions::*member, T value) {
    const std::lock_guard lock(mutex_);
    functions_.*member = value;
  }
  AllocatorFunctions get() const {
    const std::lock_guard lock(mutex_);
    return functions_;
  }

 private:
  mutable std::mutex mutex_;  // guards functions_
  AllocatorFunctions functions_;
};

struct RegisteredAllocator {
  void* desc = nullptr;  // the handle that the program has registered; it may be destroyed by now
  AllocatorFunctions functions;
};

// The stream is only a key; it need not exist.
void register_allocator(const void* stream, const RegisteredAllocator& allocator);
std::optional<RegisteredAllocator> find_allocator(const void* stream);
// Does nothing when there is none. Needs no memory.
void unregister_allocator(const void* stream);

}  // namespace ferry
