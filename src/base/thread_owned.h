// SPDX-License-Identifier: Apache-2.0
// An object of each thread, made on first use.
#pragma once

#include <pthread.h>

#include <memory>
#include <new>
#include <optional>
#include <utility>

namespace ferry {

// The object of a thread is deleted with it, unless the program has used up all keys. A key,
// because the C library ends the process when it has no memory to note the destructor of a
// thread_local object. The destructors of other keys may ask for the object again, and get a new
// one.
template <class T>
class ThreadOwned {
 public:
  static T* get_if_made() { return own; }

  // Throws std::bad_alloc.
  static T& get() {
    if (own == nullptr) own = make();
    return *own;
  }

  // The thread has no object afterwards. NULL if it had none.
  static std::unique_ptr<T> take() {
    if (own != nullptr && key().has_value()) pthread_setspecific(*key(), nullptr);
    return std::unique_ptr<T>(std::exchange(own, nullptr));
  }

 private:
  static inline thread_local T* own = nullptr;

  static void end(void* object) {
    own = nullptr;
    delete static_cast<T*>(object);
  }

  static const std::optional<pthread_key_t>& key() {
    static const std::optional<pthread_key_t> instance = [] {
      pthread_key_t made{};
      const bool is_made = pthread_key_create(&made, end) == 0;
      return is_made ? std::optional(made) : std::nullopt;
    }();
    return instance;
  }

  static T* make() {
    auto object = std::make_unique<T>();
    if (key().has_value() && pthread_setspecific(*key(), object.get()) != 0) throw std::bad_alloc();
    return object.release();
  }
};

}  // namespace ferry
