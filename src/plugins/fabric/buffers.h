// SPDX-License-Identifier: Apache-2.0
// Bytes on their way. Large buffers are kept and used again: their pages are there already, and a
// fault per page would cost more than copying it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace ferry::fabric {

// Its bytes are undefined at first.
class Buffer {
 public:
  Buffer() = default;
  Buffer(size_t size, size_t capacity)
      : bytes_(new uint8_t[capacity]), size_(size), capacity_(capacity) {}

  uint8_t* data() const { return bytes_.get(); }
  size_t size() const { return size_; }
  size_t capacity() const { return capacity_; }
  bool is_empty() const { return bytes_ == nullptr; }
  void resize_within_capacity(size_t size) { size_ = size; }

 private:
  std::unique_ptr<uint8_t[]> bytes_;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

// Not shared between threads without a lock.
class BufferPool {
 public:
  Buffer take(size_t size) {
    if (size <= kSmall || size > kKept) return {size, size};
    if (kept_.empty()) return {size, kKept};
    Buffer buffer = std::move(kept_.back());
    kept_.pop_back();
    buffer.resize_within_capacity(size);
    return buffer;
  }
  void give(Buffer buffer) {
    if (buffer.capacity() == kKept && kept_.size() < kMostKept) kept_.push_back(std::move(buffer));
  }

  // Smaller buffers come from the heap, which keeps their pages itself.
  static constexpr size_t kSmall = size_t{32} << 10;
  // A packed request with its list, or a piece of pageable memory (requests.h).
  static constexpr size_t kKept = size_t{1} << 20;
  static constexpr size_t kMostKept = 24;

 private:
  std::vector<Buffer> kept_;
};

}  // namespace ferry::fabric
