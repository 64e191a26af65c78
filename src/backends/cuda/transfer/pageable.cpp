// SPDX-License-Identifier: Apache-2.0
// Each thread takes the next piece of a job when it is free.
#include "backends/cuda/transfer/pageable.h"

#include "backends/cuda/plugin/cuda_call.h"
#include "backends/cuda/plugin/services.h"

#include <algorithm>

namespace ferry::cuda {

struct PageableCopies::Job {
  const ferryx_copies& copies;
  std::vector<Piece> pieces;
  HostSide host;
  // A piece belongs to the thread whose increment returned its index.
  std::atomic<size_t> next{0};
  // The first error of any thread; once it is set no new piece is taken.
  std::atomic<cudaError_t> error{cudaSuccess};
  // The same for an address that cannot be accessed.
  std::atomic<const void*> fault{nullptr};

  const Piece* take() {
    if (error.load(std::memory_order_relaxed) != cudaSuccess) return nullptr;
    if (fault.load(std::memory_order_relaxed) != nullptr) return nullptr;
    const size_t index = next.fetch_add(1, std::memory_order_relaxed);
    return index < pieces.size() ? &pieces[index] : nullptr;
  }
  std::span<const ferryx_copy> items() const { return {copies.items, copies.count}; }
};

PageableCopies::PageableCopies(int device, CopyThreads& threads, QueueCopies queue_copies)
    : device_(device),
      threads_(threads),
      queue_copies_(std::move(queue_copies)),
      lanes_(threads.most()) {}

cudaError_t PageableCopies::copy(const ferryx_copies& copies, const void*& fault) {
  Job job{.copies = copies,
          .pieces = cut_pieces({copies.items, copies.count}),
          .host = copies.direction == FERRYX_HOST_TO_DEVICE ? HostSide::kSource
                                                            : HostSide::kDestination};
  if (job.pieces.empty()) return cudaSuccess;
  const auto lanes = static_cast<uint32_t>(std::min(job.pieces.size(), lanes_.size()));
  threads_.run(lanes, [&](uint32_t index) {
    const cudaError_t error = run(lanes_[index], job);
    cudaError_t none = cudaSuccess;
    if (error != cudaSuccess) job.error.compare_exchange_strong(none, error);
  });
  fault = job.fault.load();
  return job.error.load();
}

cudaError_t PageableCopies::open(Lane& lane) {
  if (lane.buffers[1].done != nullptr) return cudaSuccess;
  cudaError_t error = cudaSuccess;
  if (lane.stream == nullptr) {
    error = cudaStreamCreateWithFlags(&lane.stream, cudaStreamNonBlocking);
  }
  for (auto& buffer : lane.buffers) {
    if (error == cudaSuccess && buffer.memory == nullptr) {
      error = cudaHostAlloc(reinterpret_cast<void**>(&buffer.memory), kPieceBuffer,
                            cudaHostAllocPortable | cudaHostAllocMapped);
    }
    if (error == cudaSuccess && buffer.done == nullptr) {
      error = cudaEventCreateWithFlags(&buffer.done, cudaEventDisableTiming);
    }
  }
  return error;
}

cudaError_t PageableCopies::run(Lane& lane, Job& job) {
  cudaError_t error = cudaSetDevice(device_);  // a helper thread has none yet
  if (error == cudaSuccess) error = open(lane);
  if (error == cudaSuccess) {
    error = job.host == HostSide::kSource ? send(lane, job) : receive(lane, job);
  }
  // Also after a failure: queued work must not access memory that the caller gets back.
  const cudaError_t ended = lane.stream == nullptr
                                ? cudaSuccess
                                : insist([&] { return cudaStreamSynchronize(lane.stream); });
  return error != cudaSuccess ? error : ended;
}

cudaError_t PageableCopies::send(Lane& lane, Job& job) {
  size_t turn = 0;
  for (const Piece* piece = job.take(); piece != nullptr; piece = job.take(), turn ^= 1) {
    auto& buffer = lane.buffers[turn];
    cudaError_t error = cudaEventSynchronize(buffer.done);  // returns at once when never recorded
    if (error != cudaSuccess) return error;
    lay_out(job.items(), *piece, job.host, buffer.memory, buffer.parts);
    if (!move(lane, turn, job)) return cudaSuccess;
    error = queue(lane, turn, job);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

cudaError_t PageableCopies::receive(Lane& lane, Job& job) {
  bool is_waiting = false;  // the other buffer is in flight
  for (size_t turn = 0;; turn ^= 1) {
    const Piece* piece = job.take();
    if (piece != nullptr) {
      auto& buffer = lane.buffers[turn];
      lay_out(job.items(), *piece, job.host, buffer.memory, buffer.parts);
      if (const cudaError_t error = queue(lane, turn, job); error != cudaSuccess) return error;
    }
    if (is_waiting) {
      auto& arrived = lane.buffers[turn ^ 1];
      const cudaError_t error = cudaEventSynchronize(arrived.done);
      if (error != cudaSuccess) return error;
      if (!move(lane, turn ^ 1, job)) return cudaSuccess;
    }
    if (piece == nullptr) return cudaSuccess;
    is_waiting = true;
  }
}

// Between the program's memory and a buffer. False when the program's memory cannot be accessed.
bool PageableCopies::move(Lane& lane, size_t buffer, Job& job) {
  const bool to_device = job.host == HostSide::kSource;
  lane.moved.clear();
  for (const Part& part : lane.buffers[buffer].parts) {
    char* dst = to_device ? part.staged : part.host;
    char* src = to_device ? part.host : part.staged;
    lane.moved.push_back(
        {.dst = dst, .src = src, .size = part.size, .dst_storage = dst, .src_storage = src});
  }
  const void* const fault = move_bytes(lane.moved.data(), lane.moved.size());
  if (fault != nullptr) job.fault.store(fault);
  return fault == nullptr;
}

cudaError_t PageableCopies::queue(Lane& lane, size_t buffer, const Job& job) {
  const bool to_device = job.host == HostSide::kSource;
  lane.queued.clear();
  for (const Part& part : lane.buffers[buffer].parts) {
    char* dst = to_device ? part.device : part.staged;
    char* src = to_device ? part.staged : part.device;
    lane.queued.push_back(
        {.dst = dst, .src = src, .size = part.size, .dst_storage = dst, .src_storage = src});
  }
  const cudaError_t error = queue_copies_(lane.stream, {.items = lane.queued.data(),
                                                        .count = lane.queued.size(),
                                                        .direction = job.copies.direction,
                                                        .flags = 0});
  return error != cudaSuccess ? error : cudaEventRecord(lane.buffers[buffer].done, lane.stream);
}

}  // namespace ferry::cuda
