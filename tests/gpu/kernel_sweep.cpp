// SPDX-License-Identifier: Apache-2.0
// Prints GB/s of the copy kernels for each direction, block size and kernel shape, from the call to
// completion, so that the shape can be chosen. Nothing is verified here.
#include "backends/cuda/kernels/kernels.h"
#include "backends/cuda/transfer/batch.h"
#include "backends/cuda/transfer/coalesce.h"
#include "backends/cuda/transfer/pairs.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace ferry::cuda {
namespace {

constexpr uint64_t kPool = uint64_t{512} << 20;
constexpr uint32_t kThreads[] = {128, 256, kKernelThreads};
constexpr int kRounds = 7;

void require(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "kernel_sweep: %s\n", cudaGetErrorString(error));
  std::exit(1);
}

// GB/s from the median of a few rounds; the first round does not count.
template <class Queue>
double rate(cudaStream_t stream, uint64_t bytes, Queue queue) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> times;
  for (int round = 0; round <= kRounds; ++round) {
    const Clock::time_point start = Clock::now();
    require(queue());
    require(cudaStreamSynchronize(stream));
    const double took = std::chrono::duration<double>(Clock::now() - start).count();
    if (round > 0) times.push_back(took);
  }
  std::nth_element(times.begin(), times.begin() + kRounds / 2, times.end());
  return static_cast<double>(bytes) / times[kRounds / 2] / 1e9;
}

struct Pools {
  char* host = nullptr;
  char* device = nullptr;
  void* list = nullptr;
  cudaStream_t stream = nullptr;
  void* pairs = nullptr;
  uint32_t multiprocessors = 0;
  bool can_overlap = false;
};

