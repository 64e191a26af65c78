// SPDX-License-Identifier: Apache-2.0
// The ring of a thread. Publishing a record is one release store of the head; freeing it one of the
// tail.
#include "layers/trace/buffer.h"

#include <new>

namespace ferry::layers::trace {

static_assert((Buffer::kBytes & (Buffer::kBytes - 1)) == 0);

std::unique_ptr<Buffer> Buffer::make() noexcept {
  // The pages are taken when they are first written.
  std::unique_ptr<std::byte[]> bytes(new (std::nothrow) std::byte[kBytes]);
  if (bytes == nullptr) return nullptr;
  return std::unique_ptr<Buffer>(new (std::nothrow) Buffer(std::move(bytes)));
}

bool Buffer::push(const Record& record, size_t size, const void* text, size_t text_size) {
  const uint64_t head = head_.load(std::memory_order_relaxed);
  const size_t at = head & (kBytes - 1);
  const size_t skipped = at + record.size > kBytes ? kBytes - at : 0;
  const uint64_t end = head + skipped + record.size;
  if (end - known_tail_ > kBytes) {
    known_tail_ = tail_.load(std::memory_order_acquire);
    if (end - known_tail_ > kBytes) return false;
  }
  std::byte* to = bytes_.get() + at;
  if (skipped != 0) {
    const Record skip{
        .size = static_cast<uint32_t>(skipped), .type = RecordType::kSkip, .parts = 0};
    std::memcpy(to, &skip, sizeof skip);
    to = bytes_.get();
  }
  std::memcpy(to, &record, size);
  if (text_size != 0) std::memcpy(to + size, text, text_size);
  head_.store(end, std::memory_order_release);
  return true;
}

bool Buffer::is_half_full() {
  const uint64_t head = head_.load(std::memory_order_relaxed);
  if (head - known_tail_ < kBytes / 2) return false;
  known_tail_ = tail_.load(std::memory_order_acquire);
  return head - known_tail_ >= kBytes / 2;
}

bool Buffer::drain(const std::function<void(const Record&)>& take) {
  const uint64_t head = head_.load(std::memory_order_acquire);
  uint64_t tail = tail_.load(std::memory_order_relaxed);
  if (tail == head) return false;
  while (tail != head) {
    // Records begin at multiples of 8, and so does the memory of new[].
    const auto& record = *reinterpret_cast<const Record*>(bytes_.get() + (tail & (kBytes - 1)));
    if (record.type != RecordType::kSkip) take(record);
    tail += record.size;
    tail_.store(tail, std::memory_order_release);  // a thread may wait for room
  }
  return true;
}

}  // namespace ferry::layers::trace
