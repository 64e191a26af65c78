// SPDX-License-Identifier: Apache-2.0
// Batches: split into parts that fit a list, written as pairs where possible and as three arrays
// otherwise, and submitted to the kernel or the copy engine.
#include "backends/cuda/calibration/calibration.h"
#include "backends/cuda/calibration/measure.h"
#include "backends/cuda/plugin/current_device.h"
#include "backends/cuda/plugin/driver_calls.h"
#include "backends/cuda/queue/polling.h"
#include "backends/cuda/transfer/batch.h"
#include "backends/cuda/transfer/transfers_state.h"

#include <algorithm>
#include <cstdlib>
#include <string>

namespace ferry::cuda {
namespace {

void load_or_measure(TransferState& state) {
  if (state.overrides.batch == BatchWay::kKernel) return;
  std::string key;
  if (calibration_key(state.device, key) != cudaSuccess) return;
  const std::string path = cache_path(std::getenv("XDG_CACHE_HOME"), std::getenv("HOME"), key);
  if (load(path, key, state.calibration)) return;
  // A limit on multiprocessors makes the kernel look worse than it is: not saved for others.
  const bool is_for_all = state.overrides.most_multiprocessors == 0;
  if (measure(state.overrides, state.calibration) == cudaSuccess && is_for_all) {
    save(path, key, state.calibration);
  }
}

cudaError_t run_planned(TransferState& state, const ListWork& work, const Plan& planned,
                        cudaStream_t stream) {
  const KernelShape shape{.blocks = multiprocessors_for(work.summary, state.overrides)};
  state.ways.count(planned.way, planned.reason, work.summary.count, work.summary.bytes);
  if (planned.way == Way::kKernel) {
    state.ways.set_multiprocessors(multiprocessors_of(state, shape));
  }
  return run_way(planned.way, work, shape, stream);
}

// Runs both lists of a part. `uses_list`: whether queued work still reads them.
cudaError_t run_lists(TransferState& state, ItemLists& lists, Bus bus, Reach reach,
                      cudaStream_t stream, bool& uses_list) {
  const auto plan_for = [&](const Summary& summary) {
    return plan(summary, bus, calibration_of(state), state.overrides, reach);
  };
  if (lists.large.count > 0) {
    const Plan planned = plan_for(lists.large);
    uses_list = planned.way == Way::kKernel;
    const cudaError_t error =
        run_planned(state, {lists.large_items(), lists.large}, planned, stream);
    if (error != cudaSuccess) return error;
  }
  if (lists.small.count == 0) return cudaSuccess;
  const Plan planned = plan_for(lists.small);
  if (planned.way == Way::kKernel) {
    uses_list = true;
    split_small(lists, piece_for(lists.small));
  }
  return run_planned(state, {lists.small_items(), lists.small}, planned, stream);
}

// Writes lists with `gather_into`, which returns what kernels can access, and runs them.
template <class Gather>
cudaError_t copy_as_columns(TransferState& state, cudaStream_t stream, Bus bus,
                            Gather gather_into) {
  PinnedRing::Buffer buffer;
  if (const cudaError_t error = state.lists.take(buffer); error != cudaSuccess) return error;
  ItemLists lists = ItemLists::in(buffer.memory);
  const Reach reach = gather_into(lists);
  bool uses_list = false;
  const cudaError_t error = run_lists(state, lists, bus, reach, stream, uses_list);
  if (!uses_list) {
    state.lists.give_back(buffer);
    return error;
  }
  const cudaError_t recorded = state.lists.give_back_after(buffer, stream);
  return error != cudaSuccess ? error : recorded;
}

cudaError_t open_ring(PairRing& ring) {
  void* memory = nullptr;
  const cudaError_t error =
      cudaHostAlloc(&memory, PairRing::kBytes, cudaHostAllocPortable | cudaHostAllocMapped);
  if (error == cudaSuccess && !ring.open(memory)) cudaFreeHost(memory);  // another thread was first
  return error;
}

// Whether the device of the stream has failed.
cudaError_t health_of(cudaStream_t stream) {
  const cudaError_t state = cudaStreamQuery(stream);
  if (state != cudaErrorNotReady) return state;
  cudaGetLastError();
  return cudaSuccess;
}

// Waits while kernels read all lists. A kernel that has failed never writes its completion words,
// but a failure of the device shows on every stream: so `stream` is queried.
cudaError_t take_list(PairRing& ring, cudaStream_t stream, PairRing::Share& share) {
  cudaError_t error = ring.is_open() ? cudaSuccess : open_ring(ring);
  if (error != cudaSuccess) return error;
  bool is_taken = false;
  poll_until(Clock::time_point::max(), [&] {
    is_taken = is_taken || ring.take(PairRing::Need::kList, share);
    if (!is_taken) error = health_of(stream);
    return is_taken || error != cudaSuccess;
  });
  return error;
}

// Without completion words CUDA reports the completion, only later.
bool take_words(PairRing& ring, PairRing::Share& share) {
  return (ring.is_open() || open_ring(ring) == cudaSuccess) &&
         ring.take(PairRing::Need::kWordsAlone, share);
}

// A batch, or the part of it that fits one list, as pairs. Not shared between threads.
class PairBatch {
 public:
  PairBatch(TransferState& state, cudaStream_t stream, const ferryx_columns& columns)
      : state_(state),
        stream_(stream),
        columns_(columns),
        writer_(columns),
        summary_{.count = columns.count,
                 .bytes = columns.count * columns.common_size,
                 .largest = columns.common_size} {}

