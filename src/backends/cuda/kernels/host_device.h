// SPDX-License-Identifier: Apache-2.0
// Marks functions that run in kernels and also on the host, where they are tested.
#pragma once

#ifdef __CUDACC__
#define FERRY_HOST_DEVICE __host__ __device__
#else
#define FERRY_HOST_DEVICE
#endif
