// SPDX-License-Identifier: Apache-2.0
// Describes CUDA errors and asserts that the numbers in cuda_errors.def are CUDA's.
#include "backends/cuda/plugin/cuda_call.h"

namespace ferry::cuda {

#define FERRY_CUDA_ERROR(name, number, code, is_fatal) static_assert(cudaError##name == number);
#include "backends/cuda/plugin/cuda_errors.def"

CudaError describe(cudaError_t error) {
  cudaGetLastError();
  return {.number = error, .name = cudaGetErrorName(error), .text = cudaGetErrorString(error)};
}

}  // namespace ferry::cuda
