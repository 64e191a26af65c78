// SPDX-License-Identifier: Apache-2.0
// Filling memory.
#include "core/memset.h"

#include "api/adapters.h"
#include "api/arguments.h"
#include "base/status.h"
#include "core/location.h"
#include "core/runtime.h"

namespace ferry::api {
namespace {

// Whether the call is over because there is nothing to fill. The functions for words came later
// than the releases that refuse a count of 0.
bool is_filled_at_once(size_t count) {
  return count == 0 && release().empty_copies_succeed;
}

Status check_fill_capacity(size_t max_count, size_t count) {
  if (count == 0) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "count", count)
        .allowed("1 to maxCount = %zu", max_count);
  }
  if (count <= max_count) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "count", count)
      .allowed("0 to maxCount = %zu", max_count);
}

FillRequest bytes_request(void* address, int32_t value, size_t count) {
  return {.dst = address, .size = count, .value = static_cast<uint32_t>(value) & 0xFF, .width = 1};
}

Status check_d32(void* address, size_t size, size_t count, Location& location) {
  if (address == nullptr) return fail_null("ptr");
  if (reinterpret_cast<uintptr_t>(address) % sizeof(uint32_t) != 0) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0009, "ptr", address)
        .allowed("an address aligned to 4 bytes");
  }
  if (size / sizeof(uint32_t) < count) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0009, "N", count)
        .allowed("up to memSize / 4 = %zu", size / sizeof(uint32_t));
  }
  FERRY_RETURN_IF_ERROR(Runtime::get().status());
  location = locate(address);
  if (location.is_pageable() || location.is_managed()) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH9999, "ptr", address)
        .because(", which is neither device memory nor pinned host memory");
  }
  return {};
}

Status check_words_product() {
  if (soc().traits->fill_d32) return {};
  return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kWE0001, "%s has no fills with 32-bit values",
              soc().name);
}

FillRequest words_request(void* address, uint32_t value, size_t count) {
  return {.dst = address, .size = count * sizeof(uint32_t), .value = value, .width = 4};
}

}  // namespace

aclError aclrtMemset(void* devPtr, size_t maxCount, int32_t value, size_t count) {
  if (is_filled_at_once(count)) return ACL_SUCCESS;
  if (devPtr == nullptr) return fail_null("devPtr");
  FERRY_RETURN_IF_ERROR(check_fill_capacity(maxCount, count));
  return fill_now(bytes_request(devPtr, value, count));
}

aclError aclrtMemsetAsync(void* devPtr, size_t maxCount, int32_t value, size_t count,
                          aclrtStream stream) {
  if (is_filled_at_once(count)) return ACL_SUCCESS;
  if (devPtr == nullptr) return fail_null("devPtr");
  FERRY_RETURN_IF_ERROR(stream_if_given(stream).status());
  FERRY_RETURN_IF_ERROR(check_fill_capacity(maxCount, count));
  FERRY_TRY(Ref<Stream>, found, stream_of_current_context(stream));
  return fill_async(bytes_request(devPtr, value, count), **found);
}

aclError aclrtMemsetD32(void* ptr, size_t memSize, uint32_t value, size_t N) {
  if (N == 0) return ACL_SUCCESS;
  Location location;
  FERRY_RETURN_IF_ERROR(check_d32(ptr, memSize, N, location));
  FERRY_RETURN_IF_ERROR(check_words_product());
  return fill_now(words_request(ptr, value, N));
}

aclError aclrtMemsetD32Async(void* ptr, size_t memSize, uint32_t value, size_t N,
                             aclrtStream stream) {
  if (N == 0) return ACL_SUCCESS;
  Location location;
  FERRY_RETURN_IF_ERROR(check_d32(ptr, memSize, N, location));
  FERRY_RETURN_IF_ERROR(check_words_product());
  FERRY_RETURN_IF_ERROR(stream_if_given(stream).status());
  // Host memory is filled during the call; only the handle of the stream is checked.
  if (location.is_host()) return fill_host_memory(words_request(ptr, value, N));
  FERRY_TRY(Ref<Stream>, found, stream_or_default(stream));
  return fill_async(words_request(ptr, value, N), **found);
}

}  // namespace ferry::api
