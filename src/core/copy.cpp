// SPDX-License-Identifier: Apache-2.0
// Single copies. copy_async makes its checks in the order that the contract fixes.
#include "core/copy.h"

#include "base/error_state.h"
#include "base/log.h"
#include "base/work.h"
#include "core/model/capture.h"
#include "core/model/task_group.h"
#include "core/runtime.h"

#include <atomic>

namespace ferry {
namespace {

bool is_kind_of_direction(aclrtMemcpyKind kind, ferryx_direction direction) {
  if (kind == ACL_MEMCPY_DEFAULT) return true;
  return direction == FERRYX_HOST_TO_DEVICE ? kind == ACL_MEMCPY_HOST_TO_DEVICE
                                            : kind == ACL_MEMCPY_DEVICE_TO_HOST;
}

// ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE: the source is captured during the call.
Status check_captured_kind(const Location& dst, const Location& src) {
  if (!src.is_device() && dst.is_device()) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1011, "kind", "ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE")
      .because(", which needs src on the host (it is %s) and dst on a device (it is %s)",
               side_in_words(src), side_in_words(dst));
}

// Validates both ranges of a copy that is executed during the call.
Status check_ranges(const CopyRequest& request, const Location& dst, const Location& src) {
  FERRY_RETURN_IF_ERROR(check_range("dst", dst, request.size, Access::kWrite));
  return check_range("src", src, request.size, Access::kRead);
}

Status copy_with(const Device& device, const CopyRequest& request, const Location& dst,
                 const Location& src) {
  FERRY_RETURN_IF_ERROR(check_ranges(request, dst, src));
  FERRY_RETURN_IF_ERROR(check_reach(device, dst, src, Use::kNow));
  const ferryx_copy copy = make_copy(request, dst, src);
  return execute_copies(
      device, {.items = &copy, .count = 1, .direction = direction_of(dst, src), .flags = 0});
}

uint32_t flags_of(const ferryx_copy& copy) {
  return copy.dst_storage != nullptr && copy.src_storage != nullptr ? FERRYX_COPY_RESOLVED : 0;
}

Status queue_copies(Stream& stream, const ferryx_copies& copies, uint64_t epoch) {
  ferryx_work work = make_work(FERRYX_COPIES, &ferryx_payload::copies, copies, epoch);
  return stream.submit(work);
}

}  // namespace

ferryx_copy make_copy(const CopyRequest& request, const Location& dst, const Location& src) {
  return {.dst = request.dst,
          .src = request.src,
          .size = request.size,
          .dst_storage = dst.storage_of(request.size),
          .src_storage = src.storage_of(request.size)};
}

uint64_t memory_epoch() {
  Result<Runtime*> runtime = Runtime::get();
  return runtime.ok() ? (*runtime)->memory().epoch() : 0;
}

Status check_kind(aclrtMemcpyKind kind, const Location& dst, const Location& src) {
  if (!dst.is_pageable() && !src.is_pageable()) return {};
  if (is_kind_of_direction(kind, direction_of(dst, src))) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE9999, "kind", kind)
      .detail(", but src %p is %s%s and dst %p is %s%s, which needs ", src.address,
              src.is_host() ? "pageable " : "", side_in_words(src), dst.address,
              dst.is_host() ? "pageable " : "", side_in_words(dst))
      .allowed("%s or ACL_MEMCPY_DEFAULT",
               src.is_host() ? "ACL_MEMCPY_HOST_TO_DEVICE" : "ACL_MEMCPY_DEVICE_TO_HOST");
}

Status check_pageable_allowed(const Stream& stream) {
  if (stream.recorder() == nullptr) {
    if (stream.update() != nullptr) return fail_in_update(stream);
    return check_unsafe_call(ACL_ERROR_RT_CAPTURE_MODE_BLOCK_ASYNC);
  }
  const aclError code =
      is_captured(stream) ? release().pageable_in_capture : ACL_ERROR_RT_PARAM_INVALID;
  return reject(code, kEE1016, "stream", Value::beside(stream.handle()))
      .because(
          " is recorded in a model, where copies with pageable host memory are not allowed: use "
          "memory of "
          "aclrtMallocHost");
}

namespace {

// The usual reason why "asynchronous" copies are slow. Each is logged at debug, the first at info.
void log_pageable_copy(const Stream& stream) {
  if (!is_logged(LogLevel::kInfo)) return;
  static std::atomic<bool> is_known{false};
  FERRY_LOG(kDebug, "%s: blocks: waits for stream %d, then copies pageable memory",
            current_function(), stream.id());
  if (!is_known.exchange(true, std::memory_order_relaxed)) {
    FERRY_LOG(kInfo,
              "%s: the first copy that blocks because of pageable memory; memory of "
              "aclrtMallocHost would not",
              current_function());
  }
}

}  // namespace

Status wait_before_pageable_copy(Stream& stream) {
  FERRY_RETURN_IF_ERROR(check_pageable_allowed(stream));
  log_pageable_copy(stream);
  return stream.synchronize(WaitLimit::none());
}

