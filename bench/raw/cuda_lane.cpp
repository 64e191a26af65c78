// SPDX-License-Identifier: Apache-2.0
// Calls to CUDA's runtime, which is linked statically: the driver is found at run time.
#include "bench/raw/cuda_lane.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <cstring>
#include <stdexcept>

namespace ferry::bench::cuda {
namespace {

void check(cudaError_t code) {
  if (code == cudaSuccess) return;
  throw std::runtime_error(
      fmt::format("CUDA, without Ferry: {}: {}", cudaGetErrorName(code), cudaGetErrorString(code)));
}

int device_of(const void* address) {
  cudaPointerAttributes attributes{};
  check(cudaPointerGetAttributes(&attributes, address));
  if (attributes.type != cudaMemoryTypeDevice) {
    throw std::runtime_error(
        "device memory of Ferry is unknown to CUDA: cannot measure against CUDA");
  }
  return attributes.device;
}

cudaMemcpyKind kind_of(Direction direction) {
  switch (direction) {
    case Direction::kIn:
      return cudaMemcpyHostToDevice;
    case Direction::kOut:
      return cudaMemcpyDeviceToHost;
    case Direction::kInside:
      return cudaMemcpyDeviceToDevice;
  }
  return cudaMemcpyDefault;
}

// Pinned or device memory of CUDA's runtime.
class Memory {
 public:
  enum class Place { kPinned, kDevice };

  Memory(Place place, size_t bytes) : place_(place) {
    if (place == Place::kDevice) {
      check(cudaMalloc(&address_, bytes));
      return;
    }
    check(cudaHostAlloc(&address_, bytes, cudaHostAllocDefault));
    std::memset(address_, 0, bytes);
  }
  ~Memory() {
    static_cast<void>(place_ == Place::kDevice ? cudaFree(address_) : cudaFreeHost(address_));
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  std::byte* at() const { return static_cast<std::byte*>(address_); }

 private:
  Place place_;
  void* address_ = nullptr;
};

// Makes a GPU current on this thread before memory and streams are created on it.
struct CurrentDevice {
  explicit CurrentDevice(int index) { check(cudaSetDevice(index)); }
};

class NativeLane : public CudaLane {
 public:
  NativeLane(int device, size_t bytes)
      : CudaLane(bytes),
        index_(device),
        current_(device),
        host_(Memory::Place::kPinned, bytes),
        scratch_(Memory::Place::kPinned, bytes),
        device_(Memory::Place::kDevice, 2 * bytes) {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  }
  ~NativeLane() override { static_cast<void>(cudaStreamDestroy(stream_)); }

  std::byte* host() const override { return host_.at(); }
  std::byte* device() const override { return device_.at(); }
  std::byte* scratch() const override { return scratch_.at(); }
  std::string device_text() const override;
  size_t cache_bytes() const override {
    return static_cast<size_t>(attribute(cudaDevAttrL2CacheSize));
  }

  void copy(std::byte* to, const std::byte* from, size_t bytes, Direction direction) override {
    check(cudaMemcpyAsync(to, from, bytes, kind_of(direction), stream_));
  }
  void batch(Blocks& blocks, Direction direction) override;
  void clear(std::byte* at, size_t bytes) override {
    check(cudaMemsetAsync(at, 0, bytes, stream_));
  }
  void wait() override { check(cudaStreamSynchronize(stream_)); }

 private:
  int attribute(cudaDeviceAttr name) const {
    int value = 0;
    check(cudaDeviceGetAttribute(&value, name, index_));
    return value;
  }

  int index_;
  CurrentDevice current_;
  Memory host_;
  Memory scratch_;
  Memory device_;
  cudaStream_t stream_ = nullptr;
};

std::string NativeLane::device_text() const {
  cudaDeviceProp properties{};
  int driver = 0;
  check(cudaGetDeviceProperties(&properties, index_));
  check(cudaDriverGetVersion(&driver));
  return fmt::format("{}, {} multiprocessors, L2 {} MiB, driver for CUDA {}.{}, runtime {}.{}",
                     properties.name, attribute(cudaDevAttrMultiProcessorCount),
                     cache_bytes() >> 20, driver / 1000, driver % 1000 / 10, CUDART_VERSION / 1000,
                     CUDART_VERSION % 1000 / 10);
}

void NativeLane::batch(Blocks& blocks, Direction direction) {
  const auto location = [this](bool is_on_device) {
    cudaMemLocation place{};
    place.type = is_on_device ? cudaMemLocationTypeDevice : cudaMemLocationTypeHost;
    place.id = is_on_device ? index_ : 0;
    return place;
  };
  cudaMemcpyAttributes attributes{};
  attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  attributes.srcLocHint = location(direction != Direction::kIn);
  attributes.dstLocHint = location(direction != Direction::kOut);
  size_t first = 0;
#if CUDART_VERSION >= 13000
  check(cudaMemcpyBatchAsync(blocks.to.data(), const_cast<const void**>(blocks.from.data()),
                             blocks.sizes.data(), blocks.sizes.size(), &attributes, &first, 1,
                             stream_));
#else
  size_t fail_index = 0;
  check(cudaMemcpyBatchAsync(blocks.to.data(), blocks.from.data(), blocks.sizes.data(),
                             blocks.sizes.size(), &attributes, &first, 1, &fail_index, stream_));
#endif
}

}  // namespace

std::unique_ptr<CudaLane> open_cuda_lane(const void* neighbour, size_t bytes) {
  return std::make_unique<NativeLane>(device_of(neighbour), bytes);
}

}  // namespace ferry::bench::cuda
