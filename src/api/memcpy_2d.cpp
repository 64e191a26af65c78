// SPDX-License-Identifier: Apache-2.0
// Copies of rows.
#include "api/adapters.h"
#include "api/arguments.h"
#include "base/status.h"
#include "core/context.h"
#include "core/copy_2d.h"
#include "core/runtime.h"

namespace ferry::api {
namespace {

constexpr size_t kMostRows = 5242880;
constexpr size_t kWidestRow = 5000000;

// Whether the call is over because there is nothing to copy.
bool is_empty_and_done(size_t width, size_t height) {
  return (width == 0 || height == 0) && release().empty_copies_succeed;
}

Status check_not_empty(const Copy2dRequest& request) {
  if (request.width == 0) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "width", 0).allowed("1 or more");
  }
  if (request.height == 0) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "height", 0).allowed("1 or more");
  }
  return {};
}

Status check_kind_of_rows(aclrtMemcpyKind kind) {
  if (kind < ACL_MEMCPY_HOST_TO_DEVICE || kind > ACL_MEMCPY_DEFAULT) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "kind", kind).allowed("1 to 4");
  }
  if (kind == ACL_MEMCPY_DEVICE_TO_DEVICE && !release().rows_inside_device) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "kind", kind).allowed("1, 2 and 4");
  }
  return {};
}

Status check_shape(const Copy2dRequest& request, aclrtMemcpyKind kind) {
  if (request.dst == nullptr) return fail_null("dst");
  if (request.src == nullptr) return fail_null("src");
  FERRY_RETURN_IF_ERROR(check_not_empty(request));
  if (request.width > request.src_pitch || request.width > request.dst_pitch) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0009, "width", request.width)
        .allowed("up to spitch = %llu and dpitch = %llu",
                 static_cast<unsigned long long>(request.src_pitch),
                 static_cast<unsigned long long>(request.dst_pitch));
  }
  return check_kind_of_rows(kind);
}

Status check_limits(const Copy2dRequest& request) {
  if (request.height > kMostRows) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "height", request.height)
        .allowed("0 to %zu", kMostRows);
  }
  if (request.width > kWidestRow) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "width", request.width)
        .allowed("0 to %zu", kWidestRow);
  }
  return {};
}

}  // namespace

aclError aclrtMemcpy2d(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                       size_t height, aclrtMemcpyKind kind) {
  if (is_empty_and_done(width, height)) return ACL_SUCCESS;
  const Copy2dRequest request{.dst = dst,
                              .dst_pitch = dpitch,
                              .src = src,
                              .src_pitch = spitch,
                              .width = width,
                              .height = height};
  FERRY_RETURN_IF_ERROR(check_shape(request, kind));
  FERRY_RETURN_IF_ERROR(check_limits(request));
  if (kind == ACL_MEMCPY_DEVICE_TO_DEVICE) {
    return reject(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kWE0001, "kind", "ACL_MEMCPY_DEVICE_TO_DEVICE")
        .because(", which only aclrtMemcpy2dAsync supports");
  }
  return copy_2d_now(request);
}

aclError aclrtMemcpy2dAsync(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                            size_t height, aclrtMemcpyKind kind, aclrtStream stream) {
  if (is_empty_and_done(width, height)) return ACL_SUCCESS;
  const Copy2dRequest request{.dst = dst,
                              .dst_pitch = dpitch,
                              .src = src,
                              .src_pitch = spitch,
                              .width = width,
                              .height = height};
  FERRY_RETURN_IF_ERROR(check_shape(request, kind));
  FERRY_TRY(Ref<Stream>, given, stream_if_given(stream));
  if (stream == nullptr && !find_current_context()) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1004, "stream", nullptr)
        .because(" and the calling thread has no context with a default stream");
  }
  FERRY_RETURN_IF_ERROR(check_limits(request));
  return copy_2d_async(request, kind, std::move(*given));
}

}  // namespace ferry::api
