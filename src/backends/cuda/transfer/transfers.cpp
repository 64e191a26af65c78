// SPDX-License-Identifier: Apache-2.0
// Queued copies, and the properties of a device that all transfers need. Copies done during the
// call are in transfers_now.cpp.
#include "backends/cuda/transfer/transfers.h"

#include "backends/cuda/transfer/transfers_state.h"

#include <algorithm>
#include <cstring>

namespace ferry::cuda {
namespace {

constexpr uint64_t kBlocksOfMultiprocessor = 4;
// Fewer bytes are not worth another block.
constexpr uint64_t kLeastBytesOfBlock = 16384;
constexpr int kLeastCapabilityToOverlap = 9;

// As many blocks as the work is worth, on all multiprocessors: for work that does not use the bus.
KernelShape whole_chip(const TransferState& state, uint64_t bytes) {
  uint64_t multiprocessors = state.multiprocessors;
  if (state.overrides.most_multiprocessors != 0) {
    multiprocessors = std::min<uint64_t>(multiprocessors, state.overrides.most_multiprocessors);
  }
  const uint64_t useful = (bytes + kLeastBytesOfBlock - 1) / kLeastBytesOfBlock;
  return {.blocks = static_cast<uint32_t>(
              std::clamp<uint64_t>(useful, 1, multiprocessors * kBlocksOfMultiprocessor))};
}

// ---- 2D copies ----

cudaError_t copy_rows_by_engine(const TransferState& state, cudaStream_t stream,
                                const ferryx_rows& copy) {
  const ferryx_copy& corner = copy.corner;
  if (std::max(copy.dst_pitch, copy.src_pitch) <= state.largest_pitch) {
    return cudaMemcpy2DAsync(corner.dst_storage, copy.dst_pitch, corner.src_storage, copy.src_pitch,
                             corner.size, copy.height, cudaMemcpyDefault, stream);
  }
  cudaError_t error = cudaSuccess;
  for (uint64_t row = 0; row < copy.height && error == cudaSuccess; ++row) {
    error = cudaMemcpyAsync(static_cast<char*>(corner.dst_storage) + row * copy.dst_pitch,
                            static_cast<const char*>(corner.src_storage) + row * copy.src_pitch,
                            corner.size, cudaMemcpyDefault, stream);
  }
  return error;
}

// The engine takes a 2D copy as one call, without the cost per row of single copies: where the
// batched copy is the cheaper of the two, plan() compares the kernel with that.
bool is_for_kernel(TransferState& state, const ferryx_rows& copy, const Summary& rows) {
  if (state.reach.of(copy.corner.dst_storage, copy.corner.src_storage) != Reach::kAll) {
    return false;
  }
  if (!is_over_bus(copy.direction)) return true;
  return plan(rows, bus_of(copy.direction), calibration_of(state), state.overrides, Reach::kAll)
             .way == Way::kKernel;
}

bool is_one_range(const ferryx_rows& copy) {
  return copy.height == 1 ||
         (copy.dst_pitch == copy.corner.size && copy.src_pitch == copy.corner.size);
}

uint32_t repeated(const ferryx_fill& fill) {
  return fill.width == 1 ? (fill.value & 0xFF) * 0x01010101u : fill.value;
}

bool is_one_byte(uint32_t pattern) {
  return pattern == (pattern & 0xFF) * 0x01010101u;
}

// Four fills of every fourth byte: for memory that kernels cannot access.
cudaError_t fill_by_engine(cudaStream_t stream, const ferryx_fill& fill) {
  constexpr size_t kWord = sizeof(uint32_t);
  cudaError_t error = cudaSuccess;
  for (size_t i = 0; i < kWord && error == cudaSuccess; ++i) {
    error = cudaMemset2DAsync(static_cast<char*>(fill.dst_storage) + i, kWord,
                              static_cast<int>(fill.value >> 8 * i & 0xFF), 1, fill.size / kWord,
                              stream);
  }
  return error;
}

}  // namespace

cudaError_t Transfers::create(int device, const Overrides& overrides, Transfers** made) {
  auto state = std::make_unique<TransferState>(device, overrides);
  cudaError_t error = cudaSuccess;
  const auto attribute = [&](cudaDeviceAttr name) {
    int value = 0;
    if (error == cudaSuccess) error = cudaDeviceGetAttribute(&value, name, device);
    return value;
  };
  state->multiprocessors = static_cast<uint32_t>(attribute(cudaDevAttrMultiProcessorCount));
  state->largest_pitch = static_cast<uint64_t>(attribute(cudaDevAttrMaxPitch));
  state->overlaps_kernels =
      attribute(cudaDevAttrComputeCapabilityMajor) >= kLeastCapabilityToOverlap;
  if (error == cudaSuccess) error = state->reach.open(device);
  if (error != cudaSuccess) return error;
  auto* transfers = new Transfers(state.get());
  state->pageable.emplace(device, state->threads,
                          [transfers](cudaStream_t stream, const ferryx_copies& copies) {
                            return transfers->copy(stream, copies);
                          });
  static_cast<void>(state.release());  // lives as long as the object: forever
  *made = transfers;
  return cudaSuccess;
}

cudaError_t Transfers::copy(cudaStream_t stream, const ferryx_copies& copies) {
  if (copies.count == 1) return copy_one(*state_, stream, *copies.items, copies.direction);
  return copy_batch(*state_, stream, copies);
}

cudaError_t Transfers::copy_columns(cudaStream_t stream, const ferryx_columns& columns,
                                    Ticket& last) {
  return copy_batch(*state_, stream, columns, last);
}

bool Transfers::is_done(Ticket launch) const {
  return state_->pairs.is_done(launch);
}

cudaError_t Transfers::copy_2d(cudaStream_t stream, const ferryx_rows& copy) {
  const ferryx_copy& corner = copy.corner;
  const uint64_t bytes = corner.size * copy.height;
  if (is_one_range(copy)) {
    ferryx_copy whole = corner;
    whole.size = bytes;
    return copy_one(*state_, stream, whole, copy.direction);
  }
  const Summary rows{.count = copy.height, .bytes = bytes, .largest = corner.size};
  if (!is_for_kernel(*state_, copy, rows)) {
    state_->ways.count(Way::kCopies, Reason::kRows, copy.height, bytes);
    return copy_rows_by_engine(*state_, stream, copy);
  }
  const KernelShape shape =
      is_over_bus(copy.direction)
          ? KernelShape{.blocks = multiprocessors_for(rows, state_->overrides)}
          : whole_chip(*state_, bytes);
  state_->ways.count(Way::kKernel, Reason::kRows, copy.height, bytes);
  state_->ways.set_multiprocessors(multiprocessors_of(*state_, shape));
  return launch_rows(stream,
                     {.dst = reinterpret_cast<uint64_t>(corner.dst_storage),
                      .src = reinterpret_cast<uint64_t>(corner.src_storage),
                      .width = corner.size,
                      .dst_pitch = copy.dst_pitch,
                      .src_pitch = copy.src_pitch,
                      .height = copy.height},
                     shape);
}

cudaError_t Transfers::fill(cudaStream_t stream, const ferryx_fill& fill) {
  const uint32_t pattern = repeated(fill);
  if (is_one_byte(pattern)) {
    return cudaMemsetAsync(fill.dst_storage, static_cast<int>(pattern & 0xFF), fill.size, stream);
  }
  const auto dst = reinterpret_cast<uint64_t>(fill.dst_storage);
  if (state_->reach.judge() == Judge::kReach && !state_->reach.find(dst).is_reachable) {
    return fill_by_engine(stream, fill);
  }
  return launch_fill(stream, {.dst = dst, .size = fill.size, .value = pattern},
                     whole_chip(*state_, fill.size));
}

cudaError_t Transfers::capture(cudaStream_t stream, const ferryx_copies& copies) {
  for (size_t i = 0; i < copies.count; ++i) {
    const ferryx_copy& item = copies.items[i];
    state_->ways.count(Way::kStaged, Reason::kCaptured, 1, item.size);
    for (uint64_t offset = 0; offset < item.size; offset += kCaptureBytes) {
      PinnedRing::Buffer buffer;
      cudaError_t error = state_->captured.take(buffer);
      if (error != cudaSuccess) return error;
      const uint64_t size = std::min(kCaptureBytes, item.size - offset);
      std::memcpy(buffer.memory, static_cast<const char*>(item.src_storage) + offset, size);
      error = cudaMemcpyAsync(static_cast<char*>(item.dst_storage) + offset, buffer.memory, size,
                              cudaMemcpyDefault, stream);
      const cudaError_t recorded = state_->captured.give_back_after(buffer, stream);
      if (error == cudaSuccess) error = recorded;
      if (error != cudaSuccess) return error;
    }
  }
  return cudaSuccess;
}

template <class Launch>
cudaError_t Transfers::copy_guarded(cudaStream_t stream, LiveRanges& live, FaultSlot* fault,
                                    Launch launch) {
  LiveRanges::Lease lease;
  if (const cudaError_t error = live.lease(stream, lease); error != cudaSuccess) return error;
  // The size is known on the device only.
  const KernelShape shape = whole_chip(*state_, UINT64_MAX / 2);
  state_->ways.count(Way::kKernel, Reason::kReadOnDevice, 1, 0);
  state_->ways.set_multiprocessors(multiprocessors_of(*state_, shape));
  const Guard guard{.table = lease.table, .count = lease.count, .fault = fault};
  const cudaError_t error = launch(guard, shape);
  const cudaError_t recorded = live.done_with(lease, stream);
  return error != cudaSuccess ? error : recorded;
}

cudaError_t Transfers::copy_described(cudaStream_t stream, const void* descriptor, LiveRanges& live,
                                      FaultSlot* fault) {
  return copy_guarded(stream, live, fault, [&](const Guard& guard, const KernelShape& shape) {
    return launch_described(stream, descriptor, guard, shape);
  });
}

cudaError_t Transfers::copy_indirect(cudaStream_t stream, const ferryx_indirect& copy,
                                     LiveRanges& live, FaultSlot* fault) {
  return copy_guarded(stream, live, fault, [&](const Guard& guard, const KernelShape& shape) {
    return launch_indirect(stream, copy, guard, shape);
  });
}

WayReport Transfers::report(Way way) const {
  return state_->ways.report(way);
}

}  // namespace ferry::cuda