  // Launches as much as possible, from the first item on; nothing where another way is better.
  cudaError_t run(Reach reach) {
    if (!writer_.is_possible()) return cudaSuccess;
    const Plan planned =
        plan(summary_, bus_of(columns_.direction), calibration_of(state_), state_.overrides, reach);
    if (planned.way != Way::kKernel) return cudaSuccess;
    shape_.blocks = multiprocessors_for(summary_, state_.overrides);
    state_.ways.set_multiprocessors(multiprocessors_of(state_, shape_));
    const size_t first = shape_.blocks > 1 ? first_part_of(summary_) : summary_.count;
    const bool is_in_two = first < summary_.count;
    // Parts that run at the same time share the multiprocessors.
    if (is_in_two && state_.overlaps_kernels) shape_.blocks /= 2;
    cudaError_t error = first <= kMostInlinePairs ? run_inline(first) : run_listed(first);
    if (error == cudaSuccess && is_in_two && done_ > 0) {
      shape_.overlaps = state_.overlaps_kernels;
      error = run_listed(summary_.count - first);
    }
    if (done_ > 0) {
      state_.ways.count(planned.way, planned.reason, done_, done_ * columns_.common_size);
    }
    return error;
  }
  size_t done() const { return done_; }
  // The launch that completes last, if it has completion words.
  Ticket last() const { return last_; }

 private:
  cudaError_t run_inline(size_t count) {
    uint64_t words[kMostInlinePairs];
    if (writer_.write(count, words, PairWriter::Reader::kHost) != PairWriter::Result::kWritten) {
      return cudaSuccess;
    }
    done_ += count;
    const PairWork work{writer_.list_at(words), count};
    PairRing::Share share;
    if (done_ < summary_.count || !take_words(state_.pairs, share)) {
      return launch_inline_pairs(stream_, work, shape_);
    }
    return launch_with(share, [&](const DoneWords& done) {
      return launch_inline_pairs(stream_, work, shape_, done);
    });
  }

  cudaError_t run_listed(size_t count) {
    PairRing::Share share;
    const cudaError_t error = take_list(state_.pairs, stream_, share);
    if (error != cudaSuccess) return error;
    if (writer_.write(count, share.pairs, PairWriter::Reader::kGpu) !=
        PairWriter::Result::kWritten) {
      state_.pairs.give_back(share);
      return cudaSuccess;
    }
    done_ += count;
    return launch_with(share, [&](const DoneWords& done) {
      return launch_pairs(stream_, {writer_.list_at(share.pairs), count}, shape_, done);
    });
  }

  template <class Launch>
  cudaError_t launch_with(const PairRing::Share& share, Launch launch) {
    const cudaError_t error = launch(DoneWords{.words = share.done, .turn = share.turn});
    if (error == cudaSuccess) {
      last_ = state_.pairs.give_back_after(share, shape_.blocks);
    } else {
      state_.pairs.give_back(share);
    }
    return error;
  }

