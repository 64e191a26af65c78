// SPDX-License-Identifier: Apache-2.0
// 2D copies. A range is validated as the span from its first to its last byte; pageable memory row
// by row.
#include "core/copy_2d.h"

#include "base/work.h"
#include "core/copy.h"
#include "core/location.h"
#include "core/model/capture.h"
#include "core/runtime.h"

namespace ferry {
namespace {

// Bytes from the first to the last one accessed; UINT64_MAX on overflow. The limits on width and
// height do not bound the pitch.
uint64_t span_of(uint64_t pitch, const Copy2dRequest& request) {
  uint64_t rows = 0;
  uint64_t span = 0;
  if (__builtin_mul_overflow(request.height - 1, pitch, &rows) ||
      __builtin_add_overflow(rows, request.width, &span)) {
    return UINT64_MAX;
  }
  return span;
}

ferryx_rows make_rows(const Copy2dRequest& request, const Location& dst, const Location& src) {
  return {.corner = {.dst = request.dst,
                     .src = request.src,
                     .size = request.width,
                     .dst_storage = dst.storage_of(span_of(request.dst_pitch, request)),
                     .src_storage = src.storage_of(span_of(request.src_pitch, request))},
          .dst_pitch = request.dst_pitch,
          .src_pitch = request.src_pitch,
          .height = request.height,
          .direction = direction_of(dst, src)};
}

Status check_rows(const char* argument, const Location& location, uint64_t pitch,
                  const Copy2dRequest& request, Access access) {
  if (!location.is_pageable()) {
    return check_range(argument, location, span_of(pitch, request), access);
  }
  if (are_host_rows_accessible(location.address, pitch, request.width, request.height, access)) {
    return {};
  }
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1011, argument, location.address)
      .because(" with %llu rows of %llu bytes, some of which the host may not %s",
               static_cast<unsigned long long>(request.height),
               static_cast<unsigned long long>(request.width),
               access == Access::kRead ? "read" : "write");
}

Status copy_with(const Device& device, const Copy2dRequest& request, const Location& dst,
                 const Location& src) {
  FERRY_RETURN_IF_ERROR(check_rows("dst", dst, request.dst_pitch, request, Access::kWrite));
  FERRY_RETURN_IF_ERROR(check_rows("src", src, request.src_pitch, request, Access::kRead));
  FERRY_RETURN_IF_ERROR(check_reach(device, dst, src, Use::kNow));
  ferryx_work work = make_work(FERRYX_ROWS, &ferryx_payload::rows, make_rows(request, dst, src));
  return device.execute(work);
}

Status fail_direction(const char* allowed, const Location& dst, const Location& src) {
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1017, "src", Value::beside(src.address))
      .detail(" is %s and dst %p is %s, allowed is ", side_in_words(src), dst.address,
              side_in_words(dst))
      .allowed("%s", allowed);
}

}  // namespace

Status copy_2d_now(const Copy2dRequest& request) {
  FERRY_TRY(Ref<Context>, context, current_context(ImplicitDevice::kIgnore));
  FERRY_RETURN_IF_ERROR(check_unsafe_call(ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT));
  const Location dst = locate(request.dst);
  const Location src = locate(request.src);
  if (!is_over_bus(direction_of(dst, src))) {
    return fail_direction("host to device and device to host", dst, src);
  }
  return copy_with((*context)->device(), request, dst, src);
}

Status copy_2d_async(const Copy2dRequest& request, aclrtMemcpyKind kind, Ref<Stream> given) {
  FERRY_TRY(Ref<Context>, context, current_context(ImplicitDevice::kIgnore));
  const Ref<Stream> stream = given ? std::move(given) : (*context)->default_stream();
  const uint64_t epoch = memory_epoch();
  const Location dst = locate(request.dst);
  const Location src = locate(request.src);
  const ferryx_direction direction = direction_of(dst, src);
  if (direction == FERRYX_HOST_TO_HOST) {
    return fail_direction("host to device, device to host and device to device", dst, src);
  }
  FERRY_RETURN_IF_ERROR(check_kind(kind, dst, src));
  if (dst.is_pageable() || src.is_pageable()) {
    FERRY_RETURN_IF_ERROR(wait_before_pageable_copy(*stream));
    return copy_with(stream->context().device(), request, dst, src);
  }
  FERRY_RETURN_IF_ERROR(require_current_context(*stream));
  if (direction == FERRYX_DEVICE_TO_DEVICE && !soc().traits->copy_2d_inside_device) {
    return reject(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kWE0001)
        .unlogged()
        .because("%s has no 2D copies from device to device", soc().name);
  }
  FERRY_RETURN_IF_ERROR(check_reach(stream->context().device(), dst, src, Use::kQueued));
  FERRY_RETURN_IF_ERROR(stream->check_open_for_work());
  ferryx_work work =
      make_work(FERRYX_ROWS, &ferryx_payload::rows, make_rows(request, dst, src), epoch);
  return stream->submit(work);
}

}  // namespace ferry
