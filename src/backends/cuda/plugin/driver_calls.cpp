// SPDX-License-Identifier: Apache-2.0
// Calls that the driver cannot serve fall back to the CUDA runtime: it makes a context current in a
// thread that has none yet.
#include "backends/cuda/plugin/driver_calls.h"

#include <cuda.h>

#include <chrono>
#include <cstdint>

namespace ferry::cuda {
namespace {

// How long synchronize() polls before it blocks in CUDA. Small copies and batches complete within
// this time, and polling sees that sooner than the driver's own wait. For longer work the gain is
// not worth contending for the driver's locks.
constexpr std::chrono::microseconds kAsked{100};

template <class Function>
Function* find(const char* name) {
  return reinterpret_cast<Function*>(find_in_driver(name));
}

// The form of CUDA 12.0; headers may declare a later one.
using Prefetch = CUresult CUDAAPI(CUdeviceptr address, size_t size, CUdevice device,
                                  CUstream stream);

// Any member may be nullptr.
struct Driver {
  decltype(cuMemcpyHtoDAsync)* copy_to_device =
      find<decltype(cuMemcpyHtoDAsync)>("cuMemcpyHtoDAsync");
  decltype(cuMemcpyDtoHAsync)* copy_to_host =
      find<decltype(cuMemcpyDtoHAsync)>("cuMemcpyDtoHAsync");
  decltype(cuLaunchKernelEx)* launch = find<decltype(cuLaunchKernelEx)>("cuLaunchKernelEx");
  decltype(cuStreamQuery)* query = find<decltype(cuStreamQuery)>("cuStreamQuery");
  Prefetch* prefetch = find<Prefetch>("cuMemPrefetchAsync");
};

const Driver& driver() {
  static const Driver found;
  return found;
}

CUdeviceptr device_address(const void* address) {
  return reinterpret_cast<CUdeviceptr>(address);
}

bool is_left_to_runtime(CUresult result) {
  return result == CUDA_ERROR_INVALID_CONTEXT || result == CUDA_ERROR_NOT_INITIALIZED;
}

// For every result that these calls return, the CUDA runtime's number equals the driver's.
cudaError_t as_runtime(CUresult result) {
  return static_cast<cudaError_t>(result);
}

cudaError_t launch_by_runtime(const Kernel& kernel, const KernelShape& shape, cudaStream_t stream,
                              void** parameters) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(shape.blocks);
  config.blockDim = dim3(shape.threads);
  config.stream = stream;
  cudaLaunchAttribute overlap{};
  if (shape.overlaps) {
    overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    overlap.val.programmaticStreamSerializationAllowed = 1;
    config.attrs = &overlap;
    config.numAttrs = 1;
  }
  return cudaLaunchKernelExC(&config, kernel.symbol, parameters);
}

CUresult launch_by_driver(const Kernel& kernel, const KernelShape& shape, cudaStream_t stream,
                          void** parameters) {
  CUlaunchConfig config{};
  config.gridDimX = shape.blocks;
  config.blockDimX = shape.threads;
  config.gridDimY = config.gridDimZ = config.blockDimY = config.blockDimZ = 1;
  config.hStream = stream;
  CUlaunchAttribute overlap{};
  if (shape.overlaps) {
    overlap.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
    overlap.value.programmaticStreamSerializationAllowed = 1;
    config.attrs = &overlap;
    config.numAttrs = 1;
  }
  return driver().launch(&config, reinterpret_cast<CUfunction>(kernel.handle), parameters, nullptr);
}

}  // namespace

void* find_in_driver(const char* name) {
  constexpr unsigned kSince = 12000;
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result = cudaDriverEntryPointSymbolNotFound;
  const cudaError_t error =
      cudaGetDriverEntryPointByVersion(name, &found, kSince, cudaEnableDefault, &result);
  return error == cudaSuccess && result == cudaDriverEntryPointSuccess ? found : nullptr;
}

Kernel::Kernel(const void* symbol_of_kernel) : symbol(symbol_of_kernel) {
  if (driver().launch == nullptr || cudaGetKernel(&handle, symbol) != cudaSuccess) handle = nullptr;
}

cudaError_t launch(const Kernel& kernel, const KernelShape& shape, cudaStream_t stream,
                   void** parameters) {
  const CUresult result = kernel.handle != nullptr
                              ? launch_by_driver(kernel, shape, stream, parameters)
                              : CUDA_ERROR_NOT_INITIALIZED;
  return is_left_to_runtime(result) ? launch_by_runtime(kernel, shape, stream, parameters)
                                    : as_runtime(result);
}

cudaError_t copy_async(void* dst, const void* src, size_t size, cudaMemcpyKind kind,
                       cudaStream_t stream) {
  CUresult result = CUDA_ERROR_NOT_INITIALIZED;
  if (kind == cudaMemcpyHostToDevice && driver().copy_to_device != nullptr) {
    result = driver().copy_to_device(device_address(dst), src, size, stream);
  } else if (kind == cudaMemcpyDeviceToHost && driver().copy_to_host != nullptr) {
    result = driver().copy_to_host(dst, device_address(src), size, stream);
  }
  return is_left_to_runtime(result) ? cudaMemcpyAsync(dst, src, size, kind, stream)
                                    : as_runtime(result);
}

cudaError_t prefetch_async(const void* address, size_t size, int device) {
  if (driver().prefetch == nullptr) return cudaErrorNotSupported;
  // The calling thread has a device, and so a context.
  return as_runtime(driver().prefetch(device_address(address), size, device, CU_STREAM_PER_THREAD));
}

cudaError_t synchronize(cudaStream_t stream) {
  using Clock = std::chrono::steady_clock;
  if (driver().query == nullptr) return cudaStreamSynchronize(stream);
  const Clock::time_point end = Clock::now() + kAsked;
  do {
    const CUresult result = driver().query(stream);
    if (is_left_to_runtime(result)) break;
    if (result != CUDA_ERROR_NOT_READY) return as_runtime(result);
  } while (Clock::now() < end);
  return cudaStreamSynchronize(stream);
}

}  // namespace ferry::cuda
