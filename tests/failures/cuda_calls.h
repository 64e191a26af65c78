// SPDX-License-Identifier: Apache-2.0
// Stands between the library and the CUDA driver, so that each call of the driver can fail.
#pragma once

namespace failures {

bool is_cuda_driver(const char* file);

// The handle that the library gets in place of that of the driver: its functions count.
void* stand_for_cuda_driver(void* driver);

// From now on, calls are counted anew.
void forget_cuda_calls();

}  // namespace failures
