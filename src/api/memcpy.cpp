// SPDX-License-Identifier: Apache-2.0
// Single copies.
#include "api/adapters.h"
#include "api/arguments.h"
#include "base/status.h"
#include "core/copy.h"
#include "core/runtime.h"

namespace ferry::api {
namespace {

Status check_pointers_and_kind(const void* dst, const void* src, aclrtMemcpyKind kind) {
  if (dst == nullptr) return fail_null("dst");
  if (src == nullptr) return fail_null("src");
  if (kind < ACL_MEMCPY_HOST_TO_HOST || kind > ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "kind", kind).allowed("0 to 5");
  }
  return {};
}

// Whether the call is over because there is nothing to copy.
bool is_done_at_once(size_t count) {
  return count == 0 && release().empty_copies_succeed;
}

Status check_capacity(size_t dest_max, size_t count) {
  if (count == 0) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "count", count)
        .allowed("1 to destMax = %zu", dest_max);
  }
  if (count <= dest_max) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "count", count)
      .allowed("0 to destMax = %zu", dest_max);
}

}  // namespace

aclError aclrtMemcpy(void* dst, size_t destMax, const void* src, size_t count,
                     aclrtMemcpyKind kind) {
  if (is_done_at_once(count)) return ACL_SUCCESS;
  FERRY_RETURN_IF_ERROR(check_pointers_and_kind(dst, src, kind));
  FERRY_RETURN_IF_ERROR(check_capacity(destMax, count));
  if (dst == src) return ACL_SUCCESS;
  return copy_now({.dst = dst, .src = src, .size = count});
}

aclError aclrtMemcpyAsync(void* dst, size_t destMax, const void* src, size_t count,
                          aclrtMemcpyKind kind, aclrtStream stream) {
  if (is_done_at_once(count)) return ACL_SUCCESS;
  FERRY_RETURN_IF_ERROR(check_pointers_and_kind(dst, src, kind));
  FERRY_TRY(Ref<Stream>, given, stream_if_given(stream));
  FERRY_RETURN_IF_ERROR(check_capacity(destMax, count));
  return copy_async({.dst = dst, .src = src, .size = count}, kind, std::move(*given));
}

aclError aclrtMemcpyAsyncWithCondition(void* dst, size_t destMax, const void* src, size_t count,
                                       aclrtMemcpyKind kind, aclrtStream stream) {
  return api::aclrtMemcpyAsync(dst, destMax, src, count, kind, stream);
}

}  // namespace ferry::api
