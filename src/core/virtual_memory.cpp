// SPDX-License-Identifier: Apache-2.0
// Reservations, physical memory and mappings. Everything that may fail for lack of memory comes
// before the first change.
#include "core/virtual_memory.h"

#include "core/context.h"
#include "core/handle_table.h"
#include "core/runtime.h"
#include "core/shared_physical.h"

#include <algorithm>
#include <cinttypes>
#include <string>

namespace ferry {
namespace {

uintptr_t number_of(const void* address) {
  return reinterpret_cast<uintptr_t>(address);
}

Result<AllocationRegistry*> live_memory() {
  FERRY_TRY(Runtime*, runtime, Runtime::get());
  return &(*runtime)->memory();
}

// The device of the calling thread's context; without one, the first.
Result<Device*> device_of_call() {
  const Ref<Context> context = find_current_context();
  if (context) return &context->device();
  return find_device(0);
}

Status require_virtual_memory(const Device& device) {
  if (device.backend().address_reserve != nullptr) return {};
  return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kEE1006,
              "devices of the backend %s have no virtual memory", device.backend().name);
}

Status fail_dead_handle(const void* handle) {
  return fail_handle(ACL_ERROR_RT_PARAM_INVALID, "handle", handle, "physical memory");
}

Status fail_not_mapped(const char* argument, const void* address) {
  return reject(ACL_ERROR_RT_DRV_INTERNAL_ERROR, kEE1017, argument, address)
      .because(", where no mapping starts");
}

std::string in_words(const MemoryPlace& place) {
  return place.is_host ? "the host" : "device " + std::to_string(place.device->id());
}

}  // namespace

VirtualMemory& VirtualMemory::instance() {
  static auto* memory = new VirtualMemory;
  return *memory;
}

// ---- reservations ----

Status VirtualMemory::reserve(const AddressRequest& request, void** address) {
  FERRY_TRY(Device*, device, device_of_call());
  FERRY_RETURN_IF_ERROR(require_virtual_memory(**device));
  if (request.size > UINT64_MAX - kVirtualPage) {
    return reject(ACL_ERROR_RT_MEMORY_ALLOCATION, kEE1011, "size", request.size)
        .because(", which no address space holds");
  }
  const uint64_t size = (request.size + kVirtualPage - 1) / kVirtualPage * kVirtualPage;
  std::map<uintptr_t, Reservation> made;
  Reservation& reservation = made[0];
  reservation.device = *device;
  const std::lock_guard lock(mutex_);
  FERRY_RETURN_IF_ERROR(Status((*device)->tapped().address_reserve(
      (*device)->instance(), size, request.alignment, request.wanted, &reservation.range)));
  auto entry = made.extract(made.begin());
  entry.key() = number_of(reservation.range.address);
  reservations_.insert(std::move(entry));
  *address = reservation.range.address;
  return {};
}

Status VirtualMemory::release(void* address) {
  const std::lock_guard lock(mutex_);
  const auto found = reservations_.find(number_of(address));
  if (found == reservations_.end()) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1011, "virPtr", address)
        .because(", which is not the start of reserved addresses");
  }
  Reservation& reservation = found->second;
  if (is_any_mapped(found->first, reservation.range.size)) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1018, "virPtr", address)
        .because(", where memory is still mapped: call aclrtUnmapMem first");
  }
  reservation.device->tapped().address_release(reservation.device->instance(), &reservation.range);
  reservations_.erase(found);
  return {};
}

VirtualMemory::Reservation* VirtualMemory::find_reservation(const void* address, uint64_t size) {
  const uintptr_t wanted = number_of(address);
  const auto behind = reservations_.upper_bound(wanted);
  if (behind == reservations_.begin()) return nullptr;
  auto& [start, reservation] = *std::prev(behind);
  const uint64_t offset = wanted - start;
  const bool is_inside = offset < reservation.range.size && size <= reservation.range.size - offset;
  return is_inside ? &reservation : nullptr;
}

