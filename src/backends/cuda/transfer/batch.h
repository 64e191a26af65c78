// SPDX-License-Identifier: Apache-2.0
// Copies one list in a given way. plan.h decides which way is best.
#pragma once

#include "backends/cuda/kernels/kernels.h"
#include "backends/cuda/transfer/plan.h"

#include <cuda_runtime_api.h>

namespace ferry::cuda {

// Queues all items of `work` on `stream`. The list must stay until the kernel is done; the other
// ways have read it when the call returns.
cudaError_t run_way(Way way, const ListWork& work, const KernelShape& shape, cudaStream_t stream);

}  // namespace ferry::cuda
