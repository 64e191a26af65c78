// SPDX-License-Identifier: Apache-2.0
// The kernels: where their units come from, and how they are launched.
#include "backends/cuda/kernels/kernels.h"
#include "backends/cuda/kernels/unit_copy.cuh"
#include "backends/cuda/plugin/driver_calls.h"

#include <cstring>
#include <type_traits>

namespace ferry::cuda {
namespace {

// A number of rows or items, each cut into the same number of units.
struct Cells {
  uint64_t count = 0;
  uint64_t units_each = 0;
  uint32_t unit_bytes = 0;

  __host__ __device__ Cells(uint64_t number, uint64_t largest, uint32_t bytes)
      : count(number), units_each((largest + bytes - 1) / bytes), unit_bytes(bytes) {}
  __device__ uint64_t units() const { return count * units_each; }
  // Most items are one unit, and a 64-bit division is slow.
  __device__ uint64_t cell_of(uint64_t index) const {
    return units_each == 1 ? index : index / units_each;
  }
  __device__ uint64_t offset_of(uint64_t index, uint64_t cell) const {
    return (index - cell * units_each) * unit_bytes;
  }
  __device__ uint32_t size_of(uint64_t offset, uint64_t cell_size) const {
    if (offset >= cell_size) return 0;
    return static_cast<uint32_t>(min(cell_size - offset, static_cast<uint64_t>(unit_bytes)));
  }
};

struct ListSource {
  ItemColumns items;
  Cells cells;

  __device__ uint64_t units() const { return cells.units(); }
  __device__ Unit unit(uint64_t index) const {
    const uint64_t item = cells.cell_of(index);
    const uint64_t offset = cells.offset_of(index, item);
    return {load(items.dst + item) + offset, load(items.src + item) + offset,
            cells.size_of(offset, load(items.size + item))};
  }
  __device__ static uint64_t load(const uint64_t* word) {
    return __ldcs(reinterpret_cast<const unsigned long long*>(word));
  }
};

uint64_t warps_of(const KernelShape& shape) {
  return static_cast<uint64_t>(shape.blocks) * shape.threads / kLanes;
}

// Pairs, whether their words are in memory or in parameters of the kernel.
struct PairCells {
  ItemPairs items;
  Cells cells;

  PairCells(const PairWork& work, const KernelShape& shape)
      : items(work.items),
        cells(work.count, work.items.size,
              unit_bytes_for(work.count * work.items.size, warps_of(shape))) {}
  template <class WordOf>
  __device__ Unit unit(uint64_t index, WordOf word_of) const {
    const uint64_t item = cells.cell_of(index);
    const uint64_t offset = cells.offset_of(index, item);
    const uint64_t word = word_of(item);
    return {address(items.dst, static_cast<uint32_t>(word)) + offset,
            address(items.src, static_cast<uint32_t>(word >> 32)) + offset,
            cells.size_of(offset, items.size)};
  }
  __device__ static uint64_t address(const PairSide& side, uint32_t place) {
    return side.base + (static_cast<uint64_t>(place) << side.shift);
  }
};

struct PairSource {
  PairCells pairs;

  __device__ uint64_t units() const { return pairs.cells.units(); }
  __device__ Unit unit(uint64_t index) const {
    return pairs.unit(index,
                      [this](uint64_t item) { return ListSource::load(pairs.items.words + item); });
  }
};

// The words are parameters of the kernel.
template <uint64_t kMost>
struct InlineSource {
  PairCells pairs;
  uint64_t words[kMost];

  InlineSource(const PairWork& work, const KernelShape& shape) : pairs(work, shape) {
    std::memcpy(words, work.items.words, work.count * sizeof(uint64_t));
  }
  __device__ uint64_t units() const { return pairs.cells.units(); }
  __device__ Unit unit(uint64_t index) const {
    return pairs.unit(index, [this](uint64_t item) { return words[item]; });
  }
};

struct RowSource {
  RowWork rows;
  Cells cells;

