// SPDX-License-Identifier: Apache-2.0
// The containers that companion libraries give to programs by their addresses. Each live one is
// listed, so that an address that was destroyed, or never was one, is refused instead of read.
#pragma once

#include "companions/support.h"

#include <cstdlib>
#include <new>

namespace ferry::companions {

enum class Kind : uint32_t {
  kDataItem = 1,
  kDataset,
  kQueueAttribute,
  kRoute,
  kRouteList,
  kRouteQuery,
  kTensor,
  kAttributes,
  kDomain,
  kHeap,
};

// The start of every container.
struct Object {
  Kind kind;
  Object* next;  // in the list of live ones
};

void enlist(Object& object, Kind kind);
bool is_live(const void* address, Kind kind);
// False when it was not listed: another thread has destroyed it.
bool delist(const void* address, Kind kind);

// Each container derives from this; kKind and kName say what it is.
template <class T>
T* create(const char* function) {
  void* const memory = std::calloc(1, sizeof(T));
  if (memory == nullptr) {
    fail_memory(function);
    return nullptr;
  }
  T* const made = new (memory) T();
  enlist(*made, T::kKind);
  return made;
}

// The container at an address; nullptr after a text was recorded for the failure.
template <class T, class Handle>
T* find(const char* function, const char* argument, Handle* address) {
  if (address == nullptr) {
    fail_null(function, argument);
    return nullptr;
  }
  const void* const plain = address;
  if (is_live(plain, T::kKind)) return static_cast<T*>(const_cast<void*>(plain));
  fail(function, ACL_ERROR_INVALID_PARAM, "%s is %p, which is not a live %s", argument, plain,
       T::kName);
  return nullptr;
}

// Destroys it; its member clear() gives back what it holds.
template <class T, class Handle>
aclError destroy(const char* function, const char* argument, Handle* address) {
  T* const found = find<T>(function, argument, address);
  if (found == nullptr) return ACL_ERROR_INVALID_PARAM;
  if (!delist(found, T::kKind)) {
    return fail(function, ACL_ERROR_INVALID_PARAM, "%s was destroyed meanwhile", argument);
  }
  found->clear();
  std::free(found);
  return ACL_SUCCESS;
}

}  // namespace ferry::companions
