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
  return fail(ACL_ERROR_INVALID_PARAM, MessageCode::kEH0007, "kind is %d, allowed is 0 to 7", kind);
}

bool is_supported(aclrtMemcpyKind kind) {
  return kind == ACL_MEMCPY_INNER_DEVICE_TO_DEVICE && soc().traits->descriptor_copy;
}

constexpr const char* kUnsupported =
    "kind is %d on %s, supported is ACL_MEMCPY_INNER_DEVICE_TO_DEVICE (6) on A2, A3 and 950";

Status check_offsets(size_t dest_max, size_t dst_offset, size_t count, size_t src_offset) {
  if (count > dest_max) {
    return fail(ACL_ERROR_RT_PARAM_INVALID, MessageCode::kEE1003,
                "count is %zu, allowed is 0 to destMax = %zu", count, dest_max);
  }
  if (count > kLargestIndirectCopy) {
    return fail(ACL_ERROR_RT_PARAM_INVALID, MessageCode::kEE1011,
                "count is %zu, allowed is up to 4294967296 (4 GiB)", count);
  }
  if (src_offset > kLargestOffset) {
    return fail(ACL_ERROR_RT_PARAM_INVALID, MessageCode::kEE1003,
                "srcDataOffset is %zu, allowed is up to %zu", src_offset, kLargestOffset);
  }
  if (dst_offset > kLargestOffset) {
    return fail(ACL_ERROR_RT_PARAM_INVALID, MessageCode::kEE1003,
                "dstDataOffset is %zu, allowed is up to %zu", dst_offset, kLargestOffset);
  }
  if (dst_offset >= dest_max) {
    return fail(ACL_ERROR_RT_PARAM_INVALID, MessageCode::kEE1003,
                "dstDataOffset is %zu, allowed is less than destMax = %zu", dst_offset, dest_max);
  }
  if (count > dest_max - dst_offset) {
    return fail(ACL_ERROR_RT_PARAM_INVALID, MessageCode::kEE1003,
                "count is %zu, allowed is up to destMax - dstDataOffset = %zu", count,
                dest_max - dst_offset);
  }
  return {};
}

Status fail_null_in_runtime(const char* argument) {
  return fail(ACL_ERROR_RT_PARAM_INVALID, MessageCode::kEE1004, "%s is NULL", argument);
}

}  // namespace

aclError aclrtGetMemcpyDescSize(aclrtMemcpyKind kind, size_t* descSize) {
  if (descSize == nullptr) return fail_null("descSize");
  FERRY_RETURN_IF_ERROR(check_kind_range(kind));
  if (!is_supported(kind)) {
    return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, MessageCode::kWE0001, kUnsupported, kind,
                soc().name);
  }
  *descSize = soc().traits->descriptor_size;
  return ACL_SUCCESS;
}

aclError aclrtSetMemcpyDesc(void* desc, aclrtMemcpyKind kind, void* srcAddr, void* dstAddr,
                            size_t count, void* config) {
  if (desc == nullptr) return fail_null("desc");
  FERRY_RETURN_IF_ERROR(check_kind_range(kind));
  if (srcAddr == nullptr) return fail_null("srcAddr");
  if (dstAddr == nullptr) return fail_null("dstAddr");
  if (count == 0) {
    return fail(ACL_ERROR_INVALID_PARAM, MessageCode::kEH0007, "count is 0, allowed is 1 or more");
  }
  if (config != nullptr) {
    return fail(ACL_ERROR_INVALID_PARAM, MessageCode::kEH0012,
                "config is reserved and must be NULL");
  }
  if (!is_supported(kind)) {
    return fail_unlogged(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, MessageCode::kWE0001, kUnsupported, kind,
                         soc().name);
  }
  return write_descriptor({.descriptor = desc, .src = srcAddr, .dst = dstAddr, .size = count});
}

aclError aclrtMemcpyAsyncWithDesc(void* desc, aclrtMemcpyKind kind, aclrtStream stream) {
  if (desc == nullptr) return fail_null("desc");
  FERRY_RETURN_IF_ERROR(check_kind_range(kind));
  if (stream == nullptr) return fail_null("stream");
  Result<Ref<Stream>> found = find_stream(stream);
  FERRY_RETURN_IF_ERROR(found.status());
  if (!is_supported(kind)) {
    return fail_unlogged(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, MessageCode::kWE0001, kUnsupported, kind,
                         soc().name);
  }
  return copy_described(desc, **found);
}

aclError aclrtMemcpyAsyncWithOffset(void** dst, size_t destMax, size_t dstDataOffset,
                                    const void** src, size_t count, size_t srcDataOffset,
                                    aclrtMemcpyKind kind, aclrtStream stream) {
  if (count == 0) return ACL_SUCCESS;
  if (kind != ACL_MEMCPY_INNER_DEVICE_TO_DEVICE) {
    return fail(ACL_ERROR_RT_PARAM_INVALID, MessageCode::kEE1003,
                "kind is %d, allowed is ACL_MEMCPY_INNER_DEVICE_TO_DEVICE (6)", kind);
  }
  if (!soc().traits->descriptor_copy) {
    return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, MessageCode::kWE0001, kUnsupported, kind,
                soc().name);
  }
  FERRY_RETURN_IF_ERROR(stream_if_given(stream).status());
  if (dst == nullptr) return fail_null_in_runtime("dst");
  if (src == nullptr) return fail_null_in_runtime("src");
  FERRY_RETURN_IF_ERROR(check_offsets(destMax, dstDataOffset, count, srcDataOffset));
  Result<Ref<Stream>> found = stream_or_default(stream);
  FERRY_RETURN_IF_ERROR(found.status());
  return copy_indirect({.dst_pointer = dst,
                        .src_pointer = src,
                        .dst_offset = dstDataOffset,
                        .src_offset = srcDataOffset,
                        .size = count},
                       **found);
}

}  // namespace ferry::api
