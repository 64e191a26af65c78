// SPDX-License-Identifier: Apache-2.0
// A growing array of copies that does not initialise its storage. Appending within the reserved
// capacity only stores the item.
#pragma once

#include "ferry/backend.h"

#include <algorithm>
#include <cstddef>
#include <memory>

namespace ferry {

// Not shared between threads.
class CopyArray {
 public:
  void clear() { size_ = 0; }
  void reserve(size_t count) {
    if (count > capacity_) grow(count);
  }
  void push_back(const ferryx_copy& copy) {
    if (size_ == capacity_) grow(std::max<size_t>(16, 2 * capacity_));
    items_[size_++] = copy;
  }

  // Space for `count` copies after the last one, and the number of them that have been written: for
  // loops that must not touch the array itself after each store.
  ferryx_copy* room_for(size_t count) {
    reserve(size_ + count);
    return items_.get() + size_;
  }
  void add_written(size_t count) { size_ += count; }

  bool empty() const { return size_ == 0; }
  size_t size() const { return size_; }
  const ferryx_copy* data() const { return items_.get(); }
  const ferryx_copy& operator[](size_t index) const { return items_[index]; }

 private:
  void grow(size_t capacity) {
    auto larger = std::make_unique_for_overwrite<ferryx_copy[]>(capacity);
    std::copy_n(items_.get(), size_, larger.get());
    items_ = std::move(larger);
    capacity_ = capacity;
  }

  std::unique_ptr<ferryx_copy[]> items_;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

}  // namespace ferry