bool VirtualMemory::is_reserved(const void* address) const {
  const std::lock_guard lock(mutex_);
  return const_cast<VirtualMemory*>(this)->find_reservation(address, 1) != nullptr;
}

// ---- physical memory ----

Status VirtualMemory::create(const PhysicalRequest& request, aclrtDrvMemHandle* handle) {
  Device& device = *request.place.device;
  FERRY_RETURN_IF_ERROR(require_virtual_memory(device));
  FERRY_TRY(ferryx_device*, open, device.open());
  Physicals made;
  Physical& physical = made[nullptr];
  physical.request = request;
  const ferryx_physical_settings settings{.struct_size = sizeof settings,
                                          .is_host = request.place.is_host ? 1u : 0u,
                                          .size = request.size,
                                          .node = request.node};
  FERRY_RETURN_IF_ERROR(
      Status(device.backend().physical_create(*open, &settings, &physical.memory)));
  const std::lock_guard lock(mutex_);
  *handle = insert(std::move(made));
  return {};
}

// Gives the one entry of `made` its handle.
aclrtDrvMemHandle VirtualMemory::insert(Physicals made) {
  auto entry = made.extract(made.begin());
  entry.key() = reinterpret_cast<void*>(static_cast<uintptr_t>(HandleKind::kPhysicalMemory) << 48 |
                                        next_handle_++);
  return physicals_.insert(std::move(entry)).position->first;
}

Result<VirtualMemory::Physicals::iterator> VirtualMemory::find_handle(aclrtDrvMemHandle handle) {
  const auto found = physicals_.find(handle);
  if (found == physicals_.end() || found->second.references == 0) return fail_dead_handle(handle);
  return found;
}

Status VirtualMemory::free(aclrtDrvMemHandle handle) {
  const std::lock_guard lock(mutex_);
  FERRY_TRY(Physicals::iterator, physical, find_handle(handle));
  --(*physical)->second.references;
  drop_if_unused(*physical);
  return {};
}

void VirtualMemory::drop_if_unused(Physicals::iterator physical) {
  const Physical& unused = physical->second;
  if (unused.references > 0 || unused.mappings > 0 || unused.loans > 0) return;
  // The last process that holds it ends the wait.
  if (unused.exported != nullptr && !withdraw(*unused.exported)) return;
  const Device& device = *unused.request.place.device;
  device.backend().physical_release(device.handle(), unused.memory);
  physicals_.erase(physical);
}

Status VirtualMemory::properties(aclrtDrvMemHandle handle, aclrtPhysicalMemProp* properties) const {
  const std::lock_guard lock(mutex_);
  FERRY_TRY(Physicals::iterator, physical, const_cast<VirtualMemory*>(this)->find_handle(handle));
  *properties = (*physical)->second.request.properties;
  return {};
}

Status VirtualMemory::retain(void* address, aclrtDrvMemHandle* handle) {
  const std::lock_guard lock(mutex_);
  FERRY_TRY(Mappings::iterator, mapping, find_start("virPtr", address));
  const Physicals::iterator physical = (*mapping)->second.physical;
  ++physical->second.references;
  *handle = physical->first;
  return {};
}

// ---- mappings ----

Result<VirtualMemory::Mappings::iterator> VirtualMemory::find_start(const char* argument,
                                                                    void* address) {
  const auto found = mappings_.find(number_of(address));
  if (found == mappings_.end()) return fail_not_mapped(argument, address);
  return found;
}

VirtualMemory::Mappings::const_iterator VirtualMemory::find_around(const void* address) const {
  const uintptr_t wanted = number_of(address);
  const auto behind = mappings_.upper_bound(wanted);
  if (behind == mappings_.begin()) return mappings_.end();
  const auto found = std::prev(behind);
  return wanted - found->first < found->second.size ? found : mappings_.end();
}

