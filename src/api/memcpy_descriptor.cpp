// SPDX-License-Identifier: Apache-2.0
// Copies by descriptor and by base pointers with offsets.
#include "api/adapters.h"
#include "api/arguments.h"
#include "base/status.h"
#include "core/copy_descriptor.h"
#include "core/runtime.h"

namespace ferry::api {
namespace {

constexpr size_t kLargestOffset = 0xFFFFFFFFFFFF;

Status check_kind_range(aclrtMemcpyKind kind) {
  if (kind >= ACL_MEMCPY_HOST_TO_HOST && kind <= ACL_MEMCPY_INTER_DEVICE_TO_DEVICE) return {};
  return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "kind", kind).allowed("0 to 7");
}

bool is_supported(aclrtMemcpyKind kind) {
  return kind == ACL_MEMCPY_INNER_DEVICE_TO_DEVICE && soc().traits->descriptor_copy;
}

Rejection reject_kind(aclrtMemcpyKind kind) {
  return reject(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kWE0001, "kind", kind)
      .detail(" on %s, supported is ", soc().name);
}

constexpr const char* kSupported = "ACL_MEMCPY_INNER_DEVICE_TO_DEVICE (6) on A2, A3 and 950";

Status check_offsets(size_t dest_max, size_t dst_offset, size_t count, size_t src_offset) {
  if (count > dest_max) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "count", count)
        .allowed("0 to destMax = %zu", dest_max);
  }
  if (count > kLargestIndirectCopy) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1011, "count", count)
        .allowed("up to 4294967296 (4 GiB)");
  }
  if (src_offset > kLargestOffset) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "srcDataOffset", src_offset)
        .allowed("up to %zu", kLargestOffset);
  }
  if (dst_offset > kLargestOffset) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "dstDataOffset", dst_offset)
        .allowed("up to %zu", kLargestOffset);
  }
  if (dst_offset >= dest_max) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "dstDataOffset", dst_offset)
        .allowed("less than destMax = %zu", dest_max);
  }
  if (count > dest_max - dst_offset) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "count", count)
        .allowed("up to destMax - dstDataOffset = %zu", dest_max - dst_offset);
  }
  return {};
}

}  // namespace

aclError aclrtGetMemcpyDescSize(aclrtMemcpyKind kind, size_t* descSize) {
  if (descSize == nullptr) return fail_null("descSize");
  FERRY_RETURN_IF_ERROR(check_kind_range(kind));
  if (!is_supported(kind)) return reject_kind(kind).allowed("%s", kSupported);
  *descSize = soc().traits->descriptor_size;
  return ACL_SUCCESS;
}

aclError aclrtSetMemcpyDesc(void* desc, aclrtMemcpyKind kind, void* srcAddr, void* dstAddr,
                            size_t count, void* config) {
  if (desc == nullptr) return fail_null("desc");
  FERRY_RETURN_IF_ERROR(check_kind_range(kind));
  if (srcAddr == nullptr) return fail_null("srcAddr");
  if (dstAddr == nullptr) return fail_null("dstAddr");
  if (count == 0) return reject(ACL_ERROR_INVALID_PARAM, kEH0007, "count", 0).allowed("1 or more");
  if (config != nullptr) {
    return reject(ACL_ERROR_INVALID_PARAM, kEH0012, "config")
        .detail(" is reserved and must be ")
        .allowed("NULL");
  }
  if (!is_supported(kind)) return reject_kind(kind).unlogged().allowed("%s", kSupported);
  return write_descriptor({.descriptor = desc, .src = srcAddr, .dst = dstAddr, .size = count});
}

aclError aclrtMemcpyAsyncWithDesc(void* desc, aclrtMemcpyKind kind, aclrtStream stream) {
  if (desc == nullptr) return fail_null("desc");
  FERRY_RETURN_IF_ERROR(check_kind_range(kind));
  if (stream == nullptr) return fail_null("stream");
  FERRY_TRY(Ref<Stream>, found, find_stream(stream));
  if (!is_supported(kind)) return reject_kind(kind).unlogged().allowed("%s", kSupported);
  return copy_described(desc, **found);
}

aclError aclrtMemcpyAsyncWithOffset(void** dst, size_t destMax, size_t dstDataOffset,
                                    const void** src, size_t count, size_t srcDataOffset,
                                    aclrtMemcpyKind kind, aclrtStream stream) {
  if (count == 0) return ACL_SUCCESS;
  if (kind != ACL_MEMCPY_INNER_DEVICE_TO_DEVICE) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "kind", kind)
        .allowed("ACL_MEMCPY_INNER_DEVICE_TO_DEVICE (6)");
  }
  if (!soc().traits->descriptor_copy) return reject_kind(kind).allowed("%s", kSupported);
  FERRY_RETURN_IF_ERROR(stream_if_given(stream).status());
  if (dst == nullptr) return fail_null_in_runtime("dst");
  if (src == nullptr) return fail_null_in_runtime("src");
  FERRY_RETURN_IF_ERROR(check_offsets(destMax, dstDataOffset, count, srcDataOffset));
  FERRY_TRY(Ref<Stream>, found, stream_or_default(stream));
  return copy_indirect({.dst_pointer = dst,
                        .src_pointer = src,
                        .dst_offset = dstDataOffset,
                        .src_offset = srcDataOffset,
                        .size = count},
                       **found);
}

}  // namespace ferry::api
