// SPDX-License-Identifier: Apache-2.0
// The allocators by stream.
#include "core/custom_allocators.h"

#include "base/never_destroyed.h"

#include <cstddef>
#include <map>
#include <new>

namespace ferry {
namespace {

struct RegisteredAllocators {
  std::mutex mutex;  // guards by_stream
  std::map<const void*, RegisteredAllocator> by_stream;
};

// A stream that is closed asks for it and must not fail.
RegisteredAllocators& registered_allocators() {
  static NeverDestroyed<RegisteredAllocators> all;
  return *all;
}

}  // namespace

void register_allocator(const void* stream, const RegisteredAllocator& allocator) {
  RegisteredAllocators& all = registered_allocators();
  const std::lock_guard lock(all.mutex);
  all.by_stream[stream] = allocator;
}

std::optional<RegisteredAllocator> find_allocator(const void* stream) {
  RegisteredAllocators& all = registered_allocators();
  const std::lock_guard lock(all.mutex);
  const auto found = all.by_stream.find(stream);
  if (found == all.by_stream.end()) return {};
  return found->second;
}

void unregister_allocator(const void* stream) {
  RegisteredAllocators& all = registered_allocators();
  const std::lock_guard lock(all.mutex);
  all.by_stream.erase(stream);
}

}  // namespace ferry
