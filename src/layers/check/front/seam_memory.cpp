// SPDX-License-Identifier: Apache-2.0
// Allocation and freeing with fill pattern, quarantine and guardable pinned memory.
#include "layers/check/front/seam_memory.h"

#include "layers/check/front/seam_objects.h"
#include "layers/check/guard/guard.h"
#include "layers/check/world/world.h"

#include "acl/acl_base_rt.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

namespace ferry::layers::check {
namespace {

// Freed memory that waits before it is given back, a device.
constexpr uint64_t kMostQuarantinedBytes = uint64_t{256} << 20;
constexpr size_t kMostQuarantined = 4096;
// Fresh memory is filled up to here: filling makes pages real that the program may never touch.
constexpr uint64_t kMostFilled = uint64_t{256} << 20;
constexpr uint32_t kPattern = 0xFE;

thread_local QueueId created_queue = kHost;

// Only there is memory ordinary memory of this process.
bool is_cpu(const ferryx_backend& backend) {
  return std::strcmp(backend.name, "cpu") == 0;
}

}  // namespace

void note_created_queue(QueueId queue) {
  created_queue = queue;
}

QueueId take_created_queue() {
  return std::exchange(created_queue, kHost);
}

int CheckedDevice::allocate(uint64_t size, uint32_t policy, ferryx_memory& out) {
  int code = inner->memory_alloc(device, size, policy, &out);
  if (code != ACL_SUCCESS) {
    empty_quarantine();
    code = inner->memory_alloc(device, size, policy, &out);
  }
  if (code != ACL_SUCCESS) return code;
  const ferryx_fill fill{.dst = out.address,
                         .dst_storage = out.storage,
                         .size = std::min(size, kMostFilled),
                         .value = kPattern,
                         .width = 1};
  // The pattern is a help, not a promise.
  static_cast<void>(inner->fill(device, &fill));
  ferryx_memory made = out;
  made.device = index;
  if (!is_cpu(*inner)) made.storage = nullptr;
  world().memory_made(made);
  return ACL_SUCCESS;
}

void CheckedDevice::free(const ferryx_memory& memory) {
  world().memory_ends(memory.address);
  keep_for_a_while(memory);
}

int CheckedDevice::allocate_host(uint64_t size, ferryx_memory& out) {
  int code = inner->host_alloc(device, size, &out);
  if (code != ACL_SUCCESS) {
    empty_quarantine();
    code = inner->host_alloc(device, size, &out);
  }
  if (code != ACL_SUCCESS) return code;
  if (is_cpu(*inner)) static_cast<void>(make_guardable(out));
  world().memory_made(out);
  return ACL_SUCCESS;
}

void CheckedDevice::free_host(const ferryx_memory& memory) {
  world().memory_ends(memory.address);
  retire(memory);
  keep_for_a_while(memory);
}

int CheckedDevice::register_host(void* address, uint64_t size, ferryx_memory* mapped) {
  const int code = inner->host_register(device, address, size, mapped);
  if (code != ACL_SUCCESS) return code;
  world().memory_registered({.address = address,
                             .size = size,
                             .storage = address,
                             .kind = FERRYX_MEMORY_REGISTERED,
                             .device = index});
  if (mapped == nullptr) return ACL_SUCCESS;
  world().memory_made(*mapped);
  // The device works where no guard is.
  mapped->storage = world().unguarded(address);
  return ACL_SUCCESS;
}

void CheckedDevice::unregister_host(void* address, uint64_t size, const ferryx_memory* mapped) {
  world().memory_unregistered(address);
  if (mapped != nullptr) world().memory_ends(mapped->address);
  inner->host_unregister(device, address, size, mapped);
  if (mapped != nullptr) note_reusable(*mapped);
}

// The CPU's addresses for devices are its own; those of others may be given to anybody next.
void CheckedDevice::note_reusable(const ferryx_memory& memory) {
  if (!is_cpu(*inner)) world().memory_given_back(memory.address);
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
    return inner->memory_free(device, &memory);
  }
  const auto begin = reinterpret_cast<uintptr_t>(memory.address);
  if (world().is_in_use({begin, begin + memory.size})) {
    // The engine works through the second mapping, which would be gone.
    const std::lock_guard lock(mutex_);
    quarantine_.push_back(memory);
    quarantined_bytes_ += memory.size;
    return;
  }
  world().memory_given_back(memory.address);
  make_ordinary(memory);
  inner->host_free(device, &memory);
}

}  // namespace ferry::layers::check
