// SPDX-License-Identifier: Apache-2.0
// Work executed during the call. The memory lock is held shared meanwhile, so no device memory is
// freed (Line::memory_lock). But the runtime validated the addresses before the lock was taken, and
// another thread may have freed memory in between: ranges of device memory are validated again
// here. Host memory of the program that cannot be accessed ends the work with a code.
#include "backends/cuda/memory/memory.h"
#include "backends/cuda/plugin/device.h"
#include "backends/cuda/plugin/services.h"
#include "base/fault_trap.h"
#include "base/live_memory.h"

#include "acl/error_codes/rt_error_codes.h"

#include <shared_mutex>
#include <string>

namespace ferry::cuda {
namespace {

// Looks up device memory. Caches the range found last: most items of a batch are in one allocation.
class LiveRange {
 public:
  bool holds(const void* storage, uint64_t size) {
    if (!has(storage, size)) memory_ = live_memory().find(storage);
    return has(storage, size);
  }

 private:
  bool has(const void* storage, uint64_t size) const {
    const auto offset =
        reinterpret_cast<uint64_t>(storage) - reinterpret_cast<uint64_t>(memory_.address);
    return offset < memory_.size && size <= memory_.size - offset;
  }
  ferryx_memory memory_{};
};

bool is_to_device(uint32_t direction) {
  return direction == FERRYX_HOST_TO_DEVICE || direction == FERRYX_DEVICE_TO_DEVICE;
}
bool is_from_device(uint32_t direction) {
  return direction == FERRYX_DEVICE_TO_HOST || direction == FERRYX_DEVICE_TO_DEVICE;
}

int fail_not_live(const std::string& name, const void* address, uint64_t size) {
  return fail(ACL_ERROR_RT_PARAM_INVALID, "%s", not_live(*services, name, address, size).c_str());
}

int check_live(const ferryx_copies& copies) {
  LiveRange dst;
  LiveRange src;
  for (size_t i = 0; i < copies.count; ++i) {
    const ferryx_copy& item = copies.items[i];
    if (is_to_device(copies.direction) && !dst.holds(item.dst_storage, item.size)) {
      return fail_not_live(item_name("dst", i, copies.count), item.dst, item.size);
    }
    if (is_from_device(copies.direction) && !src.holds(item.src_storage, item.size)) {
      return fail_not_live(item_name("src", i, copies.count), item.src, item.size);
    }
  }
  return ACL_RT_SUCCESS;
}

int check_live(const ferryx_rows& rows) {
  const uint64_t dst_span = span_of(rows, rows.dst_pitch);
  const uint64_t src_span = span_of(rows, rows.src_pitch);
  if (is_to_device(rows.direction) && !LiveRange().holds(rows.corner.dst_storage, dst_span)) {
    return fail_not_live("dst", rows.corner.dst, dst_span);
  }
  if (is_from_device(rows.direction) && !LiveRange().holds(rows.corner.src_storage, src_span)) {
    return fail_not_live("src", rows.corner.src, src_span);
  }
  return ACL_RT_SUCCESS;
}

int check_live(const ferryx_fill& fill) {
  return LiveRange().holds(fill.dst_storage, fill.size) ? ACL_RT_SUCCESS
                                                        : fail_not_live("dst", fill.dst, fill.size);
}

template <class Payload, class Call>
int execute_live(ferryx_device& device, const Payload& payload, const char* doing, Call call) {
  const std::shared_lock memory(live_memory().lock());
  if (const int gone = check_live(payload); gone != ACL_RT_SUCCESS) return gone;
  const void* fault = nullptr;
  const Trouble trouble = device.call_here(doing, [&] { return call(fault); });
  if (!trouble.ok() || fault == nullptr) return fail(trouble);
  return fail(ACL_ERROR_RT_PARAM_INVALID, "%s", not_accessible(fault).c_str());
}

}  // namespace

int execute(ferryx_device& device, const ferryx_work& work) {
  const ferryx_payload& as = work.as;
  switch (work.kind) {
    case FERRYX_COPIES:
      return execute_live(device, as.copies, "a copy", [&](const void*& fault) {
        return device.transfers->copy_now(as.copies, fault);
      });
    case FERRYX_ROWS:
      return execute_live(device, as.rows, "a 2D copy", [&](const void*& fault) {
        return device.transfers->copy_2d_now(as.rows, fault);
      });
    case FERRYX_FILL:
      return execute_live(device, as.fill, "a fill", [&](const void*& /*fault*/) {
        return device.transfers->fill_now(as.fill);
      });
    default:
      return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                  "work of kind %u cannot be executed during a call, allowed are copies (%u), "
                  "rows (%u) and fills (%u)",
                  work.kind, static_cast<uint32_t>(FERRYX_COPIES),
                  static_cast<uint32_t>(FERRYX_ROWS), static_cast<uint32_t>(FERRYX_FILL));
  }
}

}  // namespace ferry::cuda
