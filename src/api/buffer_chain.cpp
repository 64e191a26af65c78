// SPDX-License-Identifier: Apache-2.0
// Buffers of queues, and chains of them.
#include "api/adapters.h"
#include "base/status.h"
#include "core/profile/message_buffer.h"

namespace ferry::api {
namespace {

Result<Ref<MessageBuffer>> buffer_of(const void* handle, const char* argument = "buf") {
  if (handle == nullptr) return fail_null(argument);
  return find_message_buffer(handle, argument);
}

// The contract checks the range before anything else.
Status check_private_range(size_t size, size_t offset) {
  constexpr size_t kMost = MessageBuffer::kPrivateBytes;
  if (offset > kMost || size > kMost - offset) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "size", size)
        .detail(" and offset is %zu, allowed is ", offset)
        .allowed("a sum of up to %zu", kMost);
  }
  return {};
}

Status check_private_access(const void* buffer, const void* data, size_t size) {
  if (buffer == nullptr) return fail_null("buf");
  if (data == nullptr) return fail_null("dataPtr");
  if (size != 0) return {};
  return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "size", 0)
      .allowed("1 to %zu", MessageBuffer::kPrivateBytes);
}

}  // namespace

aclError aclrtAllocBuf(aclrtMbuf* buf, size_t size) {
  if (buf == nullptr) return fail_null("buf");
  if (size == 0) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "size", 0).allowed("1 or more");
  }
  if (size > MessageBuffer::kLargest) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "size", size)
        .allowed("1 to %llu", static_cast<unsigned long long>(MessageBuffer::kLargest));
  }
  FERRY_TRY(Ref<MessageBuffer>, made, MessageBuffer::create(size));
  *buf = (*made)->handle();
  return ACL_SUCCESS;
}

aclError aclrtFreeBuf(aclrtMbuf buf) {
  FERRY_TRY(Ref<MessageBuffer>, found, buffer_of(buf));
  return MessageBuffer::free(*found);
}

aclError aclrtSetBufDataLen(aclrtMbuf buf, size_t len) {
  FERRY_TRY(Ref<MessageBuffer>, found, buffer_of(buf));
  return (*found)->set_length(len);
}

aclError aclrtGetBufDataLen(aclrtMbuf buf, size_t* len) {
  if (buf == nullptr) return fail_null("buf");
  if (len == nullptr) return fail_null("len");
  FERRY_TRY(Ref<MessageBuffer>, found, buffer_of(buf));
  *len = (*found)->length();
  return ACL_SUCCESS;
}

aclError aclrtGetBufData(const aclrtMbuf buf, void** dataPtr, size_t* size) {
  if (buf == nullptr) return fail_null("buf");
  if (dataPtr == nullptr) return fail_null("dataPtr");
  if (size == nullptr) return fail_null("size");
  FERRY_TRY(Ref<MessageBuffer>, found, buffer_of(buf));
  *dataPtr = (*found)->data();
  *size = (*found)->capacity();
  return ACL_SUCCESS;
}

aclError aclrtGetBufUserData(const aclrtMbuf buf, void* dataPtr, size_t size, size_t offset) {
  FERRY_RETURN_IF_ERROR(check_private_range(size, offset));
  FERRY_RETURN_IF_ERROR(check_private_access(buf, dataPtr, size));
  FERRY_TRY(Ref<MessageBuffer>, found, buffer_of(buf));
  (*found)->read_private(dataPtr, size, offset);
  return ACL_SUCCESS;
}

aclError aclrtSetBufUserData(aclrtMbuf buf, const void* dataPtr, size_t size, size_t offset) {
  FERRY_RETURN_IF_ERROR(check_private_range(size, offset));
  FERRY_RETURN_IF_ERROR(check_private_access(buf, dataPtr, size));
  FERRY_TRY(Ref<MessageBuffer>, found, buffer_of(buf));
  (*found)->write_private(dataPtr, size, offset);
  return ACL_SUCCESS;
}

aclError aclrtCopyBufRef(const aclrtMbuf buf, aclrtMbuf* newBuf) {
  if (buf == nullptr) return fail_null("buf");
  if (newBuf == nullptr) return fail_null("newBuf");
  FERRY_TRY(Ref<MessageBuffer>, found, buffer_of(buf));
  *newBuf = (*found)->share()->handle();
  return ACL_SUCCESS;
}

aclError aclrtAppendBufChain(aclrtMbuf headBuf, aclrtMbuf buf) {
  if (headBuf == nullptr) return fail_null("headBuf");
  if (buf == nullptr) return fail_null("buf");
  FERRY_TRY(Ref<MessageBuffer>, head, buffer_of(headBuf, "headBuf"));
  FERRY_TRY(Ref<MessageBuffer>, found, buffer_of(buf));
  return MessageBuffer::append(*head, *found);
}

aclError aclrtGetBufChainNum(aclrtMbuf headBuf, uint32_t* num) {
  if (headBuf == nullptr) return fail_null("headBuf");
  if (num == nullptr) return fail_null("num");
  FERRY_TRY(Ref<MessageBuffer>, head, buffer_of(headBuf, "headBuf"));
  FERRY_TRY(uint32_t, length, (*head)->chain_length());
  *num = *length;
  return ACL_SUCCESS;
}

aclError aclrtGetBufFromChain(aclrtMbuf headBuf, uint32_t index, aclrtMbuf* buf) {
  if (headBuf == nullptr) return fail_null("headBuf");
  if (buf == nullptr) return fail_null("buf");
  FERRY_TRY(Ref<MessageBuffer>, head, buffer_of(headBuf, "headBuf"));
  FERRY_TRY(void*, found, (*head)->handle_at(index));
  *buf = *found;
  return ACL_SUCCESS;
}

}  // namespace ferry::api