  __device__ uint64_t units() const { return cells.units(); }
  __device__ Unit unit(uint64_t index) const {
    const uint64_t row = cells.cell_of(index);
    const uint64_t offset = cells.offset_of(index, row);
    return {rows.dst + row * rows.dst_pitch + offset, rows.src + row * rows.src_pitch + offset,
            cells.size_of(offset, rows.width)};
  }
};

template <class Source>
__global__ void __launch_bounds__(kKernelThreads) copy_kernel(Source source) {
  copy_units(source);
}

// The parts of one batch need no order among themselves. The next part may start when all blocks of
// this one have started. This part ends after the previous one, so waiting for the last part waits
// for all.
__device__ void let_next_part_begin() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
#endif
}
__device__ void wait_for_part_before() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

// One fence covers the stores of all threads of the block, because the barrier orders them before
// it.
__device__ void say_done(const DoneWords& done) {
  if (done.words == nullptr) return;
  __syncthreads();
  if (threadIdx.x != 0) return;
  __threadfence_system();
  *static_cast<volatile uint32_t*>(done.words + blockIdx.x) = done.turn;
}

template <class Source>
__global__ void __launch_bounds__(kKernelThreads)
    part_kernel(const __grid_constant__ Source source, DoneWords done) {
  let_next_part_begin();
  copy_units(source);
  wait_for_part_before();
  say_done(done);
}

// ---- addresses that are read on the device ----

struct FromDescriptor {
  const void* descriptor;
};

__device__ bool is_live(const Guard& guard, Fault side, uint64_t address, uint64_t size) {
  const Lookup found = look_up(guard.table, guard.count, address, size);
  if (found == Lookup::kInside) return true;
  if (blockIdx.x == 0) {
    volatile FaultSlot* slot = guard.fault;
    slot->is_inside = found == Lookup::kLeaving ? 1 : 0;
    slot->address = address;
    slot->size = size;
    __threadfence_system();
    slot->code = static_cast<uint32_t>(side);
  }
  return false;
}

// One row, or an empty one when an address is not live.
__device__ RowWork judged(const Guard& guard, uint64_t dst, uint64_t src, uint64_t size) {
  RowWork row{};
  if (is_live(guard, Fault::kDst, dst, size) && is_live(guard, Fault::kSrc, src, size)) {
    row = {dst, src, size, size, size, 1};
  }
  return row;
}

__device__ RowWork resolve(const FromDescriptor& from, const Guard& guard) {
  const auto address = reinterpret_cast<uint64_t>(from.descriptor);
  if (!is_live(guard, Fault::kDescriptor, address, sizeof(ferryx_descriptor))) return RowWork{};
  const auto* descriptor = static_cast<const volatile ferryx_descriptor*>(from.descriptor);
  const uint32_t size = descriptor->size;
  return judged(guard, descriptor->dst, descriptor->src, size == 0 ? uint64_t{1} << 32 : size);
}

__device__ uint64_t read_cell(const void* cell) {
  // The cell may have any alignment.
  const auto* bytes = static_cast<const volatile uint8_t*>(cell);
  uint64_t value = 0;
  for (int i = 7; i >= 0; --i)
    value = value << 8 | bytes[i];
  return value;
}

__device__ RowWork resolve(const ferryx_indirect& from, const Guard& guard) {
  const auto dst_cell = reinterpret_cast<uint64_t>(from.dst_pointer);
  const auto src_cell = reinterpret_cast<uint64_t>(from.src_pointer);
  if (!is_live(guard, Fault::kDst, dst_cell, sizeof(uint64_t))) return RowWork{};
  if (!is_live(guard, Fault::kSrc, src_cell, sizeof(uint64_t))) return RowWork{};
  return judged(guard, read_cell(from.dst_pointer) + from.dst_offset,
                read_cell(from.src_pointer) + from.src_offset, from.size);
}

// Each block reads and validates the addresses itself: a second launch would cost more. So the
// result of a copy that overwrites its own descriptor or base pointer is undefined.
template <class From>
__global__ void __launch_bounds__(kKernelThreads)
    resolved_copy_kernel(From from, Guard guard, uint32_t unit_bytes) {
  __shared__ RowWork row;
  if (threadIdx.x == 0) row = resolve(from, guard);
  __syncthreads();
  copy_units(RowSource{row, Cells(row.height, row.width, unit_bytes)});
}

// ---- fills ----

__global__ void __launch_bounds__(kKernelThreads) fill_kernel(FillWork work) {
  const uint32_t head = static_cast<uint32_t>(
      min(static_cast<uint64_t>(static_cast<uint32_t>(-work.dst) % kVector), work.size));
  const uint64_t vectors = (work.size - head) / kVector;
  const uint32_t word = __funnelshift_r(work.value, work.value, head % 4 * 8);
  const uint64_t threads = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  const uint64_t thread = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  for (uint64_t i = thread; i < vectors; i += threads)
    store_vector(work.dst + head + i * kVector, make_uint4(word, word, word, word));
  const uint64_t tail_start = head + vectors * kVector;
  auto* bytes = reinterpret_cast<uint8_t*>(work.dst);
  if (thread < head) bytes[thread] = static_cast<uint8_t>(work.value >> thread % 4 * 8);
  const uint64_t at = tail_start + thread;
  if (at < work.size) bytes[at] = static_cast<uint8_t>(work.value >> at % 4 * 8);
}

// Returns the result of this launch alone. The arguments must have exactly the types of the
// parameters.
template <auto kKernel, class... Arguments>
cudaError_t start(const KernelShape& shape, cudaStream_t stream, const Arguments&... arguments) {
  static_assert(std::is_same_v<decltype(kKernel), void (*)(Arguments...)>);
  static const Kernel kernel(reinterpret_cast<const void*>(kKernel));
  void* parameters[] = {const_cast<Arguments*>(&arguments)...};
  return launch(kernel, shape, stream, parameters);
}

// Parameters are always sent in full, however few words are used.
template <uint64_t kMost>
cudaError_t launch_inline(cudaStream_t stream, const PairWork& work, const KernelShape& shape,
                          const DoneWords& done) {
  using Source = InlineSource<kMost>;
  return start<part_kernel<Source>>(shape, stream, Source(work, shape), done);
}

}  // namespace

