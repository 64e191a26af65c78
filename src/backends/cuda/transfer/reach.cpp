// SPDX-License-Identifier: Apache-2.0
// Queries the driver about addresses.
#include "backends/cuda/transfer/reach.h"

#include "backends/cuda/plugin/driver_calls.h"

#include <cuda.h>

#include <array>

namespace ferry::cuda {
namespace {

using GetAttributes = CUresult(CUDAAPI*)(unsigned int, CUpointer_attribute*, void**, CUdeviceptr);

}  // namespace

cudaError_t DeviceReach::open(int device) {
  device_ = device;
  int devices = 0;
  if (const cudaError_t error = cudaGetDeviceCount(&devices); error != cudaSuccess) return error;
  int uses_host_pointers = 0;
  const cudaError_t error = cudaDeviceGetAttribute(
      &uses_host_pointers, cudaDevAttrCanUseHostPointerForRegisteredMem, device);
  if (error != cudaSuccess) return error;
  reaches_host_ = uses_host_pointers != 0;
  judge_ = devices == 1 && reaches_host_ ? Judge::kNothing : Judge::kReach;
  get_attributes_ = find_in_driver("cuPointerGetAttributes");
  return get_attributes_ != nullptr ? cudaSuccess : cudaErrorInsufficientDriver;
}

Extent DeviceReach::find(uint64_t address) const {
  CUdeviceptr start = 0;
  size_t size = 0;
  int ordinal = -1;
  CUmemorytype type{};
  std::array<CUpointer_attribute, 4> names{
      CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, CU_POINTER_ATTRIBUTE_RANGE_SIZE,
      CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, CU_POINTER_ATTRIBUTE_MEMORY_TYPE};
  std::array<void*, 4> values{&start, &size, &ordinal, &type};
  const auto get_attributes = reinterpret_cast<GetAttributes>(get_attributes_);
  const CUresult result = get_attributes(names.size(), names.data(), values.data(), address);
  if (result != CUDA_SUCCESS) return {.start = address, .end = address + 1, .is_reachable = false};
  const bool is_reachable = type == CU_MEMORYTYPE_HOST
                                ? reaches_host_
                                : type == CU_MEMORYTYPE_DEVICE && ordinal == device_;
  // For some memory the driver does not report the range.
  if (address < start || address - start >= size) {
    start = address;
    size = 1;
  }
  return {.start = start, .end = start + size, .is_reachable = is_reachable};
}

Reach DeviceReach::of(const void* dst, const void* src) const {
  if (judge_ == Judge::kNothing) return Reach::kAll;
  const bool all = find(reinterpret_cast<uint64_t>(dst)).is_reachable &&
                   find(reinterpret_cast<uint64_t>(src)).is_reachable;
  return all ? Reach::kAll : Reach::kNotAll;
}

Extent find_extent(void* context, uint64_t address) {
  return static_cast<const DeviceReach*>(context)->find(address);
}

HostKind kind_of_host(const void* address) {
  cudaPointerAttributes attributes{};
  if (cudaPointerGetAttributes(&attributes, address) != cudaSuccess) return HostKind::kPageable;
  return attributes.type == cudaMemoryTypeUnregistered ? HostKind::kPageable : HostKind::kPinned;
}

}  // namespace ferry::cuda
