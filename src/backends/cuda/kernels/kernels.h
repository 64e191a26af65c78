// SPDX-License-Identifier: Apache-2.0
// Launches the copy kernels. Kernels of the current device must be able to access all addresses;
// any alignment and any length is copied exactly. nvcc compiles this header: C++17.
#pragma once

#include "backends/cuda/memory/range_table.h"
#include "backends/cuda/queue/fault.h"
#include "backends/cuda/transfer/item_columns.h"
#include "backends/cuda/transfer/plan.h"

#include "ferry/backend.h"

#include <cuda_runtime_api.h>

#include <cstdint>

namespace ferry::cuda {

struct KernelShape {
  uint32_t blocks = 1;
  uint32_t threads = kKernelThreads;  // a multiple of 32, at most kKernelThreads
  // May start before the previous kernel on the stream has ended, but ends after it. Only for a
  // kernel of pairs after a kernel of pairs, on devices of compute capability 9 or more.
  bool overlaps = false;
};

// Copies all items of a list, which is read when the kernel runs.
struct ListWork {
  ItemColumns items;
  Summary summary;
};
cudaError_t launch_list(cudaStream_t stream, const ListWork& work, const KernelShape& shape);

// The same for a list of pairs.
struct PairWork {
  ItemPairs items;
  uint64_t count = 0;
};
// The completion words of a kernel, one per block. A block writes `turn` to its word when the host
// can see everything that the block has copied, and when the previous kernel, if this one overlaps
// it, has ended.
struct DoneWords {
  uint32_t* words = nullptr;  // nullptr: none are written
  uint32_t turn = 0;
};
cudaError_t launch_pairs(cudaStream_t stream, const PairWork& work, const KernelShape& shape,
                         const DoneWords& done = {});
// The same for at most this many pairs, which travel with the launch: nothing reads the words after
// the call, and the kernel need not fetch them over the bus.
constexpr uint64_t kMostInlinePairs = 1024;
cudaError_t launch_inline_pairs(cudaStream_t stream, const PairWork& work, const KernelShape& shape,
                                const DoneWords& done = {});

// No initial values: kernels keep one in shared memory.
struct RowWork {
  uint64_t dst;
  uint64_t src;
  uint64_t width;
  uint64_t dst_pitch;
  uint64_t src_pitch;
  uint64_t height;
};
cudaError_t launch_rows(cudaStream_t stream, const RowWork& work, const KernelShape& shape);

// The table of live ranges, and where to report an address that is outside of them.
struct Guard {
  const Range* table = nullptr;
  uint32_t count = 0;
  FaultSlot* fault = nullptr;
};
cudaError_t launch_described(cudaStream_t stream, const void* descriptor, const Guard& guard,
                             const KernelShape& shape);
cudaError_t launch_indirect(cudaStream_t stream, const ferryx_indirect& copy, const Guard& guard,
                            const KernelShape& shape);

// Repeats the four bytes of `value`, the lowest first.
struct FillWork {
  uint64_t dst = 0;
  uint64_t size = 0;
  uint32_t value = 0;
};
cudaError_t launch_fill(cudaStream_t stream, const FillWork& work, const KernelShape& shape);

}  // namespace ferry::cuda
