// SPDX-License-Identifier: Apache-2.0
// Owners of what a round creates. Each releases it at the end of its scope; a release that fails
// ends the process, like every other call.
#pragma once

#include "soak/must.h"

#include "acl/acl.h"

#include <cstddef>

namespace ferry::tools::soak {

constexpr size_t kBytes = 64 << 10;

/// A handle or an address, and the call that releases it.
class Owned {
 public:
  using Release = aclError (*)(void*);

  Owned(void* object, Release release) : object_(object), release_(release) {}
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() { must(release_(object_)); }

  // NOLINTNEXTLINE(google-explicit-constructor): stands for the object in calls
  operator void*() const { return object_; }
  char* bytes() const { return static_cast<char*>(object_); }

 private:
  void* object_;
  Release release_;
};

/// Calls `create(&object, arguments...)`, and owns what it stores there.
template <typename Create, typename... Arguments>
Owned make(Owned::Release release, Create create, Arguments... arguments) {
  void* object = nullptr;
  must(create(&object, arguments...));
  return {object, release};
}

inline Owned make_stream() {
  return make(aclrtDestroyStream, aclrtCreateStream);
}

inline Owned make_pinned() {
  return make(aclrtFreeHost, aclrtMallocHost, kBytes);
}

inline Owned make_device_memory() {
  return make(aclrtFree, aclrtMalloc, kBytes, ACL_MEM_MALLOC_HUGE_FIRST);
}

}  // namespace ferry::tools::soak
