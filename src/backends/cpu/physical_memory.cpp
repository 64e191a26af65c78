// SPDX-License-Identifier: Apache-2.0
// Taking and giving back pieces of memory.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // fallocate
#endif

#include "backends/cpu/physical_memory.h"

#include "backends/cpu/device.h"
#include "backends/cpu/mappings.h"
#include "backends/cpu/services.h"

#include "acl/acl_base_rt.h"
#include "acl/error_codes/rt_error_codes.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <memory>

namespace ferry::cpu {
namespace {

// Larger than everything that a process takes in its life.
constexpr uint64_t kDeviceFile = uint64_t{1} << 60;

// Each 2 MiB are touched, so that there is something to collapse.
void use_huge_pages(ferryx_physical& physical) {
  physical.is_huge = count_huge_pages(physical.size);
  if (!physical.is_huge) return;
  const Reservation scratch(physical.size, physical.size);
  if (scratch.size() == 0) return;
  auto* const start = reinterpret_cast<char*>(scratch.start());
  if (mmap(start, physical.size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, physical.file,
           static_cast<off_t>(physical.offset)) == MAP_FAILED) {
    return;
  }
  for (uint64_t at = 0; at < physical.size; at += kHugePage)
    start[at] = 0;
  collapse_pages(start, physical.size);
}

// Memory of this file comes from the node from now on.
int bind_to_node(int file, uint64_t size, int32_t node) {
  constexpr long kBind = 2;  // MPOL_BIND
  constexpr int32_t kMostNodes = 1024;
  if (node < 0) return ACL_SUCCESS;
  const Reservation scratch(size, size);
  auto* const start = reinterpret_cast<void*>(scratch.start());
  unsigned long nodes[kMostNodes / 64] = {};
  if (node < kMostNodes) nodes[node / 64] = 1ul << (node % 64);
  const bool is_bound =
      node < kMostNodes && scratch.size() != 0 &&
      mmap(start, size, PROT_NONE, MAP_SHARED | MAP_FIXED, file, 0) != MAP_FAILED &&
      syscall(SYS_mbind, start, size, kBind, nodes, kMostNodes + 1, 0) == 0;
  if (is_bound || (node == 0 && errno == ENOSYS)) return ACL_SUCCESS;
  return fail(ACL_ERROR_RT_DRV_INTERNAL_ERROR, "NUMA node %d is not online", node);
}

int take_host_memory(const ferryx_physical_settings& settings, ferryx_physical& physical) {
  if (const int error = host_spans().take_pinned_bytes(settings.size); error != 0) return error;
  MemoryFile file;
  int error = file.create_sealed("ferry-host", settings.size);
  if (error == 0) error = bind_to_node(file.number(), settings.size, settings.node);
  if (error != 0) {
    host_spans().give_pinned_bytes_back(settings.size);
    return error;
  }
  physical = {.file = file.release(),
              .offset = 0,
              .size = settings.size,
              .is_host = true,
              .owns_file = true};
  return ACL_SUCCESS;
}

int take_device_memory(ferryx_device& device, uint64_t size, ferryx_physical& physical) {
  if (const int error = device.memory.take_bytes(size); error != 0) return error;
  const int error = device.file.take(size, physical);
  if (error != 0) device.memory.give_bytes_back(size);
  return error;
}

}  // namespace

int DeviceFile::take(uint64_t size, ferryx_physical& physical) {
  const std::lock_guard lock(mutex_);
  if (file_.number() < 0) {
    if (const int error = file_.create("ferry-device", kDeviceFile); error != 0) return error;
  }
  if (size > kDeviceFile - used_) {
    return fail(ACL_ERROR_RT_MEMORY_ALLOCATION, "the file of the device's memory is full");
  }
  physical = {.file = file_.number(), .offset = used_, .size = size, .is_host = false};
  used_ += size;
  return ACL_SUCCESS;
}

int create_physical(ferryx_device& device, const ferryx_physical_settings& settings,
                    ferryx_physical** physical) {
  auto made = std::make_unique<ferryx_physical>();
  const int error = settings.is_host != 0 ? take_host_memory(settings, *made)
                                          : take_device_memory(device, settings.size, *made);
  if (error != ACL_SUCCESS) return error;
  use_huge_pages(*made);
  *physical = made.release();
  return ACL_SUCCESS;
}

void release_physical(ferryx_device& device, ferryx_physical* physical) {
  const std::unique_ptr<ferryx_physical> released(physical);
  if (physical->is_huge) uncount_huge_pages(physical->size);
  if (physical->owns_file) {
    close(physical->file);
  } else {
    fallocate(physical->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
              static_cast<off_t>(physical->offset), static_cast<off_t>(physical->size));
  }
  if (physical->is_imported) return;
  if (physical->is_host) {
    host_spans().give_pinned_bytes_back(physical->size);
  } else {
    if (physical->owns_file) {
      const std::lock_guard lock(Mappings::instance().mutex);
      --Mappings::instance().moved;
    }
    device.memory.give_bytes_back(physical->size);
  }
}

}  // namespace ferry::cpu