bool VirtualMemory::is_any_mapped(uintptr_t start, uint64_t size) const {
  const auto next = mappings_.lower_bound(start);
  if (next != mappings_.end() && next->first - start < size) return true;
  if (next == mappings_.begin()) return false;
  const auto& [before, mapping] = *std::prev(next);
  return start - before < mapping.size;
}

Status VirtualMemory::check_fits(const VirtualRange& range, const Physical& physical,
                                 const Reservation* reservation) const {
  const uint64_t page = physical.request.page;
  if (number_of(range.address) % page != 0) {
    return reject(ACL_ERROR_RT_DRV_INTERNAL_ERROR, kEE1017, "virPtr", range.address)
        .allowed("a multiple of %" PRIu64, page);
  }
  if (range.size % page != 0) {
    return reject(ACL_ERROR_RT_DRV_INTERNAL_ERROR, kEE1017, "size", range.size)
        .allowed("a multiple of %" PRIu64, page);
  }
  if (reservation == nullptr) {
    return reject(ACL_ERROR_RT_DRV_INTERNAL_ERROR, kEE1017, "virPtr", range.address)
        .because(" and %" PRIu64 " bytes, which are not inside one range of aclrtReserveMemAddress",
                 range.size);
  }
  if (range.size > physical.request.size) {
    return reject(ACL_ERROR_RT_DRV_INTERNAL_ERROR, kEE1017, "size", range.size)
        .allowed("up to %" PRIu64 ", the size of the handle", physical.request.size);
  }
  const MemoryPlace& place = physical.request.place;
  if (reservation->side.has_value() && !(*reservation->side == place)) {
    return reject(ACL_ERROR_RT_DRV_INTERNAL_ERROR, kEE1017, "virPtr", range.address)
        .because(
            ", which was used for %s and stays with it until aclrtReleaseMemAddress, but the "
            "handle is of %s",
            in_words(*reservation->side).c_str(), in_words(place).c_str());
  }
  if (&reservation->device->backend() != &place.device->backend()) {
    return reject(ACL_ERROR_RT_DRV_INTERNAL_ERROR, kEE1017, "virPtr", range.address)
        .because(", which the backend %s has reserved, but the memory is of %s",
                 reservation->device->backend().name, place.device->backend().name);
  }
  if (is_any_mapped(number_of(range.address), range.size)) {
    return reject(ACL_ERROR_RT_DRV_INTERNAL_ERROR, kEE1017, "virPtr", range.address)
        .because(" and %" PRIu64 " bytes, where something is mapped already", range.size);
  }
  return {};
}

Status VirtualMemory::map(const VirtualRange& range, aclrtDrvMemHandle handle, MapAccess access) {
  const std::lock_guard lock(mutex_);
  FERRY_TRY(Physicals::iterator, physical, find_handle(handle));
  return map_locked(range, *physical, access);
}

Status VirtualMemory::map_locked(const VirtualRange& range, Physicals::iterator physical,
                                 MapAccess access) {
  Reservation* const reservation = find_reservation(range.address, range.size);
  FERRY_RETURN_IF_ERROR(check_fits(range, physical->second, reservation));
  Mappings made;
  const uintptr_t start = number_of(range.address);
  Mapping& mapping = made[start];
  mapping.size = range.size;
  mapping.physical = physical;
  mapping.reservation = reservation;
  FERRY_RETURN_IF_ERROR(access == MapAccess::kNow ? open(start, mapping)
                                                  : keep_closed(start, mapping));
  reservation->side = physical->second.request.place;
  ++physical->second.mappings;
  mappings_.merge(made);
  return {};
}

// Memory without storage: the address is known, and every access to it fails.
Status VirtualMemory::keep_closed(uintptr_t start, Mapping& mapping) {
  FERRY_TRY(AllocationRegistry*, live, live_memory());
  const MemoryPlace& place = mapping.physical->second.request.place;
  mapping.memory = {
      .address = reinterpret_cast<void*>(start),
      .size = mapping.size,
      .storage = nullptr,
      .kind = static_cast<uint32_t>(place.is_host ? FERRYX_MEMORY_PINNED : FERRYX_MEMORY_DEVICE),
      .device = static_cast<uint32_t>(place.device->id())};
  (*live)->join(mapping.memory, number_of(mapping.reservation->range.address));
  return {};
}

