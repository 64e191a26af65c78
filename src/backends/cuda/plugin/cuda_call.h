// SPDX-License-Identifier: Apache-2.0
// From CUDA's results to ours; the table itself is in cuda_error.h.
#pragma once

#include "backends/cuda/plugin/cuda_error.h"

#include <cuda_runtime_api.h>

namespace ferry::cuda {

// Numbers and names of an error. Also takes it out of the thread's last error, which the next
// kernel launch would otherwise be blamed for.
CudaError describe(cudaError_t error);

}  // namespace ferry::cuda
