// SPDX-License-Identifier: Apache-2.0
// The lists of live containers, by their addresses.
#include "companions/object.h"

#include <pthread.h>

namespace ferry::companions {
namespace {

constexpr size_t kLists = 1024;

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;  // protects what follows
Object* lists[kLists];

class Lock {
 public:
  Lock() { pthread_mutex_lock(&mutex); }
  ~Lock() { pthread_mutex_unlock(&mutex); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
};

Object*& list_of(const void* address) {
  // Allocations are aligned to 16 bytes.
  const auto number = reinterpret_cast<uintptr_t>(address) >> 4;
  return lists[(number ^ (number >> 10)) % kLists];
}

// Where the link to the container is; where the list ends if there is none. Reads listed ones only.
Object** find_link(const void* address, Kind kind) {
  Object** link = &list_of(address);
  while (*link != nullptr && (*link != address || (*link)->kind != kind))
    link = &(*link)->next;
  return link;
}

}  // namespace

void enlist(Object& object, Kind kind) {
  const Lock lock;
  object.kind = kind;
  object.next = list_of(&object);
  list_of(&object) = &object;
}

bool is_live(const void* address, Kind kind) {
  const Lock lock;
  return *find_link(address, kind) != nullptr;
}

bool delist(const void* address, Kind kind) {
  const Lock lock;
  Object** const link = find_link(address, kind);
  if (*link == nullptr) return false;
  *link = (*link)->next;
  return true;
}

}  // namespace ferry::companions
