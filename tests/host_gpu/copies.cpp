// SPDX-License-Identifier: Apache-2.0
// What the copy engines do: copies and fills, queued on a stream.
#include "gpu.h"

#include <cstring>
#include <vector>

using host_gpu::Access;
using host_gpu::memory;
using host_gpu::note;

namespace {

struct Copy {
  void* dst = nullptr;
  const void* src = nullptr;
  uint64_t size = 0;
};

void move(int device, const Copy& copy) {
  const std::shared_lock lock(memory().mutex);
  char* const dst = memory().reach(device, copy.dst, copy.size, Access::kEngine);
  const char* const src = memory().reach(device, copy.src, copy.size, Access::kEngine);
  if (dst == nullptr || src == nullptr) return host_gpu::break_device(device, "a copy");
  std::memmove(dst, src, copy.size);
}

bool is_pageable(const void* address) {
  const std::shared_lock lock(memory().mutex);
  return memory().find(address) == nullptr;
}

// Pageable memory is used during the call only.
cudaError_t submit(cudaStream_t stream, const std::vector<Copy>& copies) {
  const int device = host_gpu::device_of(stream);
  if (const cudaError_t failed = host_gpu::failure_of(device)) return note(failed);
  bool waits = false;
  for (const Copy& copy : copies)
    waits = waits || is_pageable(copy.dst) || is_pageable(copy.src);
  host_gpu::submit(stream, [device, copies] {
    for (const Copy& copy : copies)
      move(device, copy);
  });
  return waits ? cudaStreamSynchronize(stream) : cudaSuccess;
}

// `width` bytes at every multiple of the pitch.
cudaError_t fill(cudaStream_t stream, void* dst, uint64_t pitch, int value, uint64_t width,
                 uint64_t height) {
  const int device = host_gpu::device_of(stream);
  if (const cudaError_t failed = host_gpu::failure_of(device)) return note(failed);
  host_gpu::submit(stream, [=] {
    const std::shared_lock lock(memory().mutex);
    for (uint64_t row = 0; row < height; ++row) {
      char* const start =
          memory().reach(device, static_cast<char*>(dst) + row * pitch, width, Access::kEngine);
      if (start == nullptr) return host_gpu::break_device(device, "a fill");
      std::memset(start, value, width);
    }
  });
  return cudaSuccess;
}

CUresult CUDAAPI copy_to_device(CUdeviceptr dst, const void* src, size_t size, CUstream stream) {
  return static_cast<CUresult>(submit(stream, {{reinterpret_cast<void*>(dst), src, size}}));
}

CUresult CUDAAPI copy_to_host(void* dst, CUdeviceptr src, size_t size, CUstream stream) {
  return static_cast<CUresult>(submit(stream, {{dst, reinterpret_cast<const void*>(src), size}}));
}

}  // namespace

namespace host_gpu {

void* find_copy(const char* name) {
  if (std::strcmp(name, "cuMemcpyHtoDAsync") == 0) return reinterpret_cast<void*>(copy_to_device);
  if (std::strcmp(name, "cuMemcpyDtoHAsync") == 0) return reinterpret_cast<void*>(copy_to_host);
  return nullptr;
}

}  // namespace host_gpu

extern "C" cudaError_t CUDARTAPI cudaMemcpyAsync(void* dst, const void* src, size_t size,
                                                 cudaMemcpyKind /*kind*/, cudaStream_t stream) {
  return submit(stream, {{dst, src, size}});
}

extern "C" cudaError_t CUDARTAPI cudaMemcpy2DAsync(void* dst, size_t dst_pitch, const void* src,
                                                   size_t src_pitch, size_t width, size_t height,
                                                   cudaMemcpyKind /*kind*/, cudaStream_t stream) {
  std::vector<Copy> rows;
  for (size_t row = 0; row < height; ++row) {
    rows.push_back({static_cast<char*>(dst) + row * dst_pitch,
                    static_cast<const char*>(src) + row * src_pitch, width});
  }
  return submit(stream, rows);
}

#if CUDART_VERSION >= 13000
extern "C" cudaError_t CUDARTAPI cudaMemcpyBatchAsync(void* const* dsts, const void* const* srcs,
                                                      const size_t* sizes, size_t count,
                                                      cudaMemcpyAttributes* /*attributes*/,
                                                      size_t* /*attributed*/, size_t /*kinds*/,
                                                      cudaStream_t stream) {
#else
extern "C" cudaError_t CUDARTAPI cudaMemcpyBatchAsync(void** dsts, void** srcs, size_t* sizes,
                                                      size_t count,
                                                      cudaMemcpyAttributes* /*attributes*/,
                                                      size_t* /*attributed*/, size_t /*kinds*/,
                                                      size_t* /*failed*/, cudaStream_t stream) {
#endif
  std::vector<Copy> copies;
  for (size_t i = 0; i < count; ++i)
    copies.push_back({dsts[i], srcs[i], sizes[i]});
  return submit(stream, copies);
}

extern "C" cudaError_t CUDARTAPI cudaMemsetAsync(void* dst, int value, size_t size,
                                                 cudaStream_t stream) {
  return fill(stream, dst, size, value, size, 1);
}

extern "C" cudaError_t CUDARTAPI cudaMemset2DAsync(void* dst, size_t pitch, int value, size_t width,
                                                   size_t height, cudaStream_t stream) {
  return fill(stream, dst, pitch, value, width, height);
}
