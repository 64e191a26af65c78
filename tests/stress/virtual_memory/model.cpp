// SPDX-License-Identifier: Apache-2.0
// The checks of the contract, in its order.
#include "model.h"

#include <algorithm>

namespace stress::virtual_memory {
namespace {

size_t round_up(size_t size, size_t unit) {
  return (size + unit - 1) / unit * unit;
}

bool is_one_of(int value, std::initializer_list<int> values) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

bool has_large_pages(int attr) {
  return is_one_of(attr, {10, 14, 17});
}

bool is_accepted(int type, int attr) {
  if (is_one_of(attr, {4, 5, 10, 12, 13, 14, 15, 16, 17})) return true;
  return type != kDevice && is_one_of(attr, {2, 3, 6, 7});
}

// The attribute that is told back.
int normalised(int type, int attr) {
  if (type == kDevice) return attr == 12 ? 5 : attr == 13 ? 4 : attr == 14 ? 10 : attr;
  const int host[] = {0, 0, 13, 12, 4, 5, 16, 7, 0, 0, 0, 0, 12, 13, 0, 7, 16};
  return host[attr];
}

// Where the memory counts: nodes are the host too.
Place place_of(const aclrtMemLocation& location) {
  if (location.type == kDevice) return {kDevice, location.id};
  return {kHost, 0};
}

aclError check_access(const aclrtMemAccessDesc& desc) {
  if (desc.flags == 0 || desc.flags == 1) return kNotSupported;
  if (desc.flags != 3) return kBadValue;
  const int type = desc.location.type;
  if (type != kHost && type != kDevice) return kBadValue;
  return desc.location.id >= (type == kHost ? 1 : kDevices) ? kBadValue : kOk;
}

}  // namespace

aclError Model::reserve(bool has_output, size_t size, size_t alignment, uint64_t flags) const {
  if (!has_output || size == 0 || flags > 1) return kBadArgument;
  return alignment != 0 ? kBadValue : kOk;
}

void Model::reserved(uintptr_t address, size_t size) {
  reservations_[address].size = round_up(size, kGranule);
}

aclError Model::release(uintptr_t address) {
  if (address == 0) return kBadArgument;
  const auto found = reservations_.find(address);
  if (found == reservations_.end() || !found->second.mappings.empty()) return kBadValue;
  reservations_.erase(found);
  return kOk;
}

aclError Model::allocate(bool has_output, size_t size, const aclrtPhysicalMemProp* prop,
                         uint64_t flags) const {
  if (!has_output || prop == nullptr || size == 0 || flags != 0) return kBadArgument;
  if (prop->handleType != 0 || prop->allocationType != 0) return kBadArgument;
  const int type = prop->location.type;
  if (type == 2 || type == 3 || !is_accepted(type, prop->memAttr)) return kBadArgument;
  if (type == kDevice && prop->location.id >= kDevices) return kNoDevice;
  const bool is_large = has_large_pages(prop->memAttr);
  if (is_large && type != kDevice) return kNotSupported;
  if (type > kNode || prop->reserve != 0) return kBadValue;
  if (type == kHost && prop->location.id != 0) return kNotSupported;
  if (type == kNode && prop->location.id != 0 && prop->location.id != UINT32_MAX) return kRefused;
  if (!is_large && size % kGranule != 0) return kRefused;
  if (type != kDevice) return kOk;
  return round_up(size, is_large ? kGibibyte : kGranule) > free_[prop->location.id] ? kNoMemory
                                                                                    : kOk;
}

void Model::allocated(aclrtDrvMemHandle handle, size_t size, const aclrtPhysicalMemProp& prop) {
  Memory& memory = handles_[handle] = {};
  memory.size = round_up(size, has_large_pages(prop.memAttr) ? kGibibyte : kGranule);
  memory.place = place_of(prop.location);
  memory.prop = prop;
  memory.prop.memAttr = static_cast<aclrtMemAttr>(normalised(prop.location.type, prop.memAttr));
  memory.references = 1;
  memory.cells.assign(2 * memory.size / kGranule, -1);
  if (memory.place.first == kDevice) free_[memory.place.second] -= memory.size;
}

bool Model::is_alive(aclrtDrvMemHandle handle) const {
  const auto found = handles_.find(handle);
  return found != handles_.end() && found->second.references > 0;
}

void Model::drop_if_unused(aclrtDrvMemHandle handle) {
  const Memory& memory = handles_.at(handle);
  if (memory.references > 0 || memory.mappings > 0) return;
  if (const aclrtDrvMemHandle source = memory.source) {
    handles_.erase(handle);
    --handles_.at(source).importers;
    has_ended_an_import_ = true;
    return drop_if_unused(source);
  }
  if (memory.importers > 0) return;
  drop_number_of(handle);
  if (memory.place.first == kDevice) free_[memory.place.second] += memory.size;
  handles_.erase(handle);
}

aclError Model::free(aclrtDrvMemHandle handle) {
  if (handle == nullptr) return kBadArgument;
  if (!is_alive(handle)) return kBadValue;
  --handles_.at(handle).references;
  drop_if_unused(handle);
  return kOk;
}

Reserved* Model::reservation_of(uintptr_t address, size_t size) {
  auto next = reservations_.upper_bound(address);
  if (next == reservations_.begin()) return nullptr;
  auto& [start, reserved] = *std::prev(next);
  const size_t offset = address - start;
  return offset <= reserved.size && size <= reserved.size - offset ? &reserved : nullptr;
}

bool Model::overlaps(const Reserved& reserved, uintptr_t address, size_t size) const {
  return std::ranges::any_of(reserved.mappings, [&](const auto& entry) {
    return entry.first < address + size && address < entry.first + entry.second.size;
  });
}

aclError Model::map(const MapCall& call, bool has_access) {
  if (call.address == 0 || call.handle == nullptr || call.size == 0 || call.flags != 0)
    return kBadArgument;
  if (call.offset != 0 || !is_alive(call.handle)) return kBadValue;
  Memory& memory = handles_.at(call.handle);
  if (call.address % kGranule != 0 || call.size % kGranule != 0) return kRefused;
  Reserved* const reserved = reservation_of(call.address, call.size);
  if (reserved == nullptr || call.size > memory.size) return kRefused;
  if (reserved->place.value_or(memory.place) != memory.place) return kRefused;
  if (overlaps(*reserved, call.address, call.size)) return kRefused;
  reserved->place = memory.place;
  Mapped& mapped = reserved->mappings[call.address];
  mapped = {call.handle, call.size, {}};
  if (has_access) mapped.access.insert(memory.place);
  ++memory.mappings;
  return kOk;
}

aclError Model::unmap(uintptr_t address) {
  if (address == 0) return kBadArgument;
  const std::optional<Found> found = mapping_at(address);
  if (!found || found->start != address) return kRefused;
  const aclrtDrvMemHandle handle = found->mapped->handle;
  reservations_.at(found->reservation).mappings.erase(address);
  --handles_.at(handle).mappings;
  drop_if_unused(handle);
  return kOk;
}

aclError Model::retain(uintptr_t address, bool has_output) {
  if (address == 0 || !has_output) return kBadArgument;
  const std::optional<Found> found = mapping_at(address);
  if (!found || found->start != address) return kRefused;
  ++handles_.at(found->mapped->handle).references;
  return kOk;
}

aclError Model::set_access(uintptr_t address, size_t size, const aclrtMemAccessDesc* descs,
                           size_t count) {
  if (address == 0 || descs == nullptr || count == 0) return kBadValue;
  for (size_t i = 0; i < count; ++i) {
    const aclError code = check_access(descs[i]);
    if (code != kOk) return code;
  }
  const std::optional<Found> found = mapping_at(address);
  if (!found || found->start != address || found->mapped->size != size) return kRefused;
  for (size_t i = 0; i < count; ++i)
    found->mapped->access.insert({descs[i].location.type, descs[i].location.id});
  return kOk;
}

aclError Model::get_access(uintptr_t address, Place place) const {
  if (address == 0) return kBadArgument;
  if (place.first != kHost && place.first != kDevice) return kBadValue;
  if (place.second >= (place.first == kHost ? 1 : kDevices)) return kBadValue;
  return mapping_at(address) ? kOk : kRefused;
}

aclError Model::properties(aclrtDrvMemHandle handle) const {
  if (handle == nullptr) return kBadArgument;
  return is_alive(handle) ? kOk : kBadValue;
}

std::optional<Found> Model::mapping_at(uintptr_t address) const {
  for (const auto& [base, reserved] : reservations_) {
    if (address < base || address - base >= reserved.size) continue;
    for (const auto& [start, mapped] : reserved.mappings) {
      if (address >= start && address - start < mapped.size)
        return Found{base, start, const_cast<Mapped*>(&mapped)};  // NOLINT: it is ours
    }
  }
  return std::nullopt;
}

const Memory* Model::memory(aclrtDrvMemHandle handle) const {
  const auto found = handles_.find(handle);
  return found == handles_.end() ? nullptr : &found->second;
}

std::optional<std::vector<CellName>> Model::cells(uintptr_t address, size_t count) const {
  std::vector<CellName> names;
  std::optional<uintptr_t> reservation;
  for (uintptr_t granule = address / kGranule * kGranule; granule < address + count;
       granule += kGranule) {
    const std::optional<Found> found = mapping_at(granule);
    if (!found || reservation.value_or(found->reservation) != found->reservation)
      return std::nullopt;
    reservation = found->reservation;
    const Mapped& mapped = *found->mapped;
    const Memory& memory = handles_.at(mapped.handle);
    if (!mapped.access.contains(memory.place)) return std::nullopt;
    const aclrtDrvMemHandle owner = memory.source == nullptr ? mapped.handle : memory.source;
    const size_t first = 2 * (granule - found->start) / kGranule;
    if (address <= granule && granule + kCell <= address + count)
      names.push_back({owner, first, granule - address});
    if (address <= granule + kGranule - kCell && granule + kGranule <= address + count)
      names.push_back({owner, first + 1, granule + kGranule - kCell - address});
  }
  return names;
}

}  // namespace stress::virtual_memory
