// SPDX-License-Identifier: Apache-2.0
// Buffers for queues: host memory with a data length, private bytes of the program, and a place in
// a chain.
#pragma once

#include "base/status.h"
#include "core/handle_table.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ferry {

// A buffer is alone, the head of a chain, or a member of one. Its data may be shared with other
// buffers; length, private bytes and place in a chain are its own. May be shared between threads:
// one lock, in message_buffer.cpp, guards the members of all buffers.
class MessageBuffer final : public Handled {
 public:
  static constexpr HandleKind kHandleKind = HandleKind::kMessageBuffer;
  static constexpr uint64_t kLargest = uint64_t{1} << 32;  // 4 GiB
  static constexpr size_t kPrivateBytes = 96;
  static constexpr size_t kLongestChain = 128;  // buffers, the head included

  // 200000 when there is no memory.
  static Result<Ref<MessageBuffer>> create(size_t capacity);
  // A second buffer with the same data. Length and private bytes are copied; it is in no chain.
  Ref<MessageBuffer> share() const;
  // Ends the life of the buffer and, if it is the head of a chain, of all members. Data lives until
  // its last buffer ends. 107000 for a member.
  static Status free(const Ref<MessageBuffer>& buffer);

  void* data() const { return data_->bytes.get(); }
  size_t capacity() const { return data_->capacity; }
  size_t length() const;
  // 107000 when it is more than the capacity.
  Status set_length(size_t length);

  // The caller has checked the range.
  void read_private(void* to, size_t size, size_t offset) const;
  void write_private(const void* from, size_t size, size_t offset);

  // Appends `buffer`, which is alone, to the chain of `head`, which is a member of none.
  static Status append(const Ref<MessageBuffer>& head, const Ref<MessageBuffer>& buffer);
  // How many buffers the chain of this head has. 107000 for a member.
  Result<uint32_t> chain_length() const;
  // The handle of a buffer of the chain; 0 is the head. 107000 when the chain ends before.
  Result<void*> handle_at(uint32_t index) const;

 private:
  struct Data {
    std::unique_ptr<char, void (*)(void*)> bytes;
    size_t capacity;
  };

  explicit MessageBuffer(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  Status check_head() const;

  const std::shared_ptr<const Data> data_;
  size_t length_ = 0;
  std::array<char, kPrivateBytes> private_{};
  void* head_ = nullptr;                     // handle of the head whose chain this is a member of
  std::vector<Ref<MessageBuffer>> members_;  // of the chain that starts here
};

// 107017 when the handle is not that of a live buffer.
Result<Ref<MessageBuffer>> find_message_buffer(const void* handle, const char* argument);

}  // namespace ferry
