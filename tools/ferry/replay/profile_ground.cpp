// SPDX-License-Identifier: Apache-2.0
// Memory and calls of the measurements.
#include "replay/profile_ground.h"

#include "replay/measure.h"
#include "replay/run_memory.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>

namespace ferry::tools::replay {
namespace {

using trace::Direction;
using trace::Memory;

constexpr size_t kAlignment = 4096;

}  // namespace

void require(const char* function, aclError code) {
  if (code != ACL_SUCCESS) throw CallFailed(failure_text(function, code));
}

double time_of(uint32_t rounds, const std::function<void()>& body,
               const std::function<void()>& after) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> times;
  for (uint32_t round = 0; round <= rounds; ++round) {
    const Clock::time_point begin = Clock::now();
    body();
    const std::chrono::duration<double, std::nano> passed = Clock::now() - begin;
    if (after) after();
    if (round > 0) times.push_back(passed.count());
  }
  return median_of(times);
}

Ground::Ground(int32_t device, Direction direction, Memory memory, uint64_t bytes)
    : device_(device), direction_(direction), memory_(memory), bytes_(bytes) {
  try {
    allocate();
  } catch (...) {
    release();
    throw;
  }
}

Ground::~Ground() {
  release();
}

void Ground::allocate() {
  is_in_ = direction_ == Direction::kHostToDevice || direction_ == Direction::kDeviceToDevice;
  kind_ = direction_ == Direction::kHostToDevice   ? ACL_MEMCPY_HOST_TO_DEVICE
          : direction_ == Direction::kDeviceToHost ? ACL_MEMCPY_DEVICE_TO_HOST
          : direction_ == Direction::kHostToHost   ? ACL_MEMCPY_HOST_TO_HOST
                                                   : ACL_MEMCPY_DEVICE_TO_DEVICE;
  dst_allocation_ = allocate_side(is_in_);
  src_allocation_ = allocate_side(direction_ == Direction::kDeviceToHost ||
                                  direction_ == Direction::kDeviceToDevice);
  dst_ = first_huge_page(dst_allocation_);
  src_ = first_huge_page(src_allocation_);
  for (aclrtStream& stream : streams_)
    require("aclrtCreateStream", aclrtCreateStream(&stream));
  require("aclrtCreateEvent", aclrtCreateEvent(&event_));
}

// Every page is written, so that no measurement meets one for the first time.
void* Ground::allocate_side(bool is_device) {
  void* address = nullptr;
  const uint64_t size = whole_huge_pages(bytes_);
  if (is_device) {
    require("aclrtMalloc", aclrtMalloc(&address, size, ACL_MEM_MALLOC_HUGE_FIRST));
    require("aclrtMemset", aclrtMemset(address, size, 1, size));
    return address;
  }
  if (memory_ == Memory::kPageable) {
    address = std::aligned_alloc(kAlignment, size);
    if (address == nullptr) throw CallFailed("the host has too little memory");
  } else {
    require("aclrtMallocHost", aclrtMallocHost(&address, size));
  }
  request_huge_pages(address, size);
  // Not all the same: some machines move such bytes faster.
  auto* const words = static_cast<uint64_t*>(address);
  for (uint64_t i = 0; i < size / sizeof(uint64_t); ++i)
    words[i] = (i + 1) * 0x9e3779b97f4a7c15U;
  return address;
}

void Ground::release() noexcept {
  if (event_ != nullptr) static_cast<void>(aclrtDestroyEvent(event_));
  for (const aclrtStream stream : streams_) {
    if (stream != nullptr) static_cast<void>(aclrtDestroyStream(stream));
  }
  const auto free_side = [this](void* address, bool is_device) {
    if (address == nullptr) return;
    if (is_device) {
      static_cast<void>(aclrtFree(address));
    } else if (memory_ == Memory::kPageable) {
      std::free(address);
    } else {
      static_cast<void>(aclrtFreeHost(address));
    }
  };
  free_side(dst_allocation_, is_in_);
  free_side(src_allocation_,
            direction_ == Direction::kDeviceToHost || direction_ == Direction::kDeviceToDevice);
}

void Ground::shape(uint64_t bytes, uint64_t footprint) {
  size_ = bytes;
  const uint64_t wanted = std::max<uint64_t>(1, footprint / 2 / bytes);
  blocks_ = std::clamp<uint64_t>(bytes_ / (2 * bytes), 1, wanted);
  block_ = 0;
}

uint64_t Ground::next() {
  const uint64_t offset = 2 * size_ * block_;
  block_ = (block_ + 1) % blocks_;
  return offset;
}

void Ground::submit(uint64_t offset, uint32_t stream) {
  require("aclrtMemcpyAsync",
          aclrtMemcpyAsync(dst_ + offset, size_, src_ + offset, size_, kind_, streams_[stream]));
}

void Ground::call() {
  const uint64_t offset = next();
  require("aclrtMemcpy", aclrtMemcpy(dst_ + offset, size_, src_ + offset, size_, kind_));
}

void Ground::prepare_batch(uint32_t items) {
  targets_.clear();
  sources_.clear();
  for (uint32_t i = 0; i < items; ++i) {
    const uint64_t offset = next();
    targets_.push_back(dst_ + offset);
    sources_.push_back(src_ + offset);
  }
  sizes_.assign(items, size_);
}

void Ground::batch() {
  aclrtMemcpyBatchAttr attribute{};
  attribute.dstLoc.type = is_in_ ? ACL_MEM_LOCATION_TYPE_DEVICE : ACL_MEM_LOCATION_TYPE_HOST;
  attribute.srcLoc.type = is_in_ ? ACL_MEM_LOCATION_TYPE_HOST : ACL_MEM_LOCATION_TYPE_DEVICE;
  (is_in_ ? attribute.dstLoc : attribute.srcLoc).id = static_cast<uint32_t>(device_);
  size_t first = 0;
  size_t at_fault = 0;
  require("aclrtMemcpyBatchAsync",
          aclrtMemcpyBatchAsync(targets_.data(), sizes_.data(), sources_.data(), sizes_.data(),
                                sizes_.size(), &attribute, &first, 1, &at_fault, streams_[0]));
}

void Ground::synchronize(uint32_t stream) const {
  require("aclrtSynchronizeStream", aclrtSynchronizeStream(streams_[stream]));
}

}  // namespace ferry::tools::replay
