// SPDX-License-Identifier: Apache-2.0
// A growing array of plain values, and texts. Like all of this folder they need no C++ run-time
// library.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <type_traits>

namespace ferry::companions {

// Zero bytes are an empty array. The owner calls clear(). Functions that allocate return false, and
// change nothing, when there is no memory.
template <class T>
class Array {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  size_t size() const { return count_; }
  T& operator[](size_t i) { return items_[i]; }
  const T& operator[](size_t i) const { return items_[i]; }
  const T* data() const { return items_; }

  bool assign(const T* values, size_t count) {
    T* fresh = nullptr;
    if (count != 0) {
      fresh = static_cast<T*>(std::calloc(count, sizeof(T)));  // checks the product
      if (fresh == nullptr) return false;
      std::memcpy(fresh, values, count * sizeof(T));
    }
    std::free(items_);
    items_ = fresh;
    count_ = capacity_ = count;
    return true;
  }

  bool push(const T& value) {
    if (count_ == capacity_) {
      const size_t larger = capacity_ == 0 ? 8 : capacity_ * 2;
      // NOLINTNEXTLINE(bugprone-sizeof-expression): T may be a pointer
      void* const grown = std::realloc(static_cast<void*>(items_), larger * sizeof(T));
      if (grown == nullptr) return false;
      items_ = static_cast<T*>(grown);
      capacity_ = larger;
    }
    items_[count_++] = value;
    return true;
  }

  void clear() {
    std::free(items_);
    items_ = nullptr;
    count_ = capacity_ = 0;
  }

 private:
  T* items_ = nullptr;
  size_t count_ = 0;
  size_t capacity_ = 0;
};

class Text {
 public:
  const char* c_str() const { return characters_.size() == 0 ? "" : characters_.data(); }
  bool assign(const char* text) { return characters_.assign(text, std::strlen(text) + 1); }
  void clear() { characters_.clear(); }

 private:
  Array<char> characters_;
};

}  // namespace ferry::companions