Status VirtualMemory::open(uintptr_t start, Mapping& mapping) {
  FERRY_TRY(AllocationRegistry*, live, live_memory());
  const Physical& physical = mapping.physical->second;
  const Device& device = *physical.request.place.device;
  const ferryx_memory& range = mapping.reservation->range;
  const uint64_t offset = start - number_of(range.address);
  FERRY_RETURN_IF_ERROR(Status(device.tapped().physical_map(
      device.handle(), physical.memory, &range, offset, mapping.size, &mapping.memory)));
  mapping.memory.device = static_cast<uint32_t>(device.id());
  bool is_joined = false;
  try {
    is_joined = (*live)->join(mapping.memory, number_of(range.address));
  } catch (...) {
    device.tapped().physical_unmap(device.handle(), &mapping.memory);
    throw;
  }
  if (!is_joined) {
    device.tapped().physical_unmap(device.handle(), &mapping.memory);
    return fail(ACL_ERROR_RT_INTERNAL_ERROR, kEE9999,
                "the backend has mapped memory at %p that is in use", mapping.memory.address);
  }
  mapping.is_accessible = true;
  return {};
}

// Copies stop finding it first, so that none begins while the backend waits for those that have.
Status VirtualMemory::close(Mapping& mapping) {
  FERRY_TRY(AllocationRegistry*, live, live_memory());
  (*live)->cut(mapping.memory);
  if (!mapping.is_accessible) return {};
  const Device& device = *mapping.physical->second.request.place.device;
  const Status unmapped(device.tapped().physical_unmap(device.handle(), &mapping.memory));
  if (!unmapped.ok()) {
    (*live)->join(mapping.memory, number_of(mapping.reservation->range.address));
  }
  return unmapped;
}

Status VirtualMemory::reopen(uintptr_t start, Mapping& mapping) {
  FERRY_RETURN_IF_ERROR(close(mapping));
  const Status opened = open(start, mapping);
  if (!opened.ok()) FERRY_RETURN_IF_ERROR(keep_closed(start, mapping));
  return opened;
}

Status VirtualMemory::unmap(void* address) {
  const std::lock_guard lock(mutex_);
  FERRY_TRY(Mappings::iterator, mapping, find_start("virPtr", address));
  return unmap_locked(*mapping);
}

Status VirtualMemory::unmap_locked(Mappings::iterator mapping) {
  if (mapping->second.keys > 0) {
    return reject(ACL_ERROR_RT_DRV_INTERNAL_ERROR, kEE1017, "virPtr",
                  reinterpret_cast<void*>(mapping->first))
        .because(", for which an IPC memory key is open: call aclrtIpcMemClose first");
  }
  FERRY_RETURN_IF_ERROR(close(mapping->second));
  const Physicals::iterator physical = mapping->second.physical;
  mappings_.erase(mapping);
  --physical->second.mappings;
  drop_if_unused(physical);
  return {};
}