  TransferState& state_;
  const cudaStream_t stream_;
  const ferryx_columns& columns_;
  PairWriter writer_;
  const Summary summary_;
  KernelShape shape_;
  size_t done_ = 0;
  Ticket last_;
};

cudaError_t copy_part(TransferState& state, cudaStream_t stream, const ferryx_columns& columns,
                      Ticket& last) {
  const Reach reach = state.reach.of(columns.dst.storage, columns.src.storage);
  PairBatch pairs(state, stream, columns);
  const cudaError_t error = pairs.run(reach);
  last = pairs.last();
  if (error != cudaSuccess || pairs.done() == columns.count) return error;
  last = Ticket();
  return copy_as_columns(state, stream, bus_of(columns.direction), [&](ItemLists& lists) {
    gather(part_of(columns, pairs.done(), columns.count), lists);
    return reach;
  });
}

// Calls `copy` for parts of equal size, so that the last one is not just a few items.
template <class Copy>
cudaError_t in_parts(size_t count, size_t most, Copy copy) {
  const size_t parts = (count + most - 1) / most;
  cudaError_t error = cudaSuccess;
  for (size_t i = 0; i < parts && error == cudaSuccess; ++i)
    error = copy(count * i / parts, count * (i + 1) / parts);
  return error;
}

ferryx_copy item_of(const ferryx_columns& columns, size_t i) {
  const auto storage_of = [](const ferryx_memory& memory, const void* address) {
    const auto offset = static_cast<const char*>(address) - static_cast<char*>(memory.address);
    return static_cast<char*>(memory.storage) + offset;
  };
  return {.dst = columns.dsts[i],
          .src = columns.srcs[i],
          .size = columns.sizes[i],
          .dst_storage = storage_of(columns.dst, columns.dsts[i]),
          .src_storage = storage_of(columns.src, columns.srcs[i])};
}

// With an explicit kind CUDA looks nothing up. `direction` is the program's view: the device's view
// of registered memory, whose storage is elsewhere, is host memory for CUDA.
cudaMemcpyKind kind_of(const ferryx_copy& item, uint32_t direction) {
  const bool is_as_seen = item.dst == item.dst_storage && item.src == item.src_storage;
  if (!is_as_seen || !CurrentDevice::is_only_one || !is_over_bus(direction)) {
    return cudaMemcpyDefault;
  }
  return direction == FERRYX_HOST_TO_DEVICE ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
}

}  // namespace

const Calibration& calibration_of(TransferState& state) {
  std::call_once(state.is_calibrated, [&] { load_or_measure(state); });
  return state.calibration;
}

cudaError_t copy_one(TransferState& state, cudaStream_t stream, const ferryx_copy& item,
                     uint32_t direction) {
  state.ways.count(Way::kCopies, Reason::kSingle, 1, item.size);
  return copy_async(item.dst_storage, item.src_storage, item.size, kind_of(item, direction),
                    stream);
}

cudaError_t copy_batch(TransferState& state, cudaStream_t stream, const ferryx_copies& copies) {
  if (!is_over_bus(copies.direction)) {
    return in_parts(copies.count, 1, [&](size_t i, size_t) {
      return copy_one(state, stream, copies.items[i], copies.direction);
    });
  }
  return in_parts(copies.count, kMostItems, [&](size_t first, size_t end) {
    return copy_as_columns(state, stream, bus_of(copies.direction), [&](ItemLists& lists) {
      KnownExtents extents(find_extent, &state.reach);
      return gather({copies.items + first, end - first}, state.reach.judge(), extents, lists);
    });
  });
}

cudaError_t copy_batch(TransferState& state, cudaStream_t stream, const ferryx_columns& columns,
                       Ticket& last) {
  last = Ticket();
  if (columns.count == 1 || !is_over_bus(columns.direction)) {
    return in_parts(columns.count, 1, [&](size_t i, size_t) {
      return copy_one(state, stream, item_of(columns, i), columns.direction);
    });
  }
  static_assert(kMostPairs <= kMostItems);
  return in_parts(columns.count, kMostPairs, [&](size_t first, size_t end) {
    return copy_part(state, stream, part_of(columns, first, end), last);
  });
}

}  // namespace ferry::cuda
