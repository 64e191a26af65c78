// SPDX-License-Identifier: Apache-2.0
// The buffers into which threads note what they do: one per thread, written by that thread alone
// and read by the writer thread alone.
#pragma once

#include "layers/trace/open_calls.h"
#include "layers/trace/records.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>

namespace ferry::layers::trace {

// A ring of bytes between one producer and one consumer. Invariants: head and tail only grow; the
// bytes from tail to head are complete records, and the consumer's; all others are the producer's.
// A record never wraps around the end: kSkip fills what is left there.
class Buffer {
 public:
  static constexpr size_t kBytes = size_t{1} << 19;
  static constexpr size_t kLargestRecord = size_t{1} << 14;

  // NULL when there is no memory.
  static std::unique_ptr<Buffer> make() noexcept;

  // ---- the producer ----

  // Appends a record, whose head gives its size, and the text that belongs to it. False when there
  // is no room.
  bool push(const Record& record, size_t size, const void* text, size_t text_size);
  bool push(const Record& record) { return push(record, record.size, nullptr, 0); }
  // Whether the reader should come. Looks at the reader's position only when that seems so.
  bool is_half_full();

  // ---- the consumer ----

  // Hands over what is there now, and makes room. Returns whether there was anything.
  bool drain(const std::function<void(const Record&)>& take);
  bool is_empty() const {
    return head_.load(std::memory_order_acquire) == tail_.load(std::memory_order_relaxed);
  }

  OpenCalls open_calls;                   // of the producer
  uint32_t thread = 0;                    // as the kernel numbers it; constant
  char name[16] = {};                     // of the thread; constant
  std::atomic<bool> is_abandoned{false};  // its thread has ended
  std::atomic<uint64_t> dropped{0};       // records that found no room

 private:
  explicit Buffer(std::unique_ptr<std::byte[]> bytes) : bytes_(std::move(bytes)) {}

  const std::unique_ptr<std::byte[]> bytes_;
  alignas(64) std::atomic<uint64_t> head_{0};
  uint64_t known_tail_ = 0;  // the producer's; not ahead of tail_
  alignas(64) std::atomic<uint64_t> tail_{0};
};

}  // namespace ferry::layers::trace
