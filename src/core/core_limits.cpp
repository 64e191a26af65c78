// SPDX-License-Identifier: Apache-2.0
// Which limit counts.
#include "core/core_limits.h"

#include "core/runtime.h"
#include "core/stream.h"

namespace ferry {
namespace {

// A handle, not a reference: the thread may outlive the stream.
thread_local void* stream_in_use = nullptr;

}  // namespace

uint32_t hardware_cores(aclrtDevResLimitType type) {
  return type == ACL_RT_DEV_RES_CUBE_CORE ? soc().cube_cores : soc().vector_cores;
}

uint32_t cores_of(const Device& device, aclrtDevResLimitType type) {
  return device.core_limits.get(type).value_or(hardware_cores(type));
}

uint32_t cores_of(const Stream& stream, aclrtDevResLimitType type) {
  if (const std::optional<uint32_t> limit = stream.core_limits.get(type)) return *limit;
  return cores_of(stream.context().device(), type);
}

void use_limits_of(const Stream& stream) {
  stream_in_use = stream.handle();
}

void stop_using_limits_of(const Stream& stream) {
  if (stream_in_use == stream.handle()) stream_in_use = nullptr;
}

uint32_t cores_of_thread(const Device& device, aclrtDevResLimitType type) {
  if (const Ref<Stream> stream = HandleTable<Stream>::instance().find(stream_in_use)) {
    if (const std::optional<uint32_t> limit = stream->core_limits.get(type)) return *limit;
  }
  return cores_of(device, type);
}

}  // namespace ferry
