// SPDX-License-Identifier: Apache-2.0
// Taking and giving back physical memory. Host memory is CUDA's, too: only its own memory can be
// mapped at its own reservations.
#include "backends/cuda/memory/physical_memory.h"

#include "backends/cuda/memory/driver_memory.h"
#include "backends/cuda/plugin/device.h"
#include "backends/cuda/plugin/gate.h"
#include "backends/cuda/plugin/services.h"

#include "acl/error_codes/rt_error_codes.h"

#include <unistd.h>

#include <algorithm>
#include <memory>
#include <string>

namespace ferry::cuda {
namespace {

bool is_online(int node) {
  const std::string folder = "/sys/devices/system/node/node" + std::to_string(node);
  return node == 0 || access(folder.c_str(), F_OK) == 0;
}

// Checks what the settings ask for, and fills where the memory is to be.
int choose_location(const ferryx_device& device, const ferryx_physical_settings& settings,
                    CUmemLocation& location) {
  if (!driver_memory().serves(device.index)) {
    return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                "CUDA device %d or its driver has no virtual memory (cuMemCreate)", device.index);
  }
  if (settings.is_host == 0) {
    location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    location.id = device.index;
    return ACL_RT_SUCCESS;
  }
  if (!driver_memory().has(CU_DEVICE_ATTRIBUTE_HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED,
                           device.index)) {
    return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                "CUDA device %d or its driver cannot map host memory at reserved addresses; use "
                "aclrtMallocHost",
                device.index);
  }
  if (settings.node >= 0 && !is_online(settings.node)) {
    return fail(ACL_ERROR_RT_DRV_INTERNAL_ERROR, "NUMA node %d is not online", settings.node);
  }
  location.type = CU_MEM_LOCATION_TYPE_HOST_NUMA;
  // CUDA answers -1 on machines without NUMA, and wants 0 there.
  const int nearest =
      driver_memory().value_of(CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID, device.index, /*otherwise=*/0);
  location.id = settings.node >= 0 ? settings.node : std::max(nearest, 0);
  return ACL_RT_SUCCESS;
}

}  // namespace

int create_physical(ferryx_device& device, const ferryx_physical_settings& settings,
                    ferryx_physical** physical) {
  const Gate::Pass pass(gate);
  if (!pass) return fail(no_more_work());
  CUmemAllocationProp wanted{};
  if (const int error = choose_location(device, settings, wanted.location); error != 0) {
    return error;
  }
  wanted.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  // Whether memory can be exported is decided here, and costs nothing until it is.
  const bool is_shareable = driver_memory().has(
      CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED, device.index);
  if (is_shareable) wanted.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  auto made = std::make_unique<ferryx_physical>();
  made->size = settings.size;
  made->is_host = settings.is_host != 0;
  made->node = made->is_host ? wanted.location.id : 0;
  made->is_shareable = is_shareable;
  const std::string doing = "allocating " + std::to_string(settings.size) + " bytes of " +
                            (made->is_host ? "host" : "device") + " memory without an address";
  const Trouble trouble = device.call_here(doing.c_str(), [&] {
    return runtime_error(driver_memory().create(&made->handle, settings.size, &wanted, 0));
  });
  if (!trouble.ok()) return fail(trouble);
  *physical = made.release();
  return ACL_RT_SUCCESS;
}

void release_physical(ferryx_device& device, ferryx_physical* physical) {
  const std::unique_ptr<ferryx_physical> released(physical);
  const Gate::Pass pass(gate);
  if (!pass) return;
  const Trouble trouble = device.call_here("releasing memory", [&] {
    return insist([&] {
      return released->opened != nullptr ? cudaIpcCloseMemHandle(released->opened)
                                         : runtime_error(driver_memory().release(released->handle));
    });
  });
  log_trouble(trouble);
}

}  // namespace ferry::cuda
