// SPDX-License-Identifier: Apache-2.0
// Decides how a batch is copied: from its sizes, count and direction, the measured costs, and the
// user's settings. Pure functions; needs no CUDA header.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace ferry::cuda {

enum class Way : uint32_t {
  kCopies,  // one cudaMemcpyAsync per item
  kBatch,   // cudaMemcpyBatchAsync
  kKernel,  // a gather and scatter kernel on a few multiprocessors
  kStaged   // through pinned buffers: pageable memory and captured sources
};
constexpr size_t kWayCount = 4;

enum class Reason : uint32_t {
  kNone,
  kSingle,
  kCheapest,
  kLarge,
  kForced,
  kOutOfReach,
  kPageable,
  kCaptured,
  kRows,
  kReadOnDevice
};

// FERRY_CUDA_BATCH
enum class BatchWay : uint32_t { kAuto = 0, kEngine = 1, kKernel = 2 };

// The user's settings.
struct Overrides {
  BatchWay batch = BatchWay::kAuto;
  uint32_t most_multiprocessors = 0;  // FERRY_CUDA_SMS; 0: only the built-in limit
};

// The two directions over the bus.
enum class Bus : uint32_t { kToDevice = 0, kToHost = 1 };

// Item sizes at which costs are measured.
constexpr std::array<uint64_t, 5> kMeasuredSizes{4096, 16384, 65536, 262144, 1048576};

// The cost of a way in microseconds, from submission to completion, at each measured size: per
// batch and per item.
struct WayCost {
  std::array<double, kMeasuredSizes.size()> batch{};
  std::array<double, kMeasuredSizes.size()> item{};
};

struct Calibration {
  // [Bus][Way], for the first three ways.
  std::array<std::array<WayCost, 3>, 2> costs{};
};

// Measured on one NVIDIA H200 with PCIe 5 x16; for machines that cannot be measured.
const Calibration& default_calibration();

// A batch in a few numbers.
struct Summary {
  uint64_t count = 0;
  uint64_t bytes = 0;
  uint64_t largest = 0;
};

struct Plan {
  Way way = Way::kCopies;
  Reason reason = Reason::kNone;
};

// Predicts the microseconds for a batch of `count` items of `size` bytes.
double predict(const WayCost& cost, uint64_t count, double size);

// Chooses the way for items that are similar enough to go by their average size. `reach`: whether
// kernels can access all of the memory.
enum class Reach { kAll, kNotAll };
Plan plan(const Summary& summary, Bus bus, const Calibration& calibration,
          const Overrides& overrides, Reach reach);

// Items of this size or more are kept apart from smaller ones: the copy engine is faster.
constexpr uint64_t kLargeItem = uint64_t{1} << 20;

// The shape of a copy kernel: threads per block, and loads of 16 bytes in flight per thread. Their
// registers fill most of a multiprocessor, so every block has a multiprocessor to itself.
constexpr uint32_t kKernelThreads = 512;
constexpr uint32_t kKernelLoads = 8;

// How many multiprocessors, and therefore blocks, a kernel takes for a batch; at most
// kMostMultiprocessors.
constexpr uint32_t kMostMultiprocessors = 32;
uint32_t multiprocessors_for(const Summary& summary, const Overrides& overrides);

// Many small items are launched in two parts: the first runs while the list of the second is
// written. Returns how many items the first part has: all where a second launch is not worth it.
uint64_t first_part_of(const Summary& summary);

// Items for a kernel are split into items of at most this size, so that a few large ones among many
// small ones do not keep one warp busy alone. This at most doubles their number.
uint64_t piece_for(const Summary& summary);

// The size of a unit: a multiple of kUnitStep, which is what one instruction of a warp copies.
constexpr uint64_t kUnitStep = 512;
uint32_t unit_bytes_for(uint64_t bytes, uint64_t warps);

}  // namespace ferry::cuda
