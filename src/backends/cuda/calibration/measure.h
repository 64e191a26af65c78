// SPDX-License-Identifier: Apache-2.0
// Measures what each way of copying a batch costs on this machine.
#pragma once

#include "backends/cuda/transfer/plan.h"

#include <cuda_runtime_api.h>

#include <string>

namespace ferry::cuda {

// Takes some tens of milliseconds and, during that time, 32 MiB, half of them pinned. Uses its own
// stream; the result is better when the GPU is idle. `calibration` is written only on success.
cudaError_t measure(const Overrides& overrides, Calibration& calibration);

// What a measurement is valid for: this GPU, driver, toolkit and version of the plugin.
cudaError_t calibration_key(int device, std::string& key);

}  // namespace ferry::cuda
