// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of buffers of queues: a buffer that frees itself, and values that are no
// buffer. Header only.
#pragma once

#include "support/conformance.h"

#include <cstring>
#include <utility>

namespace conformance::buffers {

// Not copyable. A buffer that became a member of a chain is freed by its head: release() it.
class Buffer {
 public:
  explicit Buffer(size_t capacity = 64) { EXPECT_OK(aclrtAllocBuf(&handle_, capacity)); }
  ~Buffer() {
    if (handle_ != nullptr) {
      EXPECT_OK(aclrtFreeBuf(handle_));
    }
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  aclrtMbuf get() const { return handle_; }
  aclrtMbuf release() { return std::exchange(handle_, nullptr); }
  void append_to(const Buffer& head) { EXPECT_OK(aclrtAppendBufChain(head.get(), release())); }

 private:
  aclrtMbuf handle_ = nullptr;
};

inline aclrtMbuf freed_buffer() {
  Buffer buffer;
  return buffer.get();
}

// What is not NULL and no buffer either.
inline std::vector<aclrtMbuf> no_buffers() {
  static int something = 0;
  return {freed_buffer(), &something, reinterpret_cast<aclrtMbuf>(~uintptr_t{0})};
}

inline size_t data_length(aclrtMbuf buffer) {
  size_t length = ~size_t{0};
  EXPECT_OK(aclrtGetBufDataLen(buffer, &length));
  return length;
}

inline uint32_t chain_length(aclrtMbuf head) {
  uint32_t length = 0;
  EXPECT_OK(aclrtGetBufChainNum(head, &length));
  return length;
}

inline uint8_t* data_of(aclrtMbuf buffer) {
  void* data = nullptr;
  size_t size = 0;
  EXPECT_OK(aclrtGetBufData(buffer, &data, &size));
  return static_cast<uint8_t*>(data);
}

}  // namespace conformance::buffers
