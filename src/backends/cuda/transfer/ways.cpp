// SPDX-License-Identifier: Apache-2.0
// The counters and their texts.
#include "backends/cuda/transfer/ways.h"

namespace ferry::cuda {

const char* name_of(Way way) {
  switch (way) {
    case Way::kCopies:
      return "copy";
    case Way::kBatch:
      return "batched copy";
    case Way::kKernel:
      return "kernel";
    case Way::kStaged:
      return "staged";
  }
  return "";
}

const char* text_of(Reason reason) {
  switch (reason) {
    case Reason::kNone:
      return "";
    case Reason::kSingle:
      return "one item";
    case Reason::kCheapest:
      return "cheapest for this size and count";
    case Reason::kLarge:
      return "large items";
    case Reason::kForced:
      return "FERRY_CUDA_BATCH asks for it";
    case Reason::kOutOfReach:
      return "memory that kernels of this device cannot access";
    case Reason::kPageable:
      return "pageable memory";
    case Reason::kCaptured:
      return "the source is taken during the call";
    case Reason::kRows:
      return "rows of a 2D copy";
    case Reason::kReadOnDevice:
      return "addresses are read on the device";
  }
  return "";
}

void WayCounters::count(Way way, Reason reason, uint64_t items, uint64_t bytes) {
  Counter& counter = counters_[static_cast<size_t>(way)];
  counter.tasks.fetch_add(1, std::memory_order_relaxed);
  if (items != 1) counter.more_items.fetch_add(items - 1, std::memory_order_relaxed);
  counter.bytes.fetch_add(bytes, std::memory_order_relaxed);
  counter.reason.store(reason, std::memory_order_relaxed);
}

WayReport WayCounters::report(Way way) const {
  const Counter& counter = counters_[static_cast<size_t>(way)];
  const uint64_t tasks = counter.tasks.load(std::memory_order_relaxed);
  return {.name = name_of(way),
          .reason = text_of(counter.reason.load(std::memory_order_relaxed)),
          .tasks = tasks,
          .items = tasks + counter.more_items.load(std::memory_order_relaxed),
          .bytes = counter.bytes.load(std::memory_order_relaxed),
          .multiprocessors =
              way == Way::kKernel ? multiprocessors_.load(std::memory_order_relaxed) : 0};
}

}  // namespace ferry::cuda
