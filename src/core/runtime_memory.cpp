// SPDX-License-Identifier: Apache-2.0
// Allocations of the runtime for itself, marked for the checker.
#include "core/runtime_memory.h"

#include "base/runtime_memory.h"
#include "base/work.h"
#include "core/copy.h"
#include "core/location.h"
#include "core/memory.h"

namespace ferry {
namespace {

// Between the start of the allocation and the first byte in use.
constexpr uint64_t kLead = 64;

bool has_host_storage(const Device& device) {
  return (device.backend().capabilities & FERRYX_STORAGE_IS_HOST_MEMORY) != 0;
}

}  // namespace

Result<std::unique_ptr<RuntimeMemory>> RuntimeMemory::make(Device& device, uint64_t size) {
  const RuntimeMemoryScope scope;
  if (size > UINT64_MAX / 2) {
    return fail(ACL_ERROR_RT_MEMORY_ALLOCATION, kEE1011, "%llu bytes are more than device %d has",
                static_cast<unsigned long long>(size), device.id());
  }
  FERRY_RETURN_IF_ERROR(device.open().status());
  std::unique_ptr<RuntimeMemory> made(new RuntimeMemory(device, size));
  const PaddedSize padded{.requested = kLead + size, .padded = kLead + size};
  FERRY_RETURN_IF_ERROR(allocate_device_memory(device, padded, {}, &made->allocation_));
  if (has_host_storage(device)) {
    made->storage_ = static_cast<char*>(locate(made->address()).storage_of(size));
  }
  return made;
}

RuntimeMemory::~RuntimeMemory() {
  if (allocation_ != nullptr) free_if_live(allocation_);
}

char* RuntimeMemory::address() const {
  return static_cast<char*>(allocation_) + kLead;
}

Status RuntimeMemory::clear() const {
  const Location here = locate(address());
  ferryx_work work = make_work(FERRYX_FILL, &ferryx_payload::fill,
                               {.dst = address(),
                                .dst_storage = here.storage_of(size_),
                                .size = size_,
                                .value = 0,
                                .width = 1});
  return device_.execute(work);
}

Status RuntimeMemory::fill_from(const void* bytes, uint64_t size) const {
  FERRY_RETURN_IF_ERROR(check_range("data", locate(bytes), size, Access::kRead));
  return copy_now(device_, address(), bytes, size);
}

}  // namespace ferry
