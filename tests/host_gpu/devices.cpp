// SPDX-License-Identifier: Apache-2.0
// Devices, their properties, errors, and how the plugin finds functions of the driver.
#include "gpu.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

using host_gpu::note;

namespace host_gpu {

void* find_copy(const char* name);
void* find_virtual_memory(const char* name);

namespace {

constexpr int kMultiprocessors = 132;

thread_local int device_of_thread = 0;
thread_local cudaError_t last_error = cudaSuccess;
std::atomic<cudaError_t> failures[kMostDevices];

struct Refusal {
  std::mutex mutex;
  std::string function;
  CUresult result = CUDA_SUCCESS;
  int skipped = 0;
};
Refusal& refusal() {
  static auto* wanted = new Refusal;
  return *wanted;
}

CUresult CUDAAPI pointer_attributes(unsigned int count, CUpointer_attribute* names, void** values,
                                    CUdeviceptr address) {
  const std::shared_lock lock(memory().mutex);
  auto* const pointer = reinterpret_cast<void*>(address);
  const Block* const block = memory().find(pointer);
  if (block == nullptr) return CUDA_ERROR_INVALID_VALUE;
  uintptr_t start = std::prev(memory().blocks.upper_bound(address))->first;
  uint64_t size = block->size;
  if (block->kind == Kind::kReserved) {
    const auto behind = block->mappings.upper_bound(address);
    if (behind == block->mappings.begin()) return CUDA_ERROR_INVALID_VALUE;
    start = std::prev(behind)->first;
    size = std::prev(behind)->second.size;
  }
  const bool is_device = block->kind == Kind::kDevice || block->kind == Kind::kReserved;
  for (unsigned int i = 0; i < count; ++i) {
    switch (names[i]) {
      case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
        *static_cast<CUdeviceptr*>(values[i]) = start;
        break;
      case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
        *static_cast<size_t*>(values[i]) = size;
        break;
      case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        *static_cast<int*>(values[i]) = block->device;
        break;
      case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        *static_cast<CUmemorytype*>(values[i]) =
            is_device ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
        break;
      default:
        return CUDA_ERROR_INVALID_VALUE;
    }
  }
  return CUDA_SUCCESS;
}

CUresult CUDAAPI query_stream(CUstream stream) {
  return static_cast<CUresult>(cudaStreamQuery(stream));
}

CUresult CUDAAPI prefetch(CUdeviceptr /*address*/, size_t /*size*/, CUdevice /*device*/,
                          CUstream /*stream*/) {
  return CUDA_SUCCESS;
}

int attribute_of(CUdevice_attribute attribute) {
  switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID:
      return 0;
    case CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED:
      return std::getenv("HOST_GPU_PLAIN") == nullptr ? 1 : 0;
    default:
      return 0;
  }
}

CUresult CUDAAPI device_attribute(int* value, CUdevice_attribute attribute, CUdevice /*device*/) {
  *value = attribute_of(attribute);
  return CUDA_SUCCESS;
}

void* find_query(const char* name) {
  if (std::strcmp(name, "cuPointerGetAttributes") == 0) {
    return reinterpret_cast<void*>(pointer_attributes);
  }
  if (std::strcmp(name, "cuStreamQuery") == 0) return reinterpret_cast<void*>(query_stream);
  if (std::strcmp(name, "cuMemPrefetchAsync") == 0) return reinterpret_cast<void*>(prefetch);
  if (std::strcmp(name, "cuDeviceGetAttribute") == 0) {
    return reinterpret_cast<void*>(device_attribute);
  }
  return nullptr;
}

}  // namespace

int device_count() {
  static const int count = [] {
    const char* text = std::getenv("HOST_GPU_DEVICES");
    return text != nullptr ? std::clamp(std::atoi(text), 0, kMostDevices) : 1;
  }();
  return count;
}

int current_device() {
  return device_of_thread;
}

void break_device(int device, const char* what) {
  std::fprintf(stderr, "host GPU %d: %s accessed memory that the device cannot access\n", device,
               what);
  failures[device].store(cudaErrorIllegalAddress);
}

cudaError_t failure_of(int device) {
  return failures[device].load();
}

cudaError_t note(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
  return error;
}

CUresult refusal_of(const char* function) {
  const std::lock_guard lock(refusal().mutex);
  if (refusal().function != function) return CUDA_SUCCESS;
  if (refusal().skipped-- > 0) return CUDA_SUCCESS;
  refusal().function.clear();
  return refusal().result;
}