Status VirtualMemory::map_alias(void* target, uint64_t size, void* source) {
  const std::lock_guard lock(mutex_);
  const auto fail_source = [&] {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1011, "virPtrSrc", source)
        .because(" and %" PRIu64 " bytes, which are not whole mappings side by side", size);
  };
  // All parts are checked before the first is mapped.
  std::vector<Mappings::iterator> parts;
  for (uint64_t done = 0; done < size; done += parts.back()->second.size) {
    const auto part = mappings_.find(number_of(source) + done);
    if (part == mappings_.end() || part->second.size > size - done) return fail_source();
    parts.push_back(part);
  }
  const auto reservation = reservations_.find(number_of(target));
  if (reservation == reservations_.end() || reservation->second.range.size != size ||
      is_any_mapped(number_of(target), size)) {
    return reject(ACL_ERROR_RT_PARAM_INVALID, kEE1011, "virPtrDst", target)
        .because(", which is not the start of %" PRIu64 " reserved bytes without mappings", size);
  }
  std::vector<void*> mapped;
  mapped.reserve(parts.size());
  for (const Mappings::iterator part : parts) {
    void* const place = static_cast<char*>(target) + (part->first - number_of(source));
    const Status status = map_locked({.address = place, .size = part->second.size},
                                     part->second.physical, MapAccess::kNow);
    if (!status.ok()) {
      for (void* undone : mapped)
        static_cast<void>(unmap_locked(mappings_.find(number_of(undone))));
      return status;
    }
    mapped.push_back(place);
  }
  return {};
}

// ---- access ----

Status VirtualMemory::grant(const VirtualRange& range, const MemoryPlace& place) {
  const std::lock_guard lock(mutex_);
  const auto found = mappings_.find(number_of(range.address));
  if (found == mappings_.end() || found->second.size != range.size) {
    return reject(ACL_ERROR_RT_DRV_INTERNAL_ERROR, kEE1017, "virPtr", range.address)
        .because(" and %" PRIu64 " bytes, which are not exactly one mapping", range.size);
  }
  Mapping& mapping = found->second;
  if (!mapping.is_accessible) FERRY_RETURN_IF_ERROR(reopen(found->first, mapping));
  const MemoryPlace& own = mapping.physical->second.request.place;
  const auto& granted = mapping.granted;
  if (own == place || std::find(granted.begin(), granted.end(), place) != granted.end()) return {};
  mapping.granted.reserve(granted.size() + 1);
  const ferryx_backend& backend = own.device->backend();
  if (place.is_host) {
    if (backend.physical_open_to_host == nullptr) {
      return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kEE1006,
                  "the host cannot access memory of device %d (%s)", own.device->id(),
                  backend.name);
    }
    FERRY_RETURN_IF_ERROR(
        Status(backend.physical_open_to_host(own.device->handle(), &mapping.memory)));
  } else if (backend.physical_open_to_device != nullptr && &backend == &place.device->backend()) {
    FERRY_TRY(ferryx_device*, peer, place.device->open());
    FERRY_RETURN_IF_ERROR(
        Status(backend.physical_open_to_device(own.device->handle(), *peer, &mapping.memory)));
  }
  mapping.granted.push_back(place);
  return {};
}

Status VirtualMemory::query_access(const void* address, const MemoryPlace& place,
                                   bool* may_access) const {
  const std::lock_guard lock(mutex_);
  const auto found = find_around(address);
  if (found == mappings_.end()) {
    return reject(ACL_ERROR_RT_DRV_INTERNAL_ERROR, kEE1017, "virPtr", address)
        .because(", where nothing is mapped");
  }
  const Mapping& mapping = found->second;
  const auto& granted = mapping.granted;
  *may_access =
      mapping.is_accessible && (mapping.physical->second.request.place == place ||
                                std::find(granted.begin(), granted.end(), place) != granted.end());
  return {};
}

std::optional<VirtualRange> VirtualMemory::find_mapping(const void* address) const {
  const std::lock_guard lock(mutex_);
  const auto found = find_around(address);
  if (found == mappings_.end()) return {};
  return VirtualRange{.address = reinterpret_cast<void*>(found->first), .size = found->second.size};
}

bool VirtualMemory::is_granted(const void* address, const Device& device) const {
  const std::lock_guard lock(mutex_);
  const auto found = find_around(address);
  if (found == mappings_.end()) return false;
  return std::any_of(
      found->second.granted.begin(), found->second.granted.end(),
      [&](const MemoryPlace& place) { return !place.is_host && place.device == &device; });
}

}  // namespace ferry
