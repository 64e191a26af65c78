// SPDX-License-Identifier: Apache-2.0
// Makes the work; the backend computes.
#include "core/reduce.h"

#include "base/work.h"
#include "core/location.h"

namespace ferry {
namespace {

Status check_operand(const char* argument, const Location& location, const Device& device) {
  const bool is_here =
      location.is_device() && location.memory.device == static_cast<uint32_t>(device.id());
  if (is_here) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1011, argument, location.address)
      .because(", which is not memory of device %d, the device of the stream", device.id());
}

}  // namespace

Status reduce_async(const ReduceRequest& request, Stream& stream) {
  const Device& device = stream.context().device();
  const auto& [epoch, dst, src] = locate_copy(request.operands.dst, request.operands.src);
  FERRY_RETURN_IF_ERROR(check_operand("dst", dst, device));
  FERRY_RETURN_IF_ERROR(check_operand("src", src, device));
  FERRY_RETURN_IF_ERROR(stream.check_open_for_work());
  ferryx_work work = make_work(FERRYX_REDUCE, &ferryx_payload::reduce,
                               {.operands = make_copy(request.operands, dst, src),
                                .operation = static_cast<uint32_t>(request.operation),
                                .element = static_cast<uint32_t>(request.element)},
                               epoch);
  return stream.submit(work);
}

}  // namespace ferry
