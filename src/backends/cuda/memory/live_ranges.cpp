// SPDX-License-Identifier: Apache-2.0
// Versions of the table of live ranges, and the kernels that still read them.
#include "backends/cuda/memory/live_ranges.h"

#include "backends/cuda/plugin/cuda_call.h"

#include <algorithm>

namespace ferry::cuda {
namespace {

constexpr size_t kLeastCapacity = 1024;
// Number of reader events at which completed ones are collected.
constexpr size_t kManyUsers = 16;

}  // namespace

bool LiveRanges::is_of(uint64_t epoch) {
  const std::lock_guard lock(mutex_);
  return epoch == epoch_;
}

void LiveRanges::update(const std::vector<ferryx_memory>& ranges, uint64_t epoch) {
  std::vector<Range> table = make_table(ranges);
  const std::lock_guard lock(mutex_);
  ranges_ = std::move(table);
  epoch_ = epoch;
  is_sent_ = false;
}

cudaError_t LiveRanges::lease(cudaStream_t stream, Lease& lease) {
  const std::lock_guard lock(mutex_);
  if (!is_sent_) {
    if (const cudaError_t error = send(stream); error != cudaSuccess) return error;
  }
  Version& version = *versions_[current_];
  // The upload may have been queued on another stream.
  if (const cudaError_t error = cudaStreamWaitEvent(stream, version.sent); error != cudaSuccess) {
    return error;
  }
  ++version.leases;
  lease = {version.on_device, version.count, current_};
  return cudaSuccess;
}

cudaError_t LiveRanges::done_with(const Lease& lease, cudaStream_t stream) {
  const std::lock_guard lock(mutex_);
  Version& version = *versions_[lease.version];
  const cudaError_t error = add_user(version, stream);
  // Without the event only an idle stream shows that the table is no longer read.
  if (error != cudaSuccess) insist([&] { return cudaStreamSynchronize(stream); });
  --version.leases;
  return error;
}

cudaError_t LiveRanges::add_user(Version& version, cudaStream_t stream) {
  if (version.users.size() >= kManyUsers) {
    if (const cudaError_t error = forget_finished(version); error != cudaSuccess) return error;
  }
  cudaEvent_t event = nullptr;
  if (const cudaError_t error = take_event(event); error != cudaSuccess) return error;
  version.users.push_back(event);
  return cudaEventRecord(event, stream);
}

cudaError_t LiveRanges::send(cudaStream_t stream) {
  size_t index = 0;
  if (const cudaError_t error = find_unused(index); error != cudaSuccess) return error;
  Version& version = *versions_[index];
  if (const cudaError_t error = reserve(version, ranges_.size()); error != cudaSuccess) {
    return error;
  }
  std::copy(ranges_.begin(), ranges_.end(), version.staged);
  version.count = static_cast<uint32_t>(ranges_.size());
  cudaError_t error = cudaMemcpyAsync(version.on_device, version.staged,
                                      ranges_.size() * sizeof(Range), cudaMemcpyDefault, stream);
  if (error == cudaSuccess) error = cudaEventRecord(version.sent, stream);
  if (error != cudaSuccess) {
    // Without the event only an idle stream shows that the upload is over.
    insist([&] { return cudaStreamSynchronize(stream); });
    return error;
  }
  current_ = index;
  is_sent_ = true;
  return cudaSuccess;
}

cudaError_t LiveRanges::find_unused(size_t& index) {
  for (index = 0; index < versions_.size(); ++index) {
    Version& version = *versions_[index];
    if (const cudaError_t error = forget_finished(version); error != cudaSuccess) return error;
    // An upload may be in flight even when there are no readers.
    const cudaError_t sent = cudaEventQuery(version.sent);
    if (sent != cudaSuccess && sent != cudaErrorNotReady) return sent;
    if (sent == cudaSuccess && version.users.empty() && version.leases == 0) return cudaSuccess;
  }
  auto version = std::make_unique<Version>();
  const cudaError_t error = cudaEventCreateWithFlags(&version->sent, cudaEventDisableTiming);
  if (error == cudaSuccess) versions_.push_back(std::move(version));
  return error;
}

cudaError_t LiveRanges::forget_finished(Version& version) {
  for (size_t i = version.users.size(); i-- > 0;) {
    const cudaError_t state = cudaEventQuery(version.users[i]);
    if (state == cudaErrorNotReady) continue;
    if (state != cudaSuccess) return state;
    free_events_.push_back(version.users[i]);
    version.users[i] = version.users.back();
    version.users.pop_back();
  }
  return cudaSuccess;
}

// Only for a version that has no readers.
cudaError_t LiveRanges::reserve(Version& version, size_t count) {
  if (count <= version.capacity) return cudaSuccess;
  cudaFree(version.on_device);
  cudaFreeHost(version.staged);
  version.on_device = nullptr;
  version.staged = nullptr;
  version.capacity = 0;
  const size_t capacity = std::max(kLeastCapacity, 2 * count);
  cudaError_t error =
      cudaMalloc(reinterpret_cast<void**>(&version.on_device), capacity * sizeof(Range));
  if (error != cudaSuccess) return error;
  error = cudaHostAlloc(reinterpret_cast<void**>(&version.staged), capacity * sizeof(Range),
                        cudaHostAllocPortable);
  if (error == cudaSuccess) version.capacity = capacity;
  return error;
}

cudaError_t LiveRanges::take_event(cudaEvent_t& event) {
  if (free_events_.empty()) return cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  event = free_events_.back();
  free_events_.pop_back();
  return cudaSuccess;
}

}  // namespace ferry::cuda
