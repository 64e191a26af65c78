// SPDX-License-Identifier: Apache-2.0
// Describes CUDA results; the table of error codes is cuda_errors.def.
#pragma once

#include "backends/cuda/plugin/cuda_error.h"

#include <cuda_runtime_api.h>

namespace ferry::cuda {

// Returns the number and the texts of an error. Also clears the thread's last error, which the next
// kernel launch would otherwise report as its own.
CudaError describe(cudaError_t error);

// For calls that must take effect: waits, queries, and everything that releases. One that is
// refused says nothing about the work or the object, so it is made once more. Returns the last
// result.
template <class Call>
cudaError_t insist(Call call) {
  const cudaError_t result = call();
  if (result == cudaSuccess || result == cudaErrorNotReady || is_fatal(result)) return result;
  cudaGetLastError();
  return call();
}

}  // namespace ferry::cuda
