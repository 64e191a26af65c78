// SPDX-License-Identifier: Apache-2.0
// Times each way with few and with many items of one size: the difference is the cost per item, the
// rest the cost per batch.
#include "backends/cuda/calibration/measure.h"

#include "backends/cuda/calibration/calibration.h"
#include "backends/cuda/transfer/batch.h"
#include "backends/cuda/transfer/coalesce.h"

#include "ferry/ferry.h"

#include <algorithm>
#include <chrono>

namespace ferry::cuda {
namespace {

constexpr uint64_t kBuffer = uint64_t{16} << 20;
constexpr uint64_t kFew = 8;
constexpr std::array<uint64_t, kMeasuredSizes.size()> kMany{512, 256, 128, 64, 64};
constexpr int kRounds = 3;
constexpr double kLeastItemPrice = 0.001;

// Everything allocated for the duration of a measurement. Not shared between threads.
struct Bench {
  cudaStream_t stream = nullptr;
  void* host = nullptr;
  void* device = nullptr;
  void* list = nullptr;

  ~Bench() {
    if (stream != nullptr) cudaStreamDestroy(stream);
    cudaFreeHost(host);
    cudaFreeHost(list);
    cudaFree(device);
  }

  cudaError_t open() {
    cudaError_t error = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    if (error == cudaSuccess) error = cudaHostAlloc(&host, kBuffer, cudaHostAllocMapped);
    if (error == cudaSuccess) error = cudaHostAlloc(&list, kListBytes, cudaHostAllocMapped);
    if (error == cudaSuccess) error = cudaMalloc(&device, kBuffer);
    return error;
  }
};

// Items are scattered, in a different order on each side, like blocks of a pool: an odd step over a
// power of two visits every place once.
ListWork make_list(const Bench& bench, Bus bus, uint64_t size, uint64_t count) {
  ItemLists lists = ItemLists::in(bench.list);
  const uint64_t places = kBuffer / size;
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t host = reinterpret_cast<uint64_t>(bench.host) + i * 7 % places * size;
    const uint64_t device = reinterpret_cast<uint64_t>(bench.device) + i * 13 % places * size;
    lists.columns.dst[i] = bus == Bus::kToDevice ? device : host;
    lists.columns.src[i] = bus == Bus::kToDevice ? host : device;
    lists.columns.size[i] = size;
  }
  return {.items = lists.columns,
          .summary = {.count = count, .bytes = count * size, .largest = size}};
}

// Microseconds from the call to completion: the best of a few rounds, after a warm-up.
cudaError_t time_way(const Bench& bench, Way way, const ListWork& work, const Overrides& overrides,
                     double& best) {
  using Clock = std::chrono::steady_clock;
  const KernelShape shape{.blocks = multiprocessors_for(work.summary, overrides)};
  for (int round = 0; round <= kRounds; ++round) {
    const Clock::time_point start = Clock::now();
    cudaError_t error = run_way(way, work, shape, bench.stream);
    if (error == cudaSuccess) error = cudaStreamSynchronize(bench.stream);
    if (error != cudaSuccess) return error;
    const double took = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
    best = round <= 1 ? took : std::min(best, took);
  }
  return cudaSuccess;
}

cudaError_t measure_way(const Bench& bench, Bus bus, Way way, const Overrides& overrides,
                        WayCost& cost) {
  for (size_t i = 0; i < kMeasuredSizes.size(); ++i) {
    double few = 0;
    double many = 0;
    cudaError_t error =
        time_way(bench, way, make_list(bench, bus, kMeasuredSizes[i], kFew), overrides, few);
    if (error != cudaSuccess) return error;
    error =
        time_way(bench, way, make_list(bench, bus, kMeasuredSizes[i], kMany[i]), overrides, many);
    if (error != cudaSuccess) return error;
    cost.item[i] = std::max((many - few) / static_cast<double>(kMany[i] - kFew), kLeastItemPrice);
    cost.batch[i] = std::max(few - static_cast<double>(kFew) * cost.item[i], 0.0);
  }
  return cudaSuccess;
}

}  // namespace

cudaError_t measure(const Overrides& overrides, Calibration& calibration) {
  Bench bench;
  if (const cudaError_t error = bench.open(); error != cudaSuccess) return error;
  Calibration measured;
  for (const Bus bus : {Bus::kToDevice, Bus::kToHost}) {
    for (const Way way : {Way::kCopies, Way::kBatch, Way::kKernel}) {
      WayCost& cost = measured.costs[static_cast<size_t>(bus)][static_cast<size_t>(way)];
      const cudaError_t error = measure_way(bench, bus, way, overrides, cost);
      if (error != cudaSuccess) return error;
    }
  }
  if (!is_plausible(measured)) return cudaErrorUnknown;
  calibration = measured;
  return cudaSuccess;
}

cudaError_t calibration_key(int device, std::string& key) {
  cudaDeviceProp properties{};
  int driver = 0;
  cudaError_t error = cudaGetDeviceProperties(&properties, device);
  if (error == cudaSuccess) error = cudaDriverGetVersion(&driver);
  if (error != cudaSuccess) return error;
  key = std::string(properties.name) + ", driver " + std::to_string(driver) + ", toolkit " +
        std::to_string(CUDART_VERSION) + ", ferry " FERRY_VERSION;
  return cudaSuccess;
}

}  // namespace ferry::cuda
