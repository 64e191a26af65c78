// SPDX-License-Identifier: Apache-2.0
// Allocation and freeing with fill pattern, quarantine and guardable pinned memory.
#include "layers/check/front/checked_device.h"

#include "base/error_state.h"
#include "base/work.h"
#include "layers/check/front/checked_objects.h"
#include "layers/check/guard/guard.h"
#include "layers/check/world/world.h"

#include "acl/acl_base_rt.h"

#include <algorithm>
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
  if (code != ACL_SUCCESS) return code;
  fill_with_pattern(out);
  ferryx_memory made = out;
  made.device = number;
  if (!has(*inner, FERRYX_STORAGE_IS_HOST_MEMORY)) made.storage = nullptr;
  world().memory_made(made);
  return ACL_SUCCESS;
}

// The pattern is best effort: the program does not learn of a failure to write it.
void CheckedDevice::fill_with_pattern(const ferryx_memory& memory) const {
  ferryx_work work = make_work(FERRYX_FILL, &ferryx_payload::fill,
                               {.dst = memory.address,
                                .dst_storage = memory.storage,
                                .size = std::min(memory.size, kMostFilled),
                                .value = kPattern,
                                .width = 1});
  work.origin = {
      .call = current_function(), .task = 0, .stream = -1, .context = nullptr, .correlation = 0};
  static_cast<void>(inner->device_execute(handle, &work));
}

void CheckedDevice::free(const ferryx_memory& memory) {
  world().memory_ends(memory.address);
  keep_for_a_while(memory);
}

int CheckedDevice::allocate_host(uint64_t size, ferryx_memory& out) {
  int code = inner->host_alloc(handle, size, &out);
  if (code != ACL_SUCCESS) {
    empty_quarantine();
    code = inner->host_alloc(handle, size, &out);
  }
  if (code != ACL_SUCCESS) return code;
  if (has(*inner, FERRYX_STORAGE_IS_HOST_MEMORY)) static_cast<void>(make_guardable(out));
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

void CheckedDevice::note_reusable(const ferryx_memory& memory) {
  if (!has(*inner, FERRYX_OWNS_ADDRESSES)) world().memory_given_back(memory.address);
}

void CheckedDevice::keep_for_a_while(const ferryx_memory& memory) {
  std::vector<ferryx_memory> overdue;
  {
    const std::lock_guard lock(mutex_);
    quarantine_.push_back(memory);
    quarantined_bytes_ += memory.size;
    while (quarantined_bytes_ > kMostQuarantinedBytes || quarantine_.size() > kMostQuarantined) {
      overdue.push_back(quarantine_.front());
      quarantined_bytes_ -= quarantine_.front().size;
      quarantine_.pop_front();
    }
  }
  for (const ferryx_memory& old : overdue)
    give_back(old);
}

void CheckedDevice::empty_quarantine() {
  std::deque<ferryx_memory> all;
  {
    const std::lock_guard lock(mutex_);
    all.swap(quarantine_);
    quarantined_bytes_ = 0;
  }
  for (const ferryx_memory& memory : all)
    give_back(memory);
}

void CheckedDevice::give_back(const ferryx_memory& memory) {
  if (memory.kind == FERRYX_MEMORY_DEVICE) {
    note_reusable(memory);
    return inner->memory_free(handle, &memory);
  }
  const auto begin = reinterpret_cast<uintptr_t>(memory.address);
  if (world().is_in_use({begin, begin + memory.size})) {
    // A task in flight may still use the second mapping, which make_ordinary would remove.
    const std::lock_guard lock(mutex_);
    quarantine_.push_back(memory);
    quarantined_bytes_ += memory.size;
    return;
  }
  world().memory_given_back(memory.address);
  make_ordinary(memory);
  inner->host_free(handle, &memory);
}

}  // namespace ferry::layers::check
