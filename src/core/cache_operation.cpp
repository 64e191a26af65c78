// SPDX-License-Identifier: Apache-2.0
// A task that does nothing is a mark that nobody waits for: every backend has it, and it stalls no
// queue.
#include "core/cache_operation.h"

#include "base/work.h"
#include "core/copy.h"
#include "core/copy_descriptor.h"
#include "core/event.h"
#include "core/location.h"
#include "core/model/lane.h"

namespace ferry {
namespace {

Status check_descriptor_on_device(const void* descriptor) {
  if (!locate(descriptor).is_host()) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1017, "cmoDesc", descriptor)
      .because(", which is not device memory");
}

}  // namespace

Status submit_cache_operation(Stream& stream) {
  FERRY_RETURN_IF_ERROR(stream.check_open_for_work());
  if (stream.recorder() != nullptr) {
    ferryx_work nothing = make_no_work();
    return stream.record(nothing, {.keeps = std::make_shared<int>()});
  }
  FERRY_TRY(MarkerRef, marker, MarkerRef::create(stream.context().device()));
  ferryx_work work = make_work(FERRYX_MARK, &ferryx_payload::marker,
                               {.marker = marker->get(), .timeout = FERRYX_FOREVER});
  return stream.submit(work);
}

Status write_cache_descriptor(void* descriptor, const void* address, uint64_t size) {
  FERRY_RETURN_IF_ERROR(check_descriptor_on_device(descriptor));
  // The layout of a copy's descriptor, without a destination.
  const ferryx_descriptor written{.reserved = {},
                                  .size = static_cast<uint32_t>(size),
                                  .src = reinterpret_cast<uint64_t>(address),
                                  .dst = 0};
  return copy_for_the_runtime({.dst = descriptor, .src = &written, .size = sizeof written});
}

Status check_cache_descriptor(const void* descriptor) {
  if (reinterpret_cast<uintptr_t>(descriptor) % kDescriptorAlignment != 0) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1011, "cmoDesc", descriptor)
        .allowed("an address aligned to %llu bytes",
                 static_cast<unsigned long long>(kDescriptorAlignment));
  }
  return check_descriptor_on_device(descriptor);
}

}  // namespace ferry
