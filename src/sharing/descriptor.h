// SPDX-License-Identifier: Apache-2.0
// A file descriptor that belongs to this process alone: it is closed in a child of fork, and by
// exec. So the end of the process is the end of its sockets and locks, whatever children live on.
#pragma once

#include <memory>
#include <utility>

namespace ferry::sharing {

// Owns the descriptor. Not safe to share between threads.
class Descriptor {
 public:
  Descriptor() = default;
  // Takes over an open descriptor; -1 is none. Throws std::bad_alloc, with the descriptor closed. A
  // child that another thread forks just before keeps it open: made_by() excludes that.
  explicit Descriptor(int number);
  ~Descriptor() { reset(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) {
      reset();
      number_ = std::exchange(other.number_, -1);
    }
    return *this;
  }

  // Takes over what `make` returns: a new descriptor, or -1 with a reason in errno, which is kept.
  // Calls of fork wait meanwhile, so `make` must not block and must not use another Descriptor.
  template <class Make>
  static Descriptor made_by(Make make) {
    return made_by([](void* argument) { return (*static_cast<Make*>(argument))(); },
                   std::addressof(make));
  }

  explicit operator bool() const { return number_ >= 0; }
  int number() const { return number_; }
  // Ends the ownership: the caller closes it, and children of fork inherit it again.
  int release();
  // Closes it. In a child of fork it is closed already, and its number may stand for another file:
  // nothing is closed there.
  void reset();

 private:
  static Descriptor made_by(int (*make)(void*), void* argument);

  int number_ = -1;
};

}  // namespace ferry::sharing
