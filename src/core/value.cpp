// SPDX-License-Identifier: Apache-2.0
// Values in device memory: one kind of work each for the store and the wait.
#include "core/value.h"

#include "base/work.h"
#include "core/runtime.h"

namespace ferry {
namespace {

Status submit_value(Stream& stream, const Location& location, ferryx_work_kind kind,
                    const ferryx_value& value) {
  FERRY_RETURN_IF_ERROR(check_backend(stream.context().device(), location, Use::kQueued));
  FERRY_RETURN_IF_ERROR(stream.check_open_for_work());
  // Without a storage address: it is resolved when the work executes.
  ferryx_work work = make_work(kind, &ferryx_payload::value, value);
  return stream.submit(work);
}

ferryx_value value_at(const Location& location, uint64_t value) {
  return {.address = const_cast<void*>(location.address),
          .storage = nullptr,
          .value = value,
          .comparison = 0,
          .reserved = 0};
}

}  // namespace

Result<Location> locate_value(const void* address) {
  const Location location = locate(address);
  if (!location.is_device()) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1011, "devAddr", address)
        .because(", which is %s; allowed is device memory", side_in_words(location));
  }
  if (reinterpret_cast<uintptr_t>(address) % sizeof(uint64_t) != 0) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1003, "devAddr", address)
        .allowed("an address aligned to 8 bytes");
  }
  return location;
}

Status queue_value_write(Stream& stream, const Location& location, uint64_t value) {
  return submit_value(stream, location, FERRYX_WRITE_VALUE, value_at(location, value));
}

Status queue_value_wait(Stream& stream, const Location& location, uint64_t value,
                        ferryx_comparison comparison) {
  ferryx_value awaited = value_at(location, value);
  awaited.comparison = comparison;
  return submit_value(stream, location, FERRYX_AWAIT_VALUE, awaited);
}

}  // namespace ferry
