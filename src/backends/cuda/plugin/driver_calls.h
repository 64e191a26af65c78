// SPDX-License-Identifier: Apache-2.0
// The calls that a small copy or a batch and the wait for it consist of, made to the driver itself:
// through the runtime a copy takes a tenth of a microsecond longer, a launch or a wait three
// tenths.
#pragma once

#include "backends/cuda/kernels/kernels.h"

#include <cuda_runtime_api.h>

#include <cstddef>

namespace ferry::cuda {

// A function of the driver, in the form it has since CUDA 12.0; nullptr when there is none.
void* find_in_driver(const char* name);

// As cudaMemcpyAsync. `kind` may be any; those between host and device gain.
cudaError_t copy_async(void* dst, const void* src, size_t size, cudaMemcpyKind kind,
                       cudaStream_t stream);

// As cudaLaunchKernelEx, for a kernel of this name and handle.
struct Kernel {
  const void* symbol = nullptr;
  cudaKernel_t handle = nullptr;  // nullptr when there is none: then the runtime launches it

  explicit Kernel(const void* symbol_of_kernel);
};
cudaError_t launch(const Kernel& kernel, const KernelShape& shape, cudaStream_t stream,
                   void** parameters);

// As cudaStreamSynchronize.
cudaError_t synchronize(cudaStream_t stream);

}  // namespace ferry::cuda
