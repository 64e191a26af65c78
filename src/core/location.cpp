// SPDX-License-Identifier: Apache-2.0
// Locations from the registry, and the checks for work done during a call.
#include "core/location.h"

#include "core/runtime.h"

#include <cinttypes>

namespace ferry {
namespace {

// nullptr when the runtime cannot start.
AllocationRegistry* known_memory() {
  Result<Runtime*> runtime = Runtime::get();
  return runtime.ok() ? &(*runtime)->memory() : nullptr;
}

// The last host and the last device range a thread found: most copies are between the same two
// allocations as the one before. Valid while the epoch of the memory does not change.
struct Recent {
  uint64_t epoch = UINT64_MAX;
  Location location;
};
thread_local Recent recent[2];

Location pageable(const void* address) {
  Location location{.address = address};
  location.memory.kind = FERRYX_MEMORY_PAGEABLE;
  return location;
}

// `ranges` are those of the calling thread.
Location locate_in(AllocationRegistry& memory, uint64_t epoch, Recent (&ranges)[2],
                   const void* address) {
  for (const Recent& found : ranges) {
    if (found.epoch == epoch && found.location.surrounds(address)) {
      return {.address = address, .memory = found.location.memory};
    }
  }
  Location location{.address = address};
  if (!memory.find(address, location.memory)) return pageable(address);
  if (memory.epoch() == epoch) ranges[location.is_device() ? 1 : 0] = {epoch, location};
  return location;
}

Status check_peer(const Device& device, const Location& location) {
  if (location.memory.kind != FERRYX_MEMORY_DEVICE) return {};
  const auto owner = static_cast<int32_t>(location.memory.device);
  if (owner == device.id() || device.is_peer_enabled(owner)) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1018, "", Value::alone(location.address))
      .because(
          " is memory of device %d, which device %d may not reach: call "
          "aclrtDeviceEnablePeerAccess(%d, 0) with device %d current first",
          owner, device.id(), owner, device.id());
}

}  // namespace

Location locate(const void* address) {
  AllocationRegistry* const memory = known_memory();
  return memory != nullptr ? locate_in(*memory, memory->epoch(), recent, address)
                           : pageable(address);
}

CopyPlaces locate_copy(const void* dst, const void* src) {
  AllocationRegistry* const memory = known_memory();
  if (memory == nullptr) return {.epoch = 0, .dst = pageable(dst), .src = pageable(src)};
  const uint64_t epoch = memory->epoch();
  Recent(&ranges)[2] = recent;
  return {.epoch = epoch,
          .dst = locate_in(*memory, epoch, ranges, dst),
          .src = locate_in(*memory, epoch, ranges, src)};
}

Status check_range(const char* argument, const Location& location, uint64_t size, Access access) {
  if (location.is_pageable()) {
    if (is_host_memory_accessible(location.address, size, access)) return {};
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1011, argument, location.address)
        .because(" and %" PRIu64 " bytes, which the host may not %s: it is %s", size,
                 access == Access::kRead ? "read" : "write",
                 known_memory()->describe(location.address).c_str());
  }
  if (location.holds(size)) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1011, argument, location.address)
      .detail(" and %" PRIu64 " bytes, which leaves its allocation of %" PRIu64
              " bytes at %p: allowed are ",
              size, location.memory.size, location.memory.address)
      .allowed("%" PRIu64, location.memory.size - location.offset());
}

Status check_backend(const Device& device, const Location& location, Use use) {
  if (!Runtime::has_several_backends() || location.is_pageable()) return {};
  if (use == Use::kNow && location.is_host()) return {};
  FERRY_TRY(Device*, owner, find_device(location.memory.device));
  if (&(*owner)->backend() == &device.backend()) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1017, "", Value::alone(location.address))
      .because(
          " is %s memory of device %d (%s), which device %d (%s) cannot use: allocate or "
          "register it with device %d current",
          location.is_host() ? "pinned" : "device", (*owner)->id(), (*owner)->backend().name,
          device.id(), device.backend().name, device.id());
}

Status check_reach(const Device& device, const Location& dst, const Location& src, Use use) {
  const bool is_over_bus = dst.is_host() || src.is_host();
  if (is_over_bus && !Runtime::has_several_backends()) return {};
  FERRY_RETURN_IF_ERROR(check_backend(device, dst, use));
  FERRY_RETURN_IF_ERROR(check_backend(device, src, use));
  if (is_over_bus || dst.memory.device == src.memory.device) return {};
  if (!soc().traits->peer_access_needed) return {};
  FERRY_RETURN_IF_ERROR(check_peer(device, dst));
  return check_peer(device, src);
}

}  // namespace ferry
