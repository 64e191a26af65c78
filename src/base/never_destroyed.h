// SPDX-License-Identifier: Apache-2.0
// Objects that live as long as the process.
#pragma once

#include <new>

namespace ferry {

// For static variables. Never destroyed, because threads may use the object while the process
// exits; made without memory from the heap, because places that use it must not fail.
template <class T>
class NeverDestroyed {
 public:
  NeverDestroyed() : object_(new (room_) T) {}
  NeverDestroyed(const NeverDestroyed&) = delete;
  NeverDestroyed& operator=(const NeverDestroyed&) = delete;

  T& operator*() { return *object_; }

 private:
  alignas(T) unsigned char room_[sizeof(T)];
  T* const object_;
};

}  // namespace ferry
