// SPDX-License-Identifier: Apache-2.0
// Copying one list in each of the ways there are. Which one is best is not decided here.
#pragma once

#include "backends/cuda/kernels/kernels.h"
#include "backends/cuda/transfer/plan.h"

#include <cuda_runtime_api.h>

namespace ferry::cuda {

// Queues all items of `work` on `stream`. The columns must stay until the kernel is done; the other
// ways have read them when the call returns.
cudaError_t run_way(Way way, const ListWork& work, const KernelShape& shape, cudaStream_t stream);

}  // namespace ferry::cuda
