// SPDX-License-Identifier: Apache-2.0
// Calls of the CUDA driver, made by a library of Ferry. Each returns the driver's result.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// 0: there is no driver.
int load_driver(void);
int make_stream(void);
int break_stream(void);
int launch_kernel(uint64_t* sum);

#ifdef __cplusplus
}
#endif