Status check_backends(const Device& device, const ferryx_copies& copies, Use use) {
  if (!Runtime::has_several_backends()) return {};
  for (size_t i = 0; i < copies.count; ++i) {
    FERRY_RETURN_IF_ERROR(check_backend(device, locate(copies.items[i].dst), use));
    FERRY_RETURN_IF_ERROR(check_backend(device, locate(copies.items[i].src), use));
  }
  return {};
}

Status execute_copies(const Device& device, const ferryx_copies& copies) {
  ferryx_work work = make_work(FERRYX_COPIES, &ferryx_payload::copies, copies);
  return device.execute(work);
}

Status copy_now(const Device& device, void* dst, const void* src, size_t size) {
  const Location to = locate(dst);
  const Location from = locate(src);
  const ferryx_copy copy = make_copy({.dst = dst, .src = src, .size = size}, to, from);
  return execute_copies(
      device, {.items = &copy, .count = 1, .direction = direction_of(to, from), .flags = 0});
}

Status submit_copies(Stream& stream, const ferryx_copies& copies, uint64_t epoch) {
  FERRY_RETURN_IF_ERROR(require_current_context(stream));
  FERRY_RETURN_IF_ERROR(stream.check_open_for_work());
  FERRY_RETURN_IF_ERROR(check_backends(stream.context().device(), copies, Use::kQueued));
  return queue_copies(stream, copies, epoch);
}

Status submit_columns(Stream& stream, const ferryx_columns& columns, uint64_t epoch) {
  FERRY_RETURN_IF_ERROR(require_current_context(stream));
  FERRY_RETURN_IF_ERROR(stream.check_open_for_work());
  const Device& device = stream.context().device();
  FERRY_RETURN_IF_ERROR(check_backend(device, {columns.dsts[0], columns.dst}, Use::kQueued));
  FERRY_RETURN_IF_ERROR(check_backend(device, {columns.srcs[0], columns.src}, Use::kQueued));
  ferryx_work work = make_work(FERRYX_COLUMNS, &ferryx_payload::columns, columns, epoch);
  return stream.submit(work);
}

Status copy_now(const CopyRequest& request) {
  FERRY_RETURN_IF_ERROR(check_unsafe_call(ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT));
  return copy_for_the_runtime(request);
}

Status copy_for_the_runtime(const CopyRequest& request) {
  FERRY_TRY(Ref<Context>, context, current_context());
  return copy_with((*context)->device(), request, locate(request.dst), locate(request.src));
}

Status copy_async(const CopyRequest& request, aclrtMemcpyKind kind, Ref<Stream> given) {
  FERRY_TRY(Ref<Stream>, found, stream_of_call(std::move(given)));
  Stream* const stream = found->get();
  const auto& [epoch, dst, src] = locate_copy(request.dst, request.src);
  const ferryx_direction direction = direction_of(dst, src);
  // A release that does not check this kind copies as the addresses say.
  const bool is_unchecked = kind == ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE &&
                            direction != FERRYX_HOST_TO_DEVICE && !release().checks_buffered_kind;
  if (is_unchecked) kind = ACL_MEMCPY_DEFAULT;
  const bool is_captured = kind == ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE;
  if (is_captured) FERRY_RETURN_IF_ERROR(check_captured_kind(dst, src));
  if (direction == FERRYX_HOST_TO_HOST) {
    return reject(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kWE0001, "src", Value::beside(request.src))
        .unlogged()
        .because(
            " and dst %p are both on the host, which an asynchronous copy does not support: "
            "use aclrtMemcpy",
            request.dst);
  }
  // Never pageable memory, which would be on the host on both sides.
  if (request.dst == request.src) return {};
  const bool has_pageable = dst.is_pageable() || src.is_pageable();
  if (has_pageable && !is_captured) {
    // Beside managed memory every kind will do.
    const bool is_kind_free = dst.is_managed() || src.is_managed();
    if (!is_kind_free) FERRY_RETURN_IF_ERROR(check_kind(kind, dst, src));
    FERRY_RETURN_IF_ERROR(wait_before_pageable_copy(*stream));
    return copy_with(stream->context().device(), request, dst, src);
  }
  if (is_captured) FERRY_RETURN_IF_ERROR(check_captured_source(src, request.size));
  FERRY_RETURN_IF_ERROR(require_current_context(*stream));
  FERRY_RETURN_IF_ERROR(check_reach(stream->context().device(), dst, src, Use::kQueued));
  FERRY_RETURN_IF_ERROR(stream->check_open_for_work());
  const ferryx_copy copy = make_copy(request, dst, src);
  return queue_copies(*stream,
                      {.items = &copy,
                       .count = 1,
                       .direction = direction,
                       .flags = flags_of(copy) | (is_captured ? FERRYX_COPY_CAPTURE : 0)},
                      epoch);
}

}  // namespace ferry
