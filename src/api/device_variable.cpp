// SPDX-License-Identifier: Apache-2.0
// Device variables: their place, and copies from and to them.
#include "core/kernel/device_variable.h"

#include "api/adapters.h"
#include "api/arguments.h"
#include "base/status.h"
#include "core/context.h"
#include "core/copy.h"

namespace ferry::api {
namespace {

struct SymbolCopy {
  const void* symbol;
  size_t count;
  size_t offset;
  aclrtMemcpyKind kind;
  aclrtMemcpyKind direction;  // the other kind that is allowed besides the default
};

// The kind, and the part of the variable that is copied: its address on the current device.
Result<char*> check_copy(const SymbolCopy& copy) {
  if (copy.kind != copy.direction && copy.kind != ACL_MEMCPY_DEFAULT) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "kind", copy.kind)
        .allowed("%d or %d", copy.direction, ACL_MEMCPY_DEFAULT);
  }
  FERRY_TRY(const DeviceVariable*, variable, find_variable(copy.symbol));
  const size_t size = (*variable)->size;
  if (copy.offset > size || copy.count > size - copy.offset) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "count", copy.count)
        .because(" from offset %zu on, but the variable has %zu bytes", copy.offset, size);
  }
  FERRY_TRY(Ref<Context>, context, current_context());
  FERRY_TRY(void*, address, address_of_variable(**variable, (*context)->device()));
  return static_cast<char*>(*address) + copy.offset;
}

struct FromSymbol {
  void* dst;
  size_t capacity;
  const void* symbol;
  size_t count;
  size_t offset;
  aclrtMemcpyKind kind;
};

Result<CopyRequest> check_from(const FromSymbol& from) {
  if (from.dst == nullptr) return fail_null("dst");
  if (from.symbol == nullptr) return fail_null("symbol");
  if (from.count > from.capacity) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "count", from.count)
        .allowed("0 to dstMax = %zu", from.capacity);
  }
  FERRY_TRY(
      char*, src,
      check_copy({from.symbol, from.count, from.offset, from.kind, ACL_MEMCPY_DEVICE_TO_HOST}));
  return CopyRequest{.dst = from.dst, .src = *src, .size = from.count};
}

struct ToSymbol {
  const void* symbol;
  const void* src;
  size_t count;
  size_t offset;
  aclrtMemcpyKind kind;
};

Result<CopyRequest> check_to(const ToSymbol& to) {
  if (to.symbol == nullptr) return fail_null("symbol");
  if (to.src == nullptr) return fail_null("src");
  FERRY_TRY(char*, dst,
            check_copy({to.symbol, to.count, to.offset, to.kind, ACL_MEMCPY_HOST_TO_DEVICE}));
  return CopyRequest{.dst = *dst, .src = to.src, .size = to.count};
}

}  // namespace

aclError aclrtGetSymbolAddress(const void* symbol, void** devPtr) {
  if (symbol == nullptr) return fail_null("symbol");
  if (devPtr == nullptr) return fail_null("devPtr");
  FERRY_TRY(const DeviceVariable*, variable, find_variable(symbol));
  FERRY_TRY(Ref<Context>, context, current_context());
  FERRY_TRY(void*, address, address_of_variable(**variable, (*context)->device()));
  *devPtr = *address;
  return ACL_SUCCESS;
}

aclError aclrtGetSymbolSize(const void* symbol, size_t* size) {
  if (symbol == nullptr) return fail_null("symbol");
  if (size == nullptr) return fail_null("size");
  FERRY_TRY(const DeviceVariable*, variable, find_variable(symbol));
  *size = (*variable)->size;
  return ACL_SUCCESS;
}

aclError aclrtMemcpyFromSymbol(void* dst, size_t dstMax, const void* symbol, size_t count,
                               size_t offset, aclrtMemcpyKind kind) {
  if (count == 0) return ACL_SUCCESS;
  FERRY_TRY(CopyRequest, request, check_from({dst, dstMax, symbol, count, offset, kind}));
  return copy_now(*request);
}

aclError aclrtMemcpyFromSymbolAsync(void* dst, size_t dstMax, const void* symbol, size_t count,
                                    size_t offset, aclrtMemcpyKind kind, aclrtStream stream) {
  if (count == 0) return ACL_SUCCESS;
  FERRY_TRY(CopyRequest, request, check_from({dst, dstMax, symbol, count, offset, kind}));
  FERRY_TRY(Ref<Stream>, given, stream_if_given(stream));
  return copy_async(*request, kind, std::move(*given));
}

aclError aclrtMemcpyToSymbol(const void* symbol, const void* src, size_t count, size_t offset,
                             aclrtMemcpyKind kind) {
  if (count == 0) return ACL_SUCCESS;
  FERRY_TRY(CopyRequest, request, check_to({symbol, src, count, offset, kind}));
  return copy_now(*request);
}

aclError aclrtMemcpyToSymbolAsync(const void* symbol, const void* src, size_t count, size_t offset,
                                  aclrtMemcpyKind kind, aclrtStream stream) {
  if (count == 0) return ACL_SUCCESS;
  FERRY_TRY(CopyRequest, request, check_to({symbol, src, count, offset, kind}));
  FERRY_TRY(Ref<Stream>, given, stream_if_given(stream));
  return copy_async(*request, kind, std::move(*given));
}

}  // namespace ferry::api
