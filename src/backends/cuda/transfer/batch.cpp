// SPDX-License-Identifier: Apache-2.0
// The CUDA calls of each way.
#include "backends/cuda/transfer/batch.h"

#include <algorithm>

namespace ferry::cuda {
namespace {

constexpr size_t kItemsOfFirstCall = 16;

cudaError_t copy_one_by_one(const ListWork& work, cudaStream_t stream) {
  for (size_t i = 0; i < work.summary.count; ++i) {
    const cudaError_t error = cudaMemcpyAsync(reinterpret_cast<void*>(work.items.dst[i]),
                                              reinterpret_cast<const void*>(work.items.src[i]),
                                              work.items.size[i], cudaMemcpyDefault, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

cudaError_t copy_part_as_batch(const ListWork& work, size_t first, size_t count,
                               cudaStream_t stream) {
  cudaMemcpyAttributes attributes{};
  attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  size_t attributed = 0;
  auto** dsts = reinterpret_cast<void**>(work.items.dst + first);
  auto** srcs = reinterpret_cast<void**>(work.items.src + first);
  auto* sizes = reinterpret_cast<size_t*>(work.items.size + first);
#if CUDART_VERSION >= 13000
  return cudaMemcpyBatchAsync(dsts, const_cast<const void**>(srcs), sizes, count, &attributes,
                              &attributed, 1, stream);
#else
  size_t failed = 0;
  return cudaMemcpyBatchAsync(dsts, srcs, sizes, count, &attributes, &attributed, 1, &failed,
                              stream);
#endif
}

cudaError_t copy_as_batch(const ListWork& work, cudaStream_t stream) {
  static_assert(sizeof(size_t) == sizeof(uint64_t) && sizeof(void*) == sizeof(uint64_t));
  // The driver reads all items of a call before it starts the first copy. So the first call has few
  // items, and each later call twice as many as the one before it, which is copied meanwhile.
  size_t done = 0;
  for (size_t most = kItemsOfFirstCall; done < work.summary.count; most *= 2) {
    const size_t part = std::min(most, work.summary.count - done);
    const cudaError_t error = copy_part_as_batch(work, done, part, stream);
    if (error != cudaSuccess) return error;
    done += part;
  }
  return cudaSuccess;
}

bool is_missing(cudaError_t error) {
  return error == cudaErrorNotSupported || error == cudaErrorCallRequiresNewerDriver;
}

}  // namespace

cudaError_t run_way(Way way, const ListWork& work, const KernelShape& shape, cudaStream_t stream) {
  if (way == Way::kKernel) return launch_list(stream, work, shape);
  if (way == Way::kBatch) {
    const cudaError_t error = copy_as_batch(work, stream);
    if (!is_missing(error)) return error;  // else the driver does not have the call
  }
  return copy_one_by_one(work, stream);
}

}  // namespace ferry::cuda
