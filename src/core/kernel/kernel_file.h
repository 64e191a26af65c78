// SPDX-License-Identifier: Apache-2.0
// The shared object of FERRY_KERNELS, which registers stand-ins when the runtime starts.
#pragma once

#include "base/error.h"

#include <string>

namespace ferry {

// Loads the file, which is never unloaded, and calls its function ferryRegisterKernels. Returns
// what is wrong. Does nothing for "".
Problem load_kernel_file(const std::string& path);

// Whether the calling thread is inside ferryRegisterKernels: the runtime is not started yet.
bool is_loading_kernels();

// A registration has failed; inside ferryRegisterKernels the start of the runtime fails with it.
void note_failed_registration();

}  // namespace ferry