Pools open_pools() {
  Pools pools;
  int multiprocessors = 0;
  require(cudaHostAlloc(reinterpret_cast<void**>(&pools.host), kPool, cudaHostAllocMapped));
  require(cudaHostAlloc(&pools.list, kListBytes, cudaHostAllocMapped));
  require(cudaHostAlloc(&pools.pairs, kPairBytes, cudaHostAllocMapped));
  require(cudaMalloc(reinterpret_cast<void**>(&pools.device), kPool));
  require(cudaStreamCreateWithFlags(&pools.stream, cudaStreamNonBlocking));
  require(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  pools.multiprocessors = static_cast<uint32_t>(multiprocessors);
  int capability = 0;
  require(cudaDeviceGetAttribute(&capability, cudaDevAttrComputeCapabilityMajor, 0));
  pools.can_overlap = capability >= 9;
  return pools;
}

std::vector<uint64_t> random_places(uint64_t size, uint64_t count, uint64_t seed) {
  std::vector<uint64_t> places(kPool / size);
  std::iota(places.begin(), places.end(), uint64_t{0});
  std::shuffle(places.begin(), places.end(), std::mt19937_64(seed));
  places.resize(count);
  return places;
}

ListWork make_list(const Pools& pools, Bus bus, uint64_t size, uint64_t count) {
  ListWork work{.items = ItemLists::in(pools.list).columns,
                .summary = {.count = count, .bytes = count * size, .largest = size}};
  const std::vector<uint64_t> on_host = random_places(size, count, 1);
  const std::vector<uint64_t> on_device = random_places(size, count, 2);
  for (uint64_t i = 0; i < count; ++i) {
    const auto host = reinterpret_cast<uint64_t>(pools.host + on_host[i] * size);
    const auto device = reinterpret_cast<uint64_t>(pools.device + on_device[i] * size);
    work.items.dst[i] = bus == Bus::kToDevice ? device : host;
    work.items.src[i] = bus == Bus::kToDevice ? host : device;
    work.items.size[i] = size;
  }
  return work;
}

void print_head() {
  std::printf("%6s", "blocks");
  for (const uint32_t threads : kThreads)
    std::printf(" %3u thr.", threads);
  std::printf("\n");
}

void sweep_list(const Pools& pools, Bus bus, uint64_t size) {
  const uint64_t count = std::min<uint64_t>(4096, kPool / 2 / size);
  const ListWork work = make_list(pools, bus, size, count);
  std::printf("\n%s, %llu blocks of %llu bytes; cudaMemcpyBatchAsync %.1f GB/s\n",
              bus == Bus::kToDevice ? "H2D" : "D2H", static_cast<unsigned long long>(count),
              static_cast<unsigned long long>(size), rate(pools.stream, work.summary.bytes, [&] {
                return run_way(Way::kBatch, work, {}, pools.stream);
              }));
  print_head();
  for (const uint32_t blocks : {4u, 8u, 12u, 16u, 32u, pools.multiprocessors}) {
    std::printf("%6u", blocks);
    for (const uint32_t threads : kThreads) {
      const KernelShape shape{.blocks = blocks, .threads = threads};
      std::printf(" %8.1f", rate(pools.stream, work.summary.bytes,
                                 [&] { return launch_list(pools.stream, work, shape); }));
    }
    std::printf("\n");
  }
}

ItemPairs make_pairs(const Pools& pools, Bus bus, const ListWork& work) {
  ItemPairs pairs{.words = static_cast<uint64_t*>(pools.pairs),
                  .dst = {.base = reinterpret_cast<uint64_t>(pools.host), .shift = 0},
                  .src = {.base = reinterpret_cast<uint64_t>(pools.device), .shift = 0},
                  .size = work.summary.largest};
  if (bus == Bus::kToDevice) std::swap(pairs.dst, pairs.src);
  for (uint64_t i = 0; i < work.summary.count; ++i) {
    pairs.words[i] = (work.items.dst[i] - pairs.dst.base) | (work.items.src[i] - pairs.src.base)
                                                                << 32;
  }
  return pairs;
}

// The short form of a list, in one launch and in two: the first carries its items in its arguments,
// the second runs after it or overlaps it.
void sweep_pairs(const Pools& pools, Bus bus, uint64_t size) {
  const uint64_t count = std::min<uint64_t>(4096, kPool / 2 / size);
  const ListWork work = make_list(pools, bus, size, count);
  const ItemPairs pairs = make_pairs(pools, bus, work);
  const uint64_t first = std::min<uint64_t>(kMostInlinePairs, count / 2);
  const auto in_two = [&](uint32_t blocks, bool overlaps) {
    return rate(pools.stream, work.summary.bytes, [&] {
      KernelShape shape{.blocks = blocks};
      const cudaError_t error = launch_inline_pairs(pools.stream, {pairs, first}, shape);
      if (error != cudaSuccess) return error;
      shape.overlaps = overlaps;
      return launch_pairs(pools.stream, {pairs.from(first), count - first}, shape);
    });
  };
  std::printf("\n%s, %llu blocks of %llu bytes as pairs\n", bus == Bus::kToDevice ? "H2D" : "D2H",
              static_cast<unsigned long long>(count), static_cast<unsigned long long>(size));
  std::printf("%6s %8s %8s %8s %8s\n", "blocks", "columns", "pairs", "in two", "overlap");
  for (const uint32_t blocks : {4u, 8u, 16u, 32u}) {
    const KernelShape shape{.blocks = blocks};
    std::printf("%6u %8.1f", blocks, rate(pools.stream, work.summary.bytes, [&] {
                  return launch_list(pools.stream, work, shape);
                }));
    std::printf(" %8.1f", rate(pools.stream, work.summary.bytes, [&] {
                  return launch_pairs(pools.stream, {pairs, count}, shape);
                }));
    std::printf(" %8.1f", in_two(blocks, false));
    std::printf(" %8.1f\n", pools.can_overlap ? in_two(blocks, true) : 0.0);
  }
}

void sweep_rows(const Pools& pools, uint64_t width) {
  const uint64_t height = kPool / 4 / width;
  const RowWork work{.dst = reinterpret_cast<uint64_t>(pools.device),
                     .src = reinterpret_cast<uint64_t>(pools.device) + kPool / 2,
                     .width = width,
                     .dst_pitch = width + 512,
                     .src_pitch = width + 512,
                     .height = height};
  std::printf("\nD2D rows of %llu bytes; GB/s one way\n", static_cast<unsigned long long>(width));
  print_head();
  for (const uint32_t factor : {1u, 2u, 4u}) {
    std::printf("%6u", factor * pools.multiprocessors);
    for (const uint32_t threads : kThreads) {
      const KernelShape shape{.blocks = factor * pools.multiprocessors, .threads = threads};
      std::printf(" %8.1f", rate(pools.stream, width * height,
                                 [&] { return launch_rows(pools.stream, work, shape); }));
    }
    std::printf("\n");
  }
}

void print_limits(const Pools& pools) {
  const auto copy = [&](void* dst, const void* src, uint64_t bytes) {
    return rate(pools.stream, bytes,
                [&] { return cudaMemcpyAsync(dst, src, bytes, cudaMemcpyDefault, pools.stream); });
  };
  std::printf("one copy of %llu bytes: H2D %.1f, D2H %.1f; of half of it: D2D %.1f GB/s\n",
              static_cast<unsigned long long>(kPool), copy(pools.device, pools.host, kPool),
              copy(pools.host, pools.device, kPool),
              copy(pools.device, pools.device + kPool / 2, kPool / 2));
}

}  // namespace
}  // namespace ferry::cuda

int main() {
  using namespace ferry::cuda;
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess) {
    std::printf("skipped: no GPU can be used\n");
    return 77;
  }
  const Pools pools = open_pools();
  print_limits(pools);
  for (const Bus bus : {Bus::kToDevice, Bus::kToHost}) {
    for (const uint64_t size : {512u, 2048u, 4096u, 16384u, 65536u, 262144u})
      sweep_list(pools, bus, size);
    for (const uint64_t size : {512u, 2048u, 4096u, 16384u})
      sweep_pairs(pools, bus, size);
  }
  for (const uint64_t width : {512u, 4096u, 65536u})
    sweep_rows(pools, width);
  return 0;
}
