// SPDX-License-Identifier: Apache-2.0
// Allocation and freeing with fill pattern, quarantine and guardable pinned memory.
#include "layers/check/front/checked_device.h"

#include "base/config.h"
#include "base/error_state.h"
#include "base/work.h"
#include "layers/check/front/checked_objects.h"
#include "layers/check/guard/guard.h"
#include "layers/check/world/world.h"

#include "acl/acl_base_rt.h"

#include <algorithm>
#include <iterator>
#include <new>
#include <utility>
#include <vector>

namespace ferry::layers::check {
namespace {

// Quarantined memory per device.
constexpr uint64_t kMostQuarantinedBytes = uint64_t{256} << 20;
constexpr size_t kMostQuarantined = 4096;
// Fresh memory is filled up to here: filling commits pages that the program may never touch.
constexpr uint64_t kMostFilled = uint64_t{256} << 20;
constexpr uint32_t kPattern = 0xFE;

bool has(const ferryx_backend& backend, uint64_t capability) {
  return (backend.capabilities & capability) != 0;
}

}  // namespace

int CheckedDevice::allocate(uint64_t size, uint32_t policy, ferryx_memory& out) {
  int code = inner->memory_alloc(handle, size, policy, &out);
  if (code != ACL_SUCCESS) {
    empty_quarantine();
    code = inner->memory_alloc(handle, size, policy, &out);
  }
  if (code == ACL_SUCCESS) note_fresh(out);
  return code;
}

void CheckedDevice::note_fresh(const ferryx_memory& memory) {
  const bool is_shared = is_exported(memory);  // a block of a pool
  if (!is_shared) fill_with_pattern(memory);
  ferryx_memory made = memory;
  made.device = number;
  if (!has(*inner, FERRYX_STORAGE_IS_HOST_MEMORY)) made.storage = nullptr;
  world().memory_made(made);
  if (is_shared) world().memory_shared(made);
}

// The pattern is best effort: the program does not learn of a failure to write it, and the memory
// is already its own.
void CheckedDevice::fill_with_pattern(const ferryx_memory& memory) const {
  ferryx_work work = make_work(FERRYX_FILL, &ferryx_payload::fill,
                               {.dst = memory.address,
                                .dst_storage = memory.storage,
                                .size = std::min(memory.size, kMostFilled),
                                .value = kPattern,
                                .width = 1});
  work.origin = {
      .call = current_function(), .task = 0, .stream = -1, .context = nullptr, .correlation = 0};
  try {
    static_cast<void>(inner->device_execute(handle, &work));
  } catch (const std::bad_alloc&) {
    return;
  }
}

void CheckedDevice::free(const ferryx_memory& memory) {
  world().memory_ends(memory.address, current_end());
  keep_for_a_while(memory);
}

void CheckedDevice::rest(const ferryx_memory& memory) {
  world().memory_ends(memory.address, current_end());
  if (inner->memory_rest != nullptr) inner->memory_rest(handle, &memory);
}

void CheckedDevice::reuse(const ferryx_memory& memory) {
  if (inner->memory_reuse != nullptr) inner->memory_reuse(handle, &memory);
  note_fresh(memory);
}

int CheckedDevice::allocate_host(uint64_t size, ferryx_memory& out) {
  return allocate_touchable(inner->host_alloc, size, out);
}

int CheckedDevice::allocate_managed(uint64_t size, ferryx_memory& out) {
  return allocate_touchable(inner->managed_alloc, size, out);
}

// Memory that code of the host touches while no copy of it is in flight.
int CheckedDevice::allocate_touchable(Allocate slot, uint64_t size, ferryx_memory& out) {
  int code = slot(handle, size, &out);
  if (code != ACL_SUCCESS) {
    empty_quarantine();
    code = slot(handle, size, &out);
  }
  if (code != ACL_SUCCESS) return code;
  const bool is_guardable = has(*inner, FERRYX_STORAGE_IS_HOST_MEMORY) && !world().has_given_up();
  if (is_guardable) static_cast<void>(make_guardable(out));
  world().memory_made(out);
  return ACL_SUCCESS;
}

void CheckedDevice::free_host(const ferryx_memory& memory) {
  world().memory_ends(memory.address);
  retire(memory);
  keep_for_a_while(memory);
}

int CheckedDevice::register_host(void* address, uint64_t size, ferryx_memory* mapped) {
  const int code = inner->host_register(handle, address, size, mapped);
  if (code != ACL_SUCCESS) return code;
  world().memory_registered({.address = address,
                             .size = size,
                             .storage = address,
                             .kind = FERRYX_MEMORY_REGISTERED,
                             .device = number});
  if (mapped == nullptr) return ACL_SUCCESS;
  world().memory_made(*mapped);
  // The device accesses the memory through the mapping that is never guarded.
  mapped->storage = world().unguarded(address);
  return ACL_SUCCESS;
}

void CheckedDevice::unregister_host(void* address, uint64_t size, const ferryx_memory* mapped) {
  world().memory_unregistered(address);
  if (mapped != nullptr) world().memory_ends(mapped->address);
  inner->host_unregister(handle, address, size, mapped);
  if (mapped != nullptr) note_reusable(*mapped);
}

int CheckedDevice::map(ferryx_physical* physical, const ferryx_memory& range, uint64_t offset,
                       uint64_t size, ferryx_memory& mapped) {
  std::map<const void*, Mapping> noted;  // noting it needs no memory then
  noted[static_cast<char*>(range.address) + offset];
  const int code = inner->physical_map(handle, physical, &range, offset, size, &mapped);
  if (code != ACL_SUCCESS) return code;
  ferryx_memory made = mapped;
  made.device = number;
  const bool is_device = made.kind == FERRYX_MEMORY_DEVICE;
  if (is_device && !has(*inner, FERRYX_STORAGE_IS_HOST_MEMORY)) made.storage = nullptr;
  world().memory_mapped(made, range.address);
  noted.begin()->second = {.physical = physical, .memory = made};
  const std::lock_guard lock(mutex_);
  mappings_.merge(noted);
  if (shared_.contains(physical)) world().memory_shared(made);
  return ACL_SUCCESS;
}

int CheckedDevice::unmap(const ferryx_memory& mapped) {
  world().mapping_ends(mapped);
  {
    const std::lock_guard lock(mutex_);
    mappings_.erase(mapped.address);
  }
  return inner->physical_unmap(handle, &mapped);
}

int CheckedDevice::export_memory(const ferryx_memory& memory, ferryx_shared& shared) {
  {
    const std::lock_guard lock(mutex_);
    exported_[static_cast<char*>(memory.address)] = memory.size;
  }
  world().memory_shared(memory);  // also if it fails: no other process has it then
  return inner->memory_export(handle, &memory, &shared);
}

bool CheckedDevice::is_exported(const ferryx_memory& memory) {
  const auto* const start = static_cast<const char*>(memory.address);
  const std::lock_guard lock(mutex_);
  const auto next = exported_.upper_bound(start);
  if (next == exported_.begin()) return false;
  const auto& [exported, size] = *std::prev(next);
  return start < exported + size;
}

int CheckedDevice::export_physical(ferryx_physical* physical, ferryx_shared& shared) {
  {
    const std::lock_guard lock(mutex_);
    shared_.insert(physical);
    for (const auto& [address, mapping] : mappings_) {
      if (mapping.physical == physical) world().memory_shared(mapping.memory);
    }
  }
  return inner->physical_export(handle, physical, &shared);
}

int CheckedDevice::import_physical(const ferryx_shared& shared, ferryx_physical** physical) {
  std::set<ferryx_physical*> noted{nullptr};  // noting it needs no memory then
  const int code = inner->physical_import(handle, &shared, physical);
  if (code != ACL_SUCCESS) return code;
  auto entry = noted.extract(noted.begin());
  entry.value() = *physical;
  const std::lock_guard lock(mutex_);
  shared_.insert(std::move(entry));
  return ACL_SUCCESS;
}

void CheckedDevice::release_physical(ferryx_physical* physical) {
  {
    const std::lock_guard lock(mutex_);
    shared_.erase(physical);
  }
  inner->physical_release(handle, physical);
}

void CheckedDevice::note_reusable(const ferryx_memory& memory) {
  if (!has(*inner, FERRYX_OWNS_ADDRESSES)) world().memory_given_back(memory.address);
}

void CheckedDevice::keep_for_a_while(const ferryx_memory& memory) {
  Quarantine overdue;
  try {
    overdue.push_back(memory);
  } catch (const std::bad_alloc&) {
    // The memory goes back at once; what is in use stays allocated.
    static_cast<void>(give_back(memory));
    return;
  }
  // Of a capacity that processes share nothing is kept: others cannot ask for it.
  const uint64_t most_bytes = config().memory_is_shared ? 0 : kMostQuarantinedBytes;
  {
    const std::lock_guard lock(mutex_);
    quarantine_.splice(quarantine_.end(), overdue);
    quarantined_bytes_ += memory.size;
    while (quarantined_bytes_ > most_bytes || quarantine_.size() > kMostQuarantined) {
      quarantined_bytes_ -= quarantine_.front().size;
      overdue.splice(overdue.end(), quarantine_, quarantine_.begin());
    }
  }
  give_back_all(overdue);
}

void CheckedDevice::empty_quarantine() {
  Quarantine all;
  {
    const std::lock_guard lock(mutex_);
    all.swap(quarantine_);
    quarantined_bytes_ = 0;
  }
  give_back_all(all);
}

void CheckedDevice::give_back_all(Quarantine& overdue) {
  while (!overdue.empty()) {
    if (give_back(overdue.front())) {
      overdue.pop_front();
      continue;
    }
    const std::lock_guard lock(mutex_);
    quarantined_bytes_ += overdue.front().size;
    quarantine_.splice(quarantine_.end(), overdue, overdue.begin());
  }
}

bool CheckedDevice::give_back(const ferryx_memory& memory) {
  if (memory.kind == FERRYX_MEMORY_DEVICE) {
    note_reusable(memory);
    {
      const std::lock_guard lock(mutex_);
      exported_.erase(static_cast<char*>(memory.address));
    }
    inner->memory_free(handle, &memory);
    return true;
  }
  // A task in flight may still use the second mapping, which make_ordinary would remove.
  const auto begin = reinterpret_cast<uintptr_t>(memory.address);
  const bool is_mapped_twice = memory.storage != memory.address;
  const bool must_stay =
      world().has_given_up() ? is_mapped_twice : world().is_in_use({begin, begin + memory.size});
  if (must_stay) return false;
  world().memory_given_back(memory.address);
  make_ordinary(memory);
  const bool is_managed = memory.kind == FERRYX_MEMORY_MANAGED;
  (is_managed ? inner->managed_free : inner->host_free)(handle, &memory);
  return true;
}

}  // namespace ferry::layers::check