cudaError_t launch_list(cudaStream_t stream, const ListWork& work, const KernelShape& shape) {
  const Cells cells(work.summary.count, work.summary.largest,
                    unit_bytes_for(work.summary.bytes, warps_of(shape)));
  return start<copy_kernel<ListSource>>(shape, stream, ListSource{work.items, cells});
}

cudaError_t launch_pairs(cudaStream_t stream, const PairWork& work, const KernelShape& shape,
                         const DoneWords& done) {
  return start<part_kernel<PairSource>>(shape, stream, PairSource{PairCells(work, shape)}, done);
}

cudaError_t launch_inline_pairs(cudaStream_t stream, const PairWork& work, const KernelShape& shape,
                                const DoneWords& done) {
  constexpr uint64_t kFew = 64;
  constexpr uint64_t kSome = 256;
  constexpr uint64_t kMany = 512;
  if (work.count <= kFew) return launch_inline<kFew>(stream, work, shape, done);
  if (work.count <= kSome) return launch_inline<kSome>(stream, work, shape, done);
  if (work.count <= kMany) return launch_inline<kMany>(stream, work, shape, done);
  return launch_inline<kMostInlinePairs>(stream, work, shape, done);
}

cudaError_t launch_rows(cudaStream_t stream, const RowWork& work, const KernelShape& shape) {
  const Cells cells(work.height, work.width,
                    unit_bytes_for(work.width * work.height, warps_of(shape)));
  return start<copy_kernel<RowSource>>(shape, stream, RowSource{work, cells});
}

// The size is unknown at launch: this unit size makes large copies fast.
constexpr uint32_t kUnknownUnitBytes = 8192;

cudaError_t launch_described(cudaStream_t stream, const void* descriptor, const Guard& guard,
                             const KernelShape& shape) {
  return start<resolved_copy_kernel<FromDescriptor>>(shape, stream, FromDescriptor{descriptor},
                                                     guard, kUnknownUnitBytes);
}

cudaError_t launch_indirect(cudaStream_t stream, const ferryx_indirect& copy, const Guard& guard,
                            const KernelShape& shape) {
  return start<resolved_copy_kernel<ferryx_indirect>>(shape, stream, copy, guard,
                                                      kUnknownUnitBytes);
}

cudaError_t launch_fill(cudaStream_t stream, const FillWork& work, const KernelShape& shape) {
  return start<fill_kernel>(shape, stream, work);
}

}  // namespace ferry::cuda