void refuse(const char* function, CUresult result, int skipped) {
  const std::lock_guard lock(refusal().mutex);
  refusal().function = function;
  refusal().result = result;
  refusal().skipped = skipped;
}

}  // namespace host_gpu

// ---- devices ----

extern "C" cudaError_t CUDARTAPI cudaGetDeviceCount(int* count) {
  *count = host_gpu::device_count();
  return *count > 0 ? cudaSuccess : note(cudaErrorNoDevice);
}

extern "C" cudaError_t CUDARTAPI cudaGetDevice(int* device) {
  *device = host_gpu::device_of_thread;
  return cudaSuccess;
}

extern "C" cudaError_t CUDARTAPI cudaSetDevice(int device) {
  if (device < 0 || device >= host_gpu::device_count()) return note(cudaErrorInvalidDevice);
  host_gpu::device_of_thread = device;
  return cudaSuccess;
}

extern "C" cudaError_t CUDARTAPI cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  *properties = {};
  std::snprintf(properties->name, sizeof properties->name, "host GPU %d", device);
  properties->major = 9;
  properties->pciBusID = device + 1;
  return cudaSuccess;
}

extern "C" cudaError_t CUDARTAPI cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute,
                                                        int /*device*/) {
  switch (attribute) {
    case cudaDevAttrMultiProcessorCount:
      *value = host_gpu::kMultiprocessors;
      break;
    case cudaDevAttrMaxPitch:
      *value = INT32_MAX;
      break;
    case cudaDevAttrComputeCapabilityMajor:
      *value = 9;
      break;
    case cudaDevAttrCanUseHostPointerForRegisteredMem:
    case cudaDevAttrConcurrentManagedAccess:
      *value = 1;
      break;
    default:
      *value = 0;
  }
  return cudaSuccess;
}

extern "C" cudaError_t CUDARTAPI cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  *least = 0;
  *greatest = -5;
  return cudaSuccess;
}

extern "C" cudaError_t CUDARTAPI cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  *can = device != peer ? 1 : 0;
  return cudaSuccess;
}

extern "C" cudaError_t CUDARTAPI cudaDeviceEnablePeerAccess(int /*peer*/, unsigned int /*flags*/) {
  return cudaSuccess;
}

extern "C" cudaError_t CUDARTAPI cudaDeviceDisablePeerAccess(int /*peer*/) {
  return cudaSuccess;
}

extern "C" cudaError_t CUDARTAPI cudaDriverGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}

extern "C" cudaError_t CUDARTAPI cudaRuntimeGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}

// ---- functions of the driver; kernels are launched in launches.cpp ----

extern "C" cudaError_t CUDARTAPI cudaGetDriverEntryPointByVersion(
    const char* name, void** function, unsigned int /*version*/, unsigned long long /*flags*/,
    cudaDriverEntryPointQueryResult* result) {
  *function = host_gpu::find_query(name);
  if (*function == nullptr) *function = host_gpu::find_copy(name);
  if (*function == nullptr) *function = host_gpu::find_virtual_memory(name);
  *result = *function != nullptr ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  return cudaSuccess;
}

extern "C" cudaError_t CUDARTAPI cudaGetKernel(cudaKernel_t* /*kernel*/, const void* /*symbol*/) {
  return note(cudaErrorNotSupported);
}

extern "C" cudaError_t CUDARTAPI cudaLaunchKernelExC(const cudaLaunchConfig_t* /*config*/,
                                                     const void* /*symbol*/, void** /*arguments*/) {
  return note(cudaErrorNotSupported);
}

// ---- errors ----

extern "C" cudaError_t CUDARTAPI cudaGetLastError() {
  const cudaError_t error = host_gpu::last_error;
  host_gpu::last_error = cudaSuccess;
  return error;
}

extern "C" const char* CUDARTAPI cudaGetErrorName(cudaError_t error) {
  switch (error) {
    case cudaErrorMemoryAllocation:
      return "cudaErrorMemoryAllocation";
    case cudaErrorInvalidValue:
      return "cudaErrorInvalidValue";
    case cudaErrorIllegalAddress:
      return "cudaErrorIllegalAddress";
    case cudaErrorNotSupported:
      return "cudaErrorNotSupported";
    default:
      return "another error";
  }
}

extern "C" const char* CUDARTAPI cudaGetErrorString(cudaError_t error) {
  return cudaGetErrorName(error);
}
