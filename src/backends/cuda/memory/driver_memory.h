// SPDX-License-Identifier: Apache-2.0
// The functions of the CUDA driver for virtual memory, which the CUDA runtime does not have.
#pragma once

#include "backends/cuda/plugin/driver_calls.h"

#include <cuda.h>
#include <cuda_runtime_api.h>

namespace ferry::cuda {

// All of them, or nullptr in some member where the driver lacks one.
struct DriverMemory {
  template <class Function>
  static Function* find(const char* name) {
    return reinterpret_cast<Function*>(find_in_driver(name));
  }

  decltype(cuDeviceGetAttribute)* attribute =
      find<decltype(cuDeviceGetAttribute)>("cuDeviceGetAttribute");
  decltype(cuMemAddressReserve)* reserve =
      find<decltype(cuMemAddressReserve)>("cuMemAddressReserve");
  decltype(cuMemAddressFree)* free_addresses = find<decltype(cuMemAddressFree)>("cuMemAddressFree");
  decltype(cuMemCreate)* create = find<decltype(cuMemCreate)>("cuMemCreate");
  decltype(cuMemRelease)* release = find<decltype(cuMemRelease)>("cuMemRelease");
  decltype(cuMemMap)* map = find<decltype(cuMemMap)>("cuMemMap");
  decltype(cuMemUnmap)* unmap = find<decltype(cuMemUnmap)>("cuMemUnmap");
  decltype(cuMemSetAccess)* set_access = find<decltype(cuMemSetAccess)>("cuMemSetAccess");
  decltype(cuMemExportToShareableHandle)* export_handle =
      find<decltype(cuMemExportToShareableHandle)>("cuMemExportToShareableHandle");
  decltype(cuMemImportFromShareableHandle)* import_handle =
      find<decltype(cuMemImportFromShareableHandle)>("cuMemImportFromShareableHandle");
  decltype(cuMemGetAllocationPropertiesFromHandle)* properties =
      find<decltype(cuMemGetAllocationPropertiesFromHandle)>(
          "cuMemGetAllocationPropertiesFromHandle");

  // Whether the driver and the device have virtual memory. Some virtual GPUs have none.
  bool serves(int device) const {
    const bool has_all = attribute != nullptr && reserve != nullptr && free_addresses != nullptr &&
                         create != nullptr && release != nullptr && map != nullptr &&
                         unmap != nullptr && set_access != nullptr && export_handle != nullptr &&
                         import_handle != nullptr && properties != nullptr;
    return has_all && has(CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, device);
  }
  // An attribute that says whether something is supported.
  bool has(CUdevice_attribute what, int device) const { return value_of(what, device, 0) != 0; }
  int value_of(CUdevice_attribute what, int device, int otherwise) const {
    int value = 0;
    const bool is_known = attribute != nullptr && attribute(&value, what, device) == CUDA_SUCCESS;
    return is_known ? value : otherwise;
  }
};

inline const DriverMemory& driver_memory() {
  static const DriverMemory found;
  return found;
}

// For every result that these functions return, the CUDA runtime's number equals the driver's.
inline cudaError_t runtime_error(CUresult result) {
  return static_cast<cudaError_t>(result);
}

}  // namespace ferry::cuda
