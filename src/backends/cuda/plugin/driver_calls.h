// SPDX-License-Identifier: Apache-2.0
// Copies, launches and waits that call the CUDA driver directly: through the CUDA runtime a copy
// takes a tenth of a microsecond longer, a launch or a wait three tenths.
#pragma once

#include "backends/cuda/kernels/kernels.h"

#include <cuda_runtime_api.h>

#include <cstddef>

namespace ferry::cuda {

// Finds a driver function, in the version of CUDA 12.0; nullptr when the driver has none.
void* find_in_driver(const char* name);

// As cudaMemcpyAsync. Takes any `kind`; only copies between host and device get faster.
cudaError_t copy_async(void* dst, const void* src, size_t size, cudaMemcpyKind kind,
                       cudaStream_t stream);

// A kernel that launch() can start.
struct Kernel {
  const void* symbol = nullptr;
  cudaKernel_t handle = nullptr;  // nullptr: launched through the CUDA runtime

  explicit Kernel(const void* symbol_of_kernel);
};
// As cudaLaunchKernelEx.
cudaError_t launch(const Kernel& kernel, const KernelShape& shape, cudaStream_t stream,
                   void** parameters);

// Begins to move managed memory to a device, or with cudaCpuDeviceId to the host. CUDA's runtime
// has this function in several forms.
cudaError_t prefetch_async(const void* address, size_t size, int device);

// As cudaStreamSynchronize.
cudaError_t synchronize(cudaStream_t stream);

}  // namespace ferry::cuda
