// SPDX-License-Identifier: Apache-2.0
// Copies, sets and descriptors: each function makes the checks of its header, in that order.
#include "calls.h"
#include "model.h"

#include <algorithm>

namespace stress {

namespace {

constexpr size_t kDescriptorLimit = size_t{1} << 32;
constexpr size_t kOffsetLimit = 0xFFFFFFFFFFFF;
constexpr size_t kRowLimit = 5000000;
constexpr size_t kHeightLimit = 5242880;

bool is_kind(int kind, int first, int last) {
  return first <= kind && kind <= last;
}

std::vector<uint16_t> pattern_of_word(uint32_t word) {
  return {static_cast<uint16_t>(word & 0xFF), static_cast<uint16_t>(word >> 8 & 0xFF),
          static_cast<uint16_t>(word >> 16 & 0xFF), static_cast<uint16_t>(word >> 24)};
}

}  // namespace

aclError Model::apply_copy(const Operation& op) {
  switch (op.call) {
    case Call::kMemcpy:
      return memcpy_now(op);
    case Call::kMemcpyAsync:
    case Call::kMemcpyAsyncWithCondition:
      return memcpy_queued(op);
    case Call::kMemcpy2d:
      return memcpy_rows(op);
    case Call::kMemcpy2dAsync:
      return memcpy_rows_queued(op);
    case Call::kSetMemcpyDesc:
      return set_descriptor(op);
    case Call::kMemcpyAsyncWithDesc:
      return memcpy_described(op);
    case Call::kMemcpyAsyncWithOffset:
      return memcpy_offset(op);
    case Call::kMemset:
      return fill_bytes(op);
    case Call::kMemsetAsync:
      return fill_bytes_queued(op);
    default:
      return fill_words(op);
  }
}

aclError Model::memcpy_now(const Operation& op) {
  if (op.count == 0) return ACL_SUCCESS;
  if (is_null(op.dst) || is_null(op.src) || !is_kind(op.kind, 0, 5)) {
    return ACL_ERROR_INVALID_PARAM;
  }
  if (op.dest_max == 0 || op.count > op.dest_max) return ACL_ERROR_RT_PARAM_INVALID;
  if (op.dst == op.src) return ACL_SUCCESS;
  if (!has_context()) return ACL_ERROR_RT_CONTEXT_NULL;
  if (!is_good(op.dst, op.count) || !is_good(op.src, op.count)) return ACL_ERROR_RT_PARAM_INVALID;
  const aclError code = check_devices(op.dst, op.src, device());
  if (code == ACL_SUCCESS) move(begin_call(), op.dst, op.src, op.count);
  return code;
}

aclError Model::memcpy_queued(const Operation& op) {
  if (op.count == 0) return ACL_SUCCESS;
  if (is_null(op.dst) || is_null(op.src) || !is_kind(op.kind, 0, 5)) {
    return ACL_ERROR_INVALID_PARAM;
  }
  const StreamRef ref = stream_of(op);
  if (ref.handle == Handle::kInvalid) return ACL_ERROR_RT_INVALID_HANDLE;
  if (op.count > op.dest_max) return ACL_ERROR_RT_PARAM_INVALID;
  if (!has_context()) return ACL_ERROR_RT_CONTEXT_NULL;
  const bool is_buffered = op.kind == ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE;
  if (is_buffered && (is_device(op.src) || !is_device(op.dst))) return ACL_ERROR_RT_PARAM_INVALID;
  if (is_host(op.dst) && is_host(op.src)) return ACL_ERROR_RT_FEATURE_NOT_SUPPORT;
  if (!is_buffered && (is_pageable(op.dst) || is_pageable(op.src))) {
    return memcpy_pageable(op, ref.index);
  }
  if (op.dst == op.src) return ACL_SUCCESS;
  if (is_buffered && !is_good(op.src, op.count)) return ACL_ERROR_RT_PARAM_INVALID;
  if (is_of_other_context(ref)) return ACL_ERROR_RT_STREAM_CONTEXT;
  if (const aclError code = check_devices(op.dst, op.src, device()); code != ACL_SUCCESS) {
    return code;
  }
  const int reader = is_buffered ? begin_call() : actor_of(ref.index);
  const int actor = begin_task(ref.index);
  if (is_good(op.dst, op.count) && is_good(op.src, op.count)) {
    copy(reader, actor, op.dst, op.src, op.count);
  } else {
    require(op.dst.buffer != op.src.buffer);
    fail_task(ref.index, op.dst, op.src, op.count);
  }
  return ACL_SUCCESS;
}

// Waits for the stream, then copies during the call.
aclError Model::memcpy_pageable(const Operation& op, int stream) {
  const int direction = is_device(op.dst) ? ACL_MEMCPY_HOST_TO_DEVICE : ACL_MEMCPY_DEVICE_TO_HOST;
  if (op.kind != direction && op.kind != ACL_MEMCPY_DEFAULT) return ACL_ERROR_RT_PARAM_INVALID;
  require(check_devices(op.dst, op.src, device()) == ACL_SUCCESS);
  if (const aclError code = synchronize(stream); code != ACL_SUCCESS) return code;
  if (!is_good(op.dst, op.count) || !is_good(op.src, op.count)) return ACL_ERROR_RT_PARAM_INVALID;
  move(begin_call(), op.dst, op.src, op.count);
  return ACL_SUCCESS;
}

bool Model::are_good_rows(const Operation& op) const {
  return is_good(op.dst, (op.height - 1) * op.dst_step + op.count) &&
         is_good(op.src, (op.height - 1) * op.src_step + op.count);
}

void Model::move_rows(int actor, const Operation& op) {
  require(op.dst.buffer != op.src.buffer);
  for (size_t row = 0; row < op.height; ++row) {
    move(actor, {op.dst.buffer, op.dst.offset + row * op.dst_step},
         {op.src.buffer, op.src.offset + row * op.src_step}, op.count);
  }
}

aclError Model::memcpy_rows(const Operation& op) {
  if (op.count == 0 || op.height == 0) return ACL_SUCCESS;
  if (is_null(op.dst) || is_null(op.src) || op.count > op.src_step || op.count > op.dst_step ||
      !is_kind(op.kind, 1, 4)) {
    return ACL_ERROR_INVALID_PARAM;
  }
  if (op.height > kHeightLimit || op.count > kRowLimit) return ACL_ERROR_RT_PARAM_INVALID;
  if (op.kind == ACL_MEMCPY_DEVICE_TO_DEVICE) return ACL_ERROR_RT_FEATURE_NOT_SUPPORT;
  if (!has_context()) return ACL_ERROR_RT_CONTEXT_NULL;
  if (is_device(op.dst) == is_device(op.src)) return ACL_ERROR_RT_PARAM_INVALID;
  require(check_devices(op.dst, op.src, device()) == ACL_SUCCESS);
  if (!are_good_rows(op)) return ACL_ERROR_RT_PARAM_INVALID;
  move_rows(begin_call(), op);
  return ACL_SUCCESS;
}

aclError Model::memcpy_rows_queued(const Operation& op) {
  if (op.count == 0 || op.height == 0) return ACL_SUCCESS;
  if (is_null(op.dst) || is_null(op.src) || op.count > op.src_step || op.count > op.dst_step ||
      !is_kind(op.kind, 1, 4)) {
    return ACL_ERROR_INVALID_PARAM;
  }
  const StreamRef ref = stream_of(op);
  if (ref.handle == Handle::kInvalid) return ACL_ERROR_RT_INVALID_HANDLE;
  if (ref.index == kNull) return ACL_ERROR_RT_PARAM_INVALID;
  if (op.height > kHeightLimit || op.count > kRowLimit) return ACL_ERROR_RT_PARAM_INVALID;
  if (!has_context()) return ACL_ERROR_RT_CONTEXT_NULL;
  if (is_host(op.dst) && is_host(op.src)) return ACL_ERROR_RT_PARAM_INVALID;
  if (is_pageable(op.dst) || is_pageable(op.src)) {
    const int direction = is_device(op.dst) ? ACL_MEMCPY_HOST_TO_DEVICE : ACL_MEMCPY_DEVICE_TO_HOST;
    if (op.kind != direction && op.kind != ACL_MEMCPY_DEFAULT) return ACL_ERROR_RT_PARAM_INVALID;
    require(check_devices(op.dst, op.src, device()) == ACL_SUCCESS);
    if (const aclError code = synchronize(ref.index); code != ACL_SUCCESS) return code;
    if (!are_good_rows(op)) return ACL_ERROR_RT_PARAM_INVALID;
    move_rows(begin_call(), op);
    return ACL_SUCCESS;
  }
  if (is_of_other_context(ref)) return ACL_ERROR_RT_STREAM_CONTEXT;
  if (const aclError code = check_devices(op.dst, op.src, device()); code != ACL_SUCCESS) {
    return code;
  }
  const int actor = begin_task(ref.index);
  require(are_good_rows(op));
  move_rows(actor, op);
  return ACL_SUCCESS;
}

aclError Model::fill_bytes(const Operation& op) {
  if (op.count == 0) return ACL_SUCCESS;
  if (is_null(op.dst)) return ACL_ERROR_INVALID_PARAM;
  if (op.count > op.dest_max) return ACL_ERROR_RT_PARAM_INVALID;
  if (!has_context()) return ACL_ERROR_RT_CONTEXT_NULL;
  if (!is_good(op.dst, op.count)) return ACL_ERROR_RT_PARAM_INVALID;
  require(!is_device(op.dst) || at(op.dst).device == device());
  fill(begin_call(), op.dst, {static_cast<uint16_t>(op.value & 0xFF)}, op.count);
  return ACL_SUCCESS;
}

// Fills device memory in stream order; the range is checked when the task runs.
void Model::fill_task(const StreamRef& ref, const Operation& op,
                      const std::vector<uint16_t>& pattern) {
  require(at(op.dst).device == device());
  const int actor = begin_task(ref.index);
  const size_t size = pattern.size() * op.count;
  if (is_good(op.dst, size)) return fill(actor, op.dst, pattern, op.count);
  fail_task(ref.index, op.dst, {op.dst.buffer, at(op.dst).capacity}, size);
}

aclError Model::fill_bytes_queued(const Operation& op) {
  if (op.count == 0) return ACL_SUCCESS;
  if (is_null(op.dst)) return ACL_ERROR_INVALID_PARAM;
  const StreamRef ref = stream_of(op);
  if (ref.handle == Handle::kInvalid) return ACL_ERROR_RT_INVALID_HANDLE;
  if (op.count > op.dest_max) return ACL_ERROR_RT_PARAM_INVALID;
  if (!has_context()) return ACL_ERROR_RT_CONTEXT_NULL;
  if (is_of_other_context(ref)) return ACL_ERROR_RT_STREAM_CONTEXT;
  const std::vector<uint16_t> pattern{static_cast<uint16_t>(op.value & 0xFF)};
  if (is_device(op.dst)) {
    fill_task(ref, op, pattern);
    return ACL_SUCCESS;
  }
  if (!is_good(op.dst, op.count)) return ACL_ERROR_RT_PARAM_INVALID;
  fill(begin_call(), op.dst, pattern, op.count);
  return ACL_SUCCESS;
}

aclError Model::fill_words(const Operation& op) {
  const bool is_queued = op.call == Call::kMemsetD32Async;
  if (op.count == 0) return ACL_SUCCESS;
  if (is_null(op.dst) || op.dst.offset % 4 != 0 || op.count > op.dest_max / 4 ||
      is_pageable(op.dst)) {
    return ACL_ERROR_INVALID_PARAM;
  }
  const StreamRef ref = stream_of(op);
  if (is_queued && ref.handle == Handle::kInvalid) return ACL_ERROR_RT_INVALID_HANDLE;
  if (!has_context()) return ACL_ERROR_RT_CONTEXT_NULL;
  const std::vector<uint16_t> pattern = pattern_of_word(static_cast<uint32_t>(op.value));
  if (is_queued && is_device(op.dst)) {
    if (is_of_other_context(ref)) return ACL_ERROR_RT_STREAM_CONTEXT;
    fill_task(ref, op, pattern);
    return ACL_SUCCESS;
  }
  if (!is_good(op.dst, op.count * 4)) return ACL_ERROR_RT_PARAM_INVALID;
  require(!is_device(op.dst) || at(op.dst).device == device());
  fill(begin_call(), op.dst, pattern, op.count);
  return ACL_SUCCESS;
}

aclError Model::set_descriptor(const Operation& op) {
  const Place place{op.slot, op.dst_step};
  if (is_null(place) || !is_kind(op.kind, 0, 7) || is_null(op.src) || is_null(op.dst) ||
      op.count == 0) {
    return ACL_ERROR_INVALID_PARAM;
  }
  if (op.kind != ACL_MEMCPY_INNER_DEVICE_TO_DEVICE) return ACL_ERROR_RT_FEATURE_NOT_SUPPORT;
  if (op.count > kDescriptorLimit || place.offset % 64 != 0 || is_host(place) || is_host(op.src) ||
      is_host(op.dst) || at(op.src).device != at(op.dst).device) {
    return ACL_ERROR_RT_PARAM_INVALID;
  }
  if (!has_context()) return ACL_ERROR_RT_CONTEXT_NULL;
  require(at(place).device == device() && at(op.src).device == device());
  store_cell(place, {.offset = place.offset,
                     .is_descriptor = true,
                     .dst = op.dst,
                     .src = op.src,
                     .count = op.count,
                     .generations = generations(op.dst, op.src)});
  return ACL_SUCCESS;
}

// Queues a copy whose addresses the task reads from device memory.
void Model::indirect_task(const StreamRef& ref, const Place& dst, const Place& src, size_t size) {
  require(is_device(dst) && is_device(src) && at(dst).device == device() &&
          at(src).device == device());
  if (is_good(dst, size) && is_good(src, size)) {
    return move(actor_of(ref.index), dst, src, size);
  }
  require(dst.buffer != src.buffer);
  fail_task(ref.index, dst, src, size);
}

aclError Model::memcpy_described(const Operation& op) {
  if (is_null(op.dst) || !is_kind(op.kind, 0, 7)) return ACL_ERROR_INVALID_PARAM;
  const StreamRef ref = stream_of(op);
  if (ref.handle == Handle::kNull) return ACL_ERROR_INVALID_PARAM;
  if (ref.handle == Handle::kInvalid) return ACL_ERROR_RT_INVALID_HANDLE;
  if (op.kind != ACL_MEMCPY_INNER_DEVICE_TO_DEVICE) return ACL_ERROR_RT_FEATURE_NOT_SUPPORT;
  if (is_host(op.dst) || op.dst.offset % 64 != 0) return ACL_ERROR_RT_PARAM_INVALID;
  if (!has_context()) return ACL_ERROR_RT_CONTEXT_NULL;
  if (is_of_other_context(ref)) return ACL_ERROR_RT_STREAM_CONTEXT;
  require(at(op.dst).device == device());
  const Cell described = cell(op.dst, true);
  touch(begin_task(ref.index), op.dst, kDescriptorBytes, false);
  indirect_task(ref, described.dst, described.src, described.count);
  return ACL_SUCCESS;
}

aclError Model::memcpy_offset(const Operation& op) {
  if (op.count == 0) return ACL_SUCCESS;
  if (op.kind != ACL_MEMCPY_INNER_DEVICE_TO_DEVICE) return ACL_ERROR_RT_PARAM_INVALID;
  const StreamRef ref = stream_of(op);
  if (ref.handle == Handle::kInvalid) return ACL_ERROR_RT_INVALID_HANDLE;
  if (is_null(op.dst) || is_null(op.src) || op.count > op.dest_max || op.count > kDescriptorLimit ||
      op.src_step > kOffsetLimit || op.dst_step > kOffsetLimit || op.dst_step >= op.dest_max ||
      op.count > op.dest_max - op.dst_step) {
    return ACL_ERROR_RT_PARAM_INVALID;
  }
  if (!has_context()) return ACL_ERROR_RT_CONTEXT_NULL;
  if (is_of_other_context(ref)) return ACL_ERROR_RT_STREAM_CONTEXT;
  require(is_device(op.dst) && is_device(op.src) && at(op.dst).device == device() &&
          at(op.src).device == device());
  Place dst = cell(op.dst, false).dst;
  Place src = cell(op.src, false).dst;
  dst.offset += op.dst_step;
  src.offset += op.src_step;
  const int actor = begin_task(ref.index);
  touch(actor, op.dst, kAddressBytes, false);
  touch(actor, op.src, kAddressBytes, false);
  indirect_task(ref, dst, src, op.count);
  return ACL_SUCCESS;
}

}  // namespace stress
