// SPDX-License-Identifier: Apache-2.0
// Locations from the registry, and the checks for work done during a call.
#include "core/location.h"

#include "core/ipc_memory.h"
#include "core/runtime.h"
#include "core/virtual_memory.h"

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
  if (VirtualMemory::instance().is_granted(location.address, device)) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1018, "", Value::alone(location.address))
      .because(
          " is memory of device %d, which device %d may not reach: call "
          "aclrtDeviceEnablePeerAccess(%d, 0) with device %d current first",
          owner, device.id(), owner, device.id());
}

Status fail_inaccessible(const char* argument, const Location& location, uint64_t size,
                         Access access) {
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1011, argument, location.address)
      .because(" and %" PRIu64 " bytes, which the host may not %s: it is %s", size,
               access == Access::kRead ? "read" : "write",
               known_memory()->describe(location.address).c_str());
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

const char* side_in_words(const Location& location) {
  if (location.is_managed()) return "managed memory";
  return location.is_device() ? "device memory" : "host memory";
}

Status check_range(const char* argument, const Location& location, uint64_t size, Access access) {
  if (location.is_pageable()) {
    if (is_host_memory_accessible(location.address, size, access)) return {};
    return fail_inaccessible(argument, location, size, access);
  }
  if (location.holds(size)) return {};
  if (location.is_closed()) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1011, argument, location.address)
        .because(", where memory is mapped that nobody may access: call aclrtMemSetAccess first");
  }
  const ferryx_memory& memory = location.memory;
  const uint64_t requested = known_memory()->requested_size(memory);
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1011, argument, location.address)
      .detail(" and %" PRIu64 " bytes, which leaves its allocation of %" PRIu64
              " bytes at %p: allowed%s are ",
              size, requested, memory.address, requested < memory.size ? " with padding" : "")
      .allowed("%" PRIu64, memory.size - location.offset());
}

Status check_captured_source(const Location& src, uint64_t size) {
  if (!src.is_pageable()) return check_range("src", src, size, Access::kRead);
  if (is_every_page_accessible(src.address, size, Access::kRead)) return {};
  return fail_inaccessible("src", src, size, Access::kRead);
}

Status check_backend(const Device& device, const Location& location, Use use) {
  if (!Runtime::has_several_backends() || location.is_pageable()) return {};
  if (use == Use::kNow && location.is_host()) return {};
  FERRY_TRY(Device*, owner, find_device(location.memory.device));
  if (&(*owner)->backend() == &device.backend()) return {};
  return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1017, "", Value::alone(location.address))
      .because(
          " is %s of device %d (%s), which device %d (%s) cannot use: allocate or register it with "
          "device %d current",
          location.is_host() ? "pinned memory" : side_in_words(location), (*owner)->id(),
          (*owner)->backend().name, device.id(), device.backend().name, device.id());
}

Status check_reach(const Device& device, const Location& dst, const Location& src, Use use) {
  const bool stays_on_devices = direction_of(dst, src) == FERRYX_DEVICE_TO_DEVICE;
  if (!stays_on_devices && !Runtime::has_several_backends()) return {};
  FERRY_RETURN_IF_ERROR(check_backend(device, dst, use));
  FERRY_RETURN_IF_ERROR(check_backend(device, src, use));
  if (!stays_on_devices || !soc().traits->peer_access_needed) return {};
  if (IpcMemory::has_foreign()) {
    FERRY_RETURN_IF_ERROR(IpcMemory::instance().check_peer(device, dst));
    FERRY_RETURN_IF_ERROR(IpcMemory::instance().check_peer(device, src));
  }
  if (dst.memory.device == src.memory.device) return {};
  FERRY_RETURN_IF_ERROR(check_peer(device, dst));
  return check_peer(device, src);
}

}  // namespace ferry
