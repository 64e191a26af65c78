// SPDX-License-Identifier: Apache-2.0
// A chain is a list in its head; members only know that they are in one.
#include "core/profile/message_buffer.h"

#include <cstdlib>
#include <cstring>
#include <mutex>
#include <utility>

namespace ferry {
namespace {

constexpr size_t kDataAlignment = 64;

// Guards lengths, private bytes and chains of all buffers: a chain joins several of them.
std::mutex& buffers_mutex() {
  static auto* instance = new std::mutex;
  return *instance;
}

Status fail_member(const void* buffer, const void* head) {
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1017, "buf", buffer)
      .because(", which belongs to the chain of buffer %p", head);
}

}  // namespace

Result<Ref<MessageBuffer>> MessageBuffer::create(size_t capacity) {
  const size_t rounded = (capacity + kDataAlignment - 1) / kDataAlignment * kDataAlignment;
  Data data{{static_cast<char*>(std::aligned_alloc(kDataAlignment, rounded)), std::free}, capacity};
  if (data.bytes == nullptr) {
    return fail(ACL_ERROR_BAD_ALLOC, kEH9999, "host memory is exhausted: %zu bytes are not free",
                capacity);
  }
  auto shared = std::make_shared<const Data>(std::move(data));
  return HandleTable<MessageBuffer>::instance().insert(
      std::unique_ptr<MessageBuffer>(new MessageBuffer(std::move(shared))));
}

Ref<MessageBuffer> MessageBuffer::share() const {
  std::unique_ptr<MessageBuffer> second(new MessageBuffer(data_));
  {
    const std::lock_guard lock(buffers_mutex());
    second->length_ = length_;
    second->private_ = private_;
  }
  return HandleTable<MessageBuffer>::instance().insert(std::move(second));
}

Status MessageBuffer::free(const Ref<MessageBuffer>& buffer) {
  auto& table = HandleTable<MessageBuffer>::instance();
  std::vector<Ref<MessageBuffer>> members;
  Ref<MessageBuffer> last;  // ends the life of the buffer after the lock is released
  {
    const std::lock_guard lock(buffers_mutex());
    if (buffer->head_ != nullptr) return fail_member(buffer->handle(), buffer->head_);
    last = table.remove(buffer->handle());
    if (!last) return fail_handle(ACL_ERROR_RT_INVALID_HANDLE, "buf", buffer->handle(), "buffer");
    members.swap(buffer->members_);
    for (const Ref<MessageBuffer>& member : members)
      static_cast<void>(table.remove(member->handle()));
  }
  return {};
}

size_t MessageBuffer::length() const {
  const std::lock_guard lock(buffers_mutex());
  return length_;
}

Status MessageBuffer::set_length(size_t length) {
  if (length > capacity()) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "len", length)
        .allowed("0 to the capacity of the buffer, %zu", capacity());
  }
  const std::lock_guard lock(buffers_mutex());
  length_ = length;
  return {};
}

void MessageBuffer::read_private(void* to, size_t size, size_t offset) const {
  const std::lock_guard lock(buffers_mutex());
  std::memcpy(to, private_.data() + offset, size);
}

void MessageBuffer::write_private(const void* from, size_t size, size_t offset) {
  const std::lock_guard lock(buffers_mutex());
  std::memcpy(private_.data() + offset, from, size);
}

Status MessageBuffer::append(const Ref<MessageBuffer>& head, const Ref<MessageBuffer>& buffer) {
  const std::lock_guard lock(buffers_mutex());
  FERRY_RETURN_IF_ERROR(head->check_head());
  if (head.get() == buffer.get()) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1017, "buf", buffer->handle())
        .because(", which is the head of the chain itself");
  }
  if (buffer->head_ != nullptr) return fail_member(buffer->handle(), buffer->head_);
  if (!buffer->members_.empty()) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1017, "buf", buffer->handle())
        .because(", which is the head of a chain of %zu buffers", buffer->members_.size() + 1);
  }
  if (head->members_.size() + 1 >= kLongestChain) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1017, "headBuf", head->handle())
        .because(", whose chain is full: allowed are %zu buffers", kLongestChain);
  }
  // Another thread may have freed one of them since they were found.
  auto& table = HandleTable<MessageBuffer>::instance();
  for (const Ref<MessageBuffer>& each : {head, buffer}) {
    if (!table.find(each->handle())) {
      return fail_handle(ACL_ERROR_RT_INVALID_HANDLE, "buf", each->handle(), "buffer");
    }
  }
  head->members_.push_back(buffer);
  buffer->head_ = head->handle();
  return {};
}

Status MessageBuffer::check_head() const {
  if (head_ == nullptr) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1017, "headBuf", handle())
      .because(", which is not the head of its chain; that is buffer %p", head_);
}

Result<uint32_t> MessageBuffer::chain_length() const {
  const std::lock_guard lock(buffers_mutex());
  FERRY_RETURN_IF_ERROR(check_head());
  return static_cast<uint32_t>(members_.size() + 1);
}

Result<void*> MessageBuffer::handle_at(uint32_t index) const {
  const std::lock_guard lock(buffers_mutex());
  FERRY_RETURN_IF_ERROR(check_head());
  if (index > members_.size()) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "index", index)
        .allowed("0 to %zu", members_.size());
  }
  return index == 0 ? handle() : members_[index - 1]->handle();
}

Result<Ref<MessageBuffer>> find_message_buffer(const void* handle, const char* argument) {
  Ref<MessageBuffer> found = HandleTable<MessageBuffer>::instance().find(handle);
  if (found) return found;
  return fail_handle(ACL_ERROR_RT_INVALID_HANDLE, argument, handle, "buffer");
}

}  // namespace ferry
