// SPDX-License-Identifier: Apache-2.0
// Copies and fills that are complete when the call returns.
#include "backends/cuda/plugin/services.h"
#include "backends/cuda/transfer/transfers_state.h"

#include <algorithm>
#include <atomic>

namespace ferry::cuda {
namespace {

// Up to this size CUDA's own staging of pageable memory is as fast as ours.
constexpr uint64_t kDirectBytes = 65536;
// A smaller host copy is done before another thread has woken up to help.
constexpr uint64_t kLeastSharedBytes = uint64_t{4} << 20;

bool overlaps(const ferryx_copy& item) {
  const auto dst = reinterpret_cast<uint64_t>(item.dst_storage);
  const auto src = reinterpret_cast<uint64_t>(item.src_storage);
  return dst < src + item.size && src < dst + item.size;
}

ferryx_copy part_of(const ferryx_copy& item, uint64_t offset, uint64_t size) {
  ferryx_copy part = item;
  part.dst_storage = static_cast<char*>(item.dst_storage) + offset;
  part.src_storage = static_cast<const char*>(item.src_storage) + offset;
  part.size = size;
  return part;
}

// Returns nullptr, or an address that cannot be accessed.
const void* copy_on_host(CopyThreads& threads, const ferryx_copy& item) {
  if (item.size < kLeastSharedBytes || overlaps(item)) return move_bytes(&item, 1);
  std::atomic<uint64_t> next{0};  // a piece belongs to the thread that advanced it
  std::atomic<const void*> fault{nullptr};
  threads.run(threads.most(), [&](uint32_t /*lane*/) {
    for (uint64_t at = next.fetch_add(kPieceBytes); at < item.size && fault.load() == nullptr;
         at = next.fetch_add(kPieceBytes)) {
      const ferryx_copy piece = part_of(item, at, std::min(kPieceBytes, item.size - at));
      if (const void* const found = move_bytes(&piece, 1)) fault.store(found);
    }
  });
  return fault.load();
}

const void* host_side(const ferryx_copy& item, uint32_t direction) {
  return direction == FERRYX_HOST_TO_DEVICE ? item.src_storage : item.dst_storage;
}

uint64_t bytes_of(const ferryx_copies& copies) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < copies.count; ++i)
    bytes += copies.items[i].size;
  return bytes;
}

// The runtime keeps pinned and pageable items of a batch apart: the first item stands for all.
bool needs_staging(const ferryx_copies& copies) {
  if (copies.direction == FERRYX_DEVICE_TO_DEVICE) return false;
  if (copies.count == 1 && copies.items->size <= kDirectBytes) return false;
  return kind_of_host(host_side(*copies.items, copies.direction)) == HostKind::kPageable;
}

std::vector<ferryx_copy> rows_of(const ferryx_rows& copy, uint64_t first, uint64_t count) {
  std::vector<ferryx_copy> rows;
  rows.reserve(count);
  for (uint64_t row = first; row < first + count; ++row) {
    ferryx_copy item = copy.corner;
    item.dst_storage = static_cast<char*>(item.dst_storage) + row * copy.dst_pitch;
    item.src_storage = static_cast<const char*>(item.src_storage) + row * copy.src_pitch;
    rows.push_back(item);
  }
  return rows;
}

}  // namespace

// The host takes part: by itself, or by filling and emptying staging buffers.
cudaError_t Transfers::copy_through_host(const ferryx_copies& copies, const void*& fault) {
  if (copies.direction != FERRYX_HOST_TO_HOST) {
    state_->ways.count(Way::kStaged, Reason::kPageable, copies.count, bytes_of(copies));
    return state_->pageable->copy(copies, fault);
  }
  for (size_t i = 0; i < copies.count && fault == nullptr; ++i)
    fault = copy_on_host(state_->threads, copies.items[i]);
  return cudaSuccess;
}

cudaError_t Transfers::copy_now(const ferryx_copies& copies, const void*& fault) {
  if (copies.direction == FERRYX_HOST_TO_HOST || needs_staging(copies)) {
    return copy_through_host(copies, fault);
  }
  return state_->streams.run([&](cudaStream_t stream) { return copy(stream, copies); });
}

cudaError_t Transfers::copy_2d_now(const ferryx_rows& rows, const void*& fault) {
  const bool is_on_host = rows.direction == FERRYX_HOST_TO_HOST;
  const bool is_pageable =
      is_on_host || (rows.direction != FERRYX_DEVICE_TO_DEVICE &&
                     kind_of_host(host_side(rows.corner, rows.direction)) == HostKind::kPageable);
  if (!is_pageable) {
    return state_->streams.run([&](cudaStream_t stream) { return copy_2d(stream, rows); });
  }
  constexpr uint64_t kRowsAtOnce = 65536;
  for (uint64_t first = 0; first < rows.height; first += kRowsAtOnce) {
    const std::vector<ferryx_copy> items =
        rows_of(rows, first, std::min(kRowsAtOnce, rows.height - first));
    const cudaError_t error = copy_through_host(
        {.items = items.data(), .count = items.size(), .direction = rows.direction, .flags = 0},
        fault);
    if (error != cudaSuccess || fault != nullptr) return error;
  }
  return cudaSuccess;
}

cudaError_t Transfers::fill_now(const ferryx_fill& wanted) {
  return state_->streams.run([&](cudaStream_t stream) { return fill(stream, wanted); });
}

}  // namespace ferry::cuda
