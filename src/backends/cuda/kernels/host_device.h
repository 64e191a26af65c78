// SPDX-License-Identifier: Apache-2.0
// Functions that are the same on the host, where they are tested, and in kernels.
#pragma once

#ifdef __CUDACC__
#define FERRY_HOST_DEVICE __host__ __device__
#else
#define FERRY_HOST_DEVICE
#endif
