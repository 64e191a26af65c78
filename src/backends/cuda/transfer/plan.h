// SPDX-License-Identifier: Apache-2.0
// Deciding how a batch is copied: from its sizes, its count, its direction, what the machine was
// measured to do, and what the user asked for. Pure; no CUDA header is needed here.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace ferry::cuda {

enum class Way : uint32_t {
  kCopies,  // one cudaMemcpyAsync an item
  kBatch,   // cudaMemcpyBatchAsync
  kKernel,  // a gather and scatter kernel on a few multiprocessors
  kStaged   // through pinned buffers: pageable memory
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

// What the user asked for.
struct Overrides {
  BatchWay batch = BatchWay::kAuto;
  uint32_t most_multiprocessors = 0;  // FERRY_CUDA_SMS; 0: no limit but our own
};

// The two directions over the bus.
enum class Bus : uint32_t { kToDevice = 0, kToHost = 1 };

// Sizes at which the cost of an item was measured.
constexpr std::array<uint64_t, 5> kMeasuredSizes{4096, 16384, 65536, 262144, 1048576};

// What a way costs, in microseconds from submission to the end, at each of the measured sizes: some
// for the batch and some for each item.
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

// The predicted microseconds of a batch of `count` items of `size` bytes.
double predict(const WayCost& cost, uint64_t count, double size);

// The way for items that are alike enough to be judged by their average size. `reach`: whether
// kernels can touch all of the memory.
enum class Reach { kAll, kNotAll };
Plan plan(const Summary& summary, Bus bus, const Calibration& calibration,
          const Overrides& overrides, Reach reach);

// From this size on items are kept apart from smaller ones: the copy engine wins.
constexpr uint64_t kLargeItem = uint64_t{1} << 20;

// The shape of a copy kernel: blocks of this many threads, each with this many loads of 16 bytes in
// flight. The registers for them are most of a multiprocessor's: every block has one of its own.
constexpr uint32_t kKernelThreads = 512;
constexpr uint32_t kKernelLoads = 8;

// How many multiprocessors, and so blocks, a kernel takes for a batch; never more
// than kMostMultiprocessors.
constexpr uint32_t kMostMultiprocessors = 32;
uint32_t multiprocessors_for(const Summary& summary, const Overrides& overrides);

// Many small items are launched in two parts: the first runs while the list of the others is
// written. How many items the first has; all of them where it is not worth a second launch.
uint64_t first_part_of(const Summary& summary);

// Items of a kernel are cut into pieces of at most this size, so that few large ones among many
// small ones do not keep a warp busy alone. There are at most twice as many pieces as items.
uint64_t piece_for(const Summary& summary);

// A warp takes units: ranges of this many bytes inside a piece. A multiple of kUnitStep, which is
// what one instruction of a warp copies.
constexpr uint64_t kUnitStep = 512;
uint32_t unit_bytes_for(uint64_t bytes, uint64_t warps);

}  // namespace ferry::cuda
