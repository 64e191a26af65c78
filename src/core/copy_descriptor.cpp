// SPDX-License-Identifier: Apache-2.0
// Descriptor and offset copies.
#include "core/copy_descriptor.h"

#include "base/work.h"
#include "core/copy.h"
#include "core/location.h"
#include "core/runtime.h"

namespace ferry {
namespace {

Status check_on_device(const char* argument, const Location& location) {
  if (location.memory.kind == FERRYX_MEMORY_DEVICE || location.is_remote()) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1017, argument, location.address)
      .because(", which is not device memory");
}

// A copy between two managed addresses is one inside the device that executes it.
Status check_inside_device(const Location& dst, const Location& src) {
  if (dst.is_managed() && src.is_managed()) return {};
  FERRY_RETURN_IF_ERROR(check_on_device("srcAddr", src));
  FERRY_RETURN_IF_ERROR(check_on_device("dstAddr", dst));
  if (src.memory.device == dst.memory.device) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1017, "srcAddr")
      .detail(" is on device %u and dstAddr on device %u, allowed is ", src.memory.device,
              dst.memory.device)
      .allowed("the same device");
}

// The backend that executes the copy must be able to access the descriptor and both ranges.
Status check_same_backend(const Location& descriptor, const Location& src) {
  FERRY_TRY(Device*, device, find_device(descriptor.memory.device));
  return check_backend(**device, src, Use::kQueued);
}

Status check_aligned(const void* descriptor) {
  if (reinterpret_cast<uintptr_t>(descriptor) % kDescriptorAlignment == 0) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1011, "desc", descriptor)
      .allowed("an address aligned to %llu bytes",
               static_cast<unsigned long long>(kDescriptorAlignment));
}

}  // namespace

Status write_descriptor(const DescriptorRequest& request) {
  if (request.size > kLargestIndirectCopy) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "count", request.size)
        .allowed("1 to 4294967296 (4 GiB)");
  }
  FERRY_RETURN_IF_ERROR(check_aligned(request.descriptor));
  const Location place = locate(request.descriptor);
  const Location dst = locate(request.dst);
  const Location src = locate(request.src);
  FERRY_RETURN_IF_ERROR(check_on_device("desc", place));
  FERRY_RETURN_IF_ERROR(check_inside_device(dst, src));
  FERRY_RETURN_IF_ERROR(check_same_backend(place, src));
  // A length of 4 GiB does not fit into its 32 bits and is stored as 0.
  const ferryx_descriptor descriptor{.reserved = {},
                                     .size = static_cast<uint32_t>(request.size),
                                     .src = reinterpret_cast<uint64_t>(request.src),
                                     .dst = reinterpret_cast<uint64_t>(request.dst)};
  return copy_for_the_runtime(
      {.dst = request.descriptor, .src = &descriptor, .size = sizeof descriptor});
}

Status copy_described(const void* descriptor, Stream& stream) {
  const Location place = locate(descriptor);
  FERRY_RETURN_IF_ERROR(check_on_device("desc", place));
  FERRY_RETURN_IF_ERROR(check_aligned(descriptor));
  FERRY_RETURN_IF_ERROR(require_current_context(stream));
  FERRY_RETURN_IF_ERROR(check_backend(stream.context().device(), place, Use::kQueued));
  FERRY_RETURN_IF_ERROR(stream.check_open_for_work());
  ferryx_work work =
      make_work(FERRYX_DESCRIBED, &ferryx_payload::described, {.descriptor = descriptor});
  return stream.submit(work);
}

Status copy_indirect(const ferryx_indirect& copy, Stream& stream) {
  FERRY_RETURN_IF_ERROR(require_current_context(stream));
  const Device& device = stream.context().device();
  FERRY_RETURN_IF_ERROR(check_backend(device, locate(copy.dst_pointer), Use::kQueued));
  FERRY_RETURN_IF_ERROR(check_backend(device, locate(copy.src_pointer), Use::kQueued));
  FERRY_RETURN_IF_ERROR(stream.check_open_for_work());
  ferryx_work work = make_work(FERRYX_INDIRECT, &ferryx_payload::indirect, copy);
  return stream.submit(work);
}

}  // namespace ferry
