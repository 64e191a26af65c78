// SPDX-License-Identifier: Apache-2.0
// Fills. Pageable memory is filled here, all other memory by the backend.
#include "core/memset.h"

#include "base/fault_trap.h"
#include "base/work.h"
#include "core/copy.h"
#include "core/location.h"
#include "core/model/capture.h"

#include <algorithm>
#include <cstring>

namespace ferry {
namespace {

// Returns nullptr, or an address that could not be written.
const void* fill_host(const FillRequest& request) {
  return catch_fault([&](FaultTrap& trap) {
    trap.expect(request.dst, request.dst, request.size);
    if (request.width == 1) {
      std::memset(request.dst, static_cast<int>(request.value & 0xFF), request.size);
    } else {
      std::fill_n(static_cast<uint32_t*>(request.dst), request.size / sizeof(uint32_t),
                  request.value);
    }
  });
}

ferryx_fill make_fill(const FillRequest& request, const Location& dst) {
  return {.dst = request.dst,
          .dst_storage = dst.storage_of(request.size),
          .size = request.size,
          .value = request.value,
          .width = request.width};
}

// Fills during the call. The backend knows nothing about pageable memory.
Status fill_with(const Device& device, const FillRequest& request, const Location& dst) {
  if (dst.is_pageable()) {
    const void* const fault = fill_host(request);
    if (fault == nullptr) return {};
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1011, "the memory", request.dst)
        .because(" and %llu bytes, of which the host may not write %p",
                 static_cast<unsigned long long>(request.size), fault);
  }
  FERRY_RETURN_IF_ERROR(check_backend(device, dst, Use::kNow));
  ferryx_work work = make_work(FERRYX_FILL, &ferryx_payload::fill, make_fill(request, dst));
  return device.execute(work);
}

}  // namespace

Status fill_now(const FillRequest& request) {
  FERRY_RETURN_IF_ERROR(check_unsafe_call(ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT));
  return fill_host_memory(request);
}

Status fill_host_memory(const FillRequest& request) {
  FERRY_TRY(Ref<Context>, context, current_context());
  const Location dst = locate(request.dst);
  FERRY_RETURN_IF_ERROR(check_range("the memory", dst, request.size, Access::kWrite));
  return fill_with((*context)->device(), request, dst);
}

Status fill_async(const FillRequest& request, Stream& stream) {
  const uint64_t epoch = memory_epoch();
  const Location dst = locate(request.dst);
  if (dst.is_host()) {
    FERRY_RETURN_IF_ERROR(check_range("the memory", dst, request.size, Access::kWrite));
    return fill_with(stream.context().device(), request, dst);
  }
  FERRY_RETURN_IF_ERROR(require_current_context(stream));
  FERRY_RETURN_IF_ERROR(check_backend(stream.context().device(), dst, Use::kQueued));
  FERRY_RETURN_IF_ERROR(stream.check_open_for_work());
  ferryx_work work = make_work(FERRYX_FILL, &ferryx_payload::fill, make_fill(request, dst), epoch);
  return stream.submit(work);
}

}  // namespace ferry
