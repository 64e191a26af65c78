// SPDX-License-Identifier: Apache-2.0
// Describes CUDA results; the table of error codes is cuda_errors.def.
#pragma once

#include "backends/cuda/plugin/cuda_error.h"

#include <cuda_runtime_api.h>

namespace ferry::cuda {

// Returns the number and the texts of an error. Also clears the thread's last error, which the next
// kernel launch would otherwise report as its own.
CudaError describe(cudaError_t error);

}  // namespace ferry::cuda
