// SPDX-License-Identifier: Apache-2.0
// AscendCL calls.
#include "bench/cuda/ferry_lane.h"

namespace ferry::bench::cuda {
namespace {

constexpr aclrtMemcpyKind kInner = ACL_MEMCPY_INNER_DEVICE_TO_DEVICE;
// Offsets of the stored addresses. No descriptor is longer than 64 bytes.
constexpr size_t kTargetPointer = 64;
constexpr size_t kSourcePointer = 72;
constexpr size_t kDescribedBytes = 128;

aclrtMemcpyKind kind_of(Direction direction) {
  switch (direction) {
    case Direction::kIn:
      return ACL_MEMCPY_HOST_TO_DEVICE;
    case Direction::kOut:
      return ACL_MEMCPY_DEVICE_TO_HOST;
    case Direction::kInside:
      return ACL_MEMCPY_DEVICE_TO_DEVICE;
  }
  return ACL_MEMCPY_DEFAULT;
}

aclrtMemLocation location(bool is_on_device) {
  return {0, is_on_device ? ACL_MEM_LOCATION_TYPE_DEVICE : ACL_MEM_LOCATION_TYPE_HOST};
}

}  // namespace

FerryLane::FerryLane(size_t bytes)
    : Lane(bytes),
      host_(Buffer::Place::kPinned, bytes),
      device_(Buffer::Place::kDevice, 2 * bytes),
      described_(Buffer::Place::kDevice, kDescribedBytes) {}

void FerryLane::copy(std::byte* to, const std::byte* from, size_t bytes, Direction direction) {
  check(aclrtMemcpyAsync(to, bytes, from, bytes, kind_of(direction), stream_.handle()));
}

void FerryLane::batch(Blocks& blocks, Direction direction) {
  aclrtMemcpyBatchAttr attribute{};
  attribute.srcLoc = location(direction != Direction::kIn);
  attribute.dstLoc = location(direction != Direction::kOut);
  size_t first = 0;
  size_t fail_index = 0;
  check(aclrtMemcpyBatchAsync(blocks.to.data(), blocks.sizes.data(), blocks.from.data(),
                              blocks.sizes.data(), blocks.sizes.size(), &attribute, &first, 1,
                              &fail_index, stream_.handle()));
}

void FerryLane::describe(size_t bytes) {
  std::byte* const source = this->source(Direction::kInside);
  std::byte* const target = this->target(Direction::kInside);
  check(aclrtSetMemcpyDesc(described_.at(0), kInner, source, target, bytes, nullptr));
  std::byte* const stored[] = {target, source};
  static_assert(sizeof stored == kSourcePointer + sizeof(void*) - kTargetPointer);
  check(aclrtMemcpy(described_.at(kTargetPointer), sizeof stored, stored, sizeof stored,
                    ACL_MEMCPY_HOST_TO_DEVICE));
  described_bytes_ = bytes;
}

void FerryLane::copy_described() {
  check(aclrtMemcpyAsyncWithDesc(described_.at(0), kInner, stream_.handle()));
}

void FerryLane::copy_by_stored_addresses() {
  check(aclrtMemcpyAsyncWithOffset(reinterpret_cast<void**>(described_.at(kTargetPointer)),
                                   described_bytes_, 0,
                                   reinterpret_cast<const void**>(described_.at(kSourcePointer)),
                                   described_bytes_, 0, kInner, stream_.handle()));
}

void FerryLane::copy_rows(const Rows& rows) {
  check(aclrtMemcpy2dAsync(target(Direction::kInside), rows.pitch, source(Direction::kInside),
                           rows.pitch, rows.width, rows.height, ACL_MEMCPY_DEVICE_TO_DEVICE,
                           stream_.handle()));
}

}  // namespace ferry::bench::cuda
