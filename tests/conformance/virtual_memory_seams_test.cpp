// SPDX-License-Identifier: Apache-2.0
// Copies and sets cross from one mapping of a reservation into the next, whatever is mapped there.
#include "support/range_forms.h"

#include <algorithm>

namespace conformance::virtual_memory::virtual_memory_seams_test {
namespace {

// A range of a region of three granules that crosses both seams.
constexpr size_t kStart = kGranule - 1000;
constexpr size_t kCount = kGranule + 2000;

class VirtualMemorySeams : public WithStream {
 protected:
  void SetUp() override {
    WithStream::SetUp();
    region_ = std::make_unique<Region>(3);
    region_->fill(1);
  }
  void TearDown() override {
    region_.reset();
    WithStream::TearDown();
  }

  // The bytes of the region after `bytes` were written at `offset`.
  static std::vector<uint8_t> with(const std::vector<uint8_t>& bytes, size_t offset) {
    std::vector<uint8_t> all = pattern(3 * kGranule, 1);
    std::ranges::copy(bytes, all.begin() + static_cast<ptrdiff_t>(offset));
    return all;
  }
  static std::vector<uint8_t> part(size_t offset, size_t count) {
    const std::vector<uint8_t> all = pattern(3 * kGranule, 1);
    const auto begin = all.begin() + static_cast<ptrdiff_t>(offset);
    return {begin, begin + static_cast<ptrdiff_t>(count)};
  }

  std::unique_ptr<Region> region_;
};

TEST_F(VirtualMemorySeams, AreCrossedOnTheWayToTheDevice) {
  PinnedBuffer host(kCount);
  host.fill(pattern(kCount, 2));
  for (const CopyForm& form : kCopyForms) {
    SCOPED_TRACE(form.name);
    region_->fill(1);
    EXPECT_OK(form.copy(region_->at(kStart), host.get(), kCount, true, stream_));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_TRUE(region_->read() == with(pattern(kCount, 2), kStart));
  }
}

TEST_F(VirtualMemorySeams, AreCrossedOnTheWayToTheHost) {
  for (const CopyForm& form : kCopyForms) {
    SCOPED_TRACE(form.name);
    PinnedBuffer host(kCount);
    EXPECT_OK(form.copy(host.get(), region_->at(kStart), kCount, false, stream_));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_TRUE(host.copy() == part(kStart, kCount));
  }
}

TEST_F(VirtualMemorySeams, AreCrossedFromAndToPageableMemory) {
  for (const CopyForm& form : kCopyForms) {
    SCOPED_TRACE(form.name);
    const std::vector<uint8_t> sent = pattern(kCount, 3);
    std::vector<uint8_t> received(kCount);
    region_->fill(1);
    EXPECT_OK(form.copy(region_->at(kStart), sent.data(), kCount, true, stream_));
    EXPECT_TRUE(region_->read() == with(sent, kStart));
    EXPECT_OK(form.copy(received.data(), region_->at(kStart), kCount, false, stream_));
    EXPECT_TRUE(sent == received);
  }
}

TEST_F(VirtualMemorySeams, AreCrossedByBothSidesOfACopyInsideTheDevice) {
  const size_t source = kGranule - 700;
  const size_t target = 2 * kGranule - 300;
  const Descriptions descriptions;
  for (const DeviceCopyForm& form : kDeviceCopyForms) {
    SCOPED_TRACE(form.name);
    region_->fill(1);
    EXPECT_OK(form.copy(region_->at(target), region_->at(source), 1001, descriptions, stream_));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_TRUE(region_->read() == with(part(source, 1001), target));
  }
}

TEST_F(VirtualMemorySeams, AreCrossedBetweenAReservationAndOtherMemory) {
  DeviceBuffer other(kCount);
  const Descriptions descriptions;
  for (const DeviceCopyForm& form : kDeviceCopyForms) {
    SCOPED_TRACE(form.name);
    other.write(pattern(kCount, 4));
    region_->fill(1);
    EXPECT_OK(form.copy(other.get(), region_->at(kStart), kCount, descriptions, stream_));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_TRUE(other.read() == part(kStart, kCount));
    other.write(pattern(kCount, 5));
    EXPECT_OK(form.copy(region_->at(kStart), other.get(), kCount, descriptions, stream_));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_TRUE(region_->read() == with(pattern(kCount, 5), kStart));
  }
}

TEST_F(VirtualMemorySeams, AreCrossedByCallsThatSetMemory) {
  for (const SetForm& form : kSetForms) {
    SCOPED_TRACE(form.name);
    region_->fill(1);
    EXPECT_OK(form.set(region_->at(kStart), kCount, stream_));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_TRUE(region_->read() == with(std::vector<uint8_t>(kCount, 0x2b), kStart));
  }
}

TEST_F(VirtualMemorySeams, AreCrossedInsideSingleRows) {
  const size_t width = 2000;
  PinnedBuffer host(2 * width);
  host.fill(pattern(2 * width, 2));
  std::vector<uint8_t> expected = pattern(3 * kGranule, 1);
  for (const size_t row : {0, 1}) {
    std::copy_n(host.bytes() + row * width, width,
                expected.begin() + static_cast<ptrdiff_t>(kStart + row * kGranule));
  }
  for (const bool is_queued : {false, true}) {
    region_->fill(1);
    if (is_queued) {
      EXPECT_OK(aclrtMemcpy2dAsync(region_->at(kStart), kGranule, host.get(), width, width, 2,
                                   ACL_MEMCPY_HOST_TO_DEVICE, stream_));
      EXPECT_OK(aclrtSynchronizeStream(stream_));
    } else {
      EXPECT_OK(aclrtMemcpy2d(region_->at(kStart), kGranule, host.get(), width, width, 2,
                              ACL_MEMCPY_HOST_TO_DEVICE));
    }
    EXPECT_TRUE(region_->read() == expected);
    PinnedBuffer back(2 * width);
    EXPECT_OK(aclrtMemcpy2d(back.get(), width, region_->at(kStart), kGranule, width, 2,
                            ACL_MEMCPY_DEVICE_TO_HOST));
    EXPECT_EQ(host.copy(), back.copy());
  }
}

// Each of many items lies somewhere else: inside a granule, at its end, across a seam.
TEST_F(VirtualMemorySeams, AreCrossedBySomeItemsOfABatch) {
  constexpr size_t kItems = 64;
  constexpr size_t kSize = 4096;
  const size_t stride = 3 * kGranule / kItems;
  PinnedBuffer host(kItems * kSize);
  host.fill(pattern(kItems * kSize, 2));
  std::vector<uint8_t> expected = pattern(3 * kGranule, 1);
  std::vector<void*> dsts;
  std::vector<void*> srcs;
  std::vector<size_t> sizes(kItems, kSize);
  for (size_t i = 0; i < kItems; ++i) {
    const size_t offset = std::min(i * stride + stride - kSize / 2, 3 * kGranule - kSize);
    dsts.push_back(region_->at(offset));
    srcs.push_back(host.bytes() + i * kSize);
    std::copy_n(host.bytes() + i * kSize, kSize, expected.begin() + static_cast<ptrdiff_t>(offset));
  }
  aclrtMemcpyBatchAttr attr = {};
  attr.dstLoc = on_device();
  attr.srcLoc = on_host();
  size_t first = 0;
  for (const copies::BatchForm& form : copies::kBatchForms) {
    SCOPED_TRACE(form.name);
    region_->fill(1);
    size_t fail_index = 0;
    EXPECT_OK(copies::call_batch(form, {dsts.data(), sizes.data(), srcs.data(), sizes.data(),
                                        kItems, &attr, &first, 1, &fail_index, stream_}));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_TRUE(region_->read() == expected);
  }
}

TEST_F(VirtualMemorySeams, AreCrossedByDescriptorsThatLieInMappedMemory) {
  const size_t source = kGranule - 300;
  const size_t target = 2 * kGranule - 300;
  void* const descriptor = region_->at();
  const aclrtMemcpyKind kind = ACL_MEMCPY_INNER_DEVICE_TO_DEVICE;
  EXPECT_OK(
      aclrtSetMemcpyDesc(descriptor, kind, region_->at(source), region_->at(target), 600, nullptr));
  EXPECT_OK(aclrtMemcpyAsyncWithDesc(descriptor, kind, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_TRUE(bytes_at(region_->at(target), 600) == part(source, 600));
}

// Aliases side by side: the bytes of one handle, twice.
TEST_F(VirtualMemorySeams, AreCrossedBetweenAliases) {
  const Reservation reservation(2 * kGranule);
  const Physical memory;
  const Mapping first(reservation.at(), kGranule, memory);
  const Mapping second(reservation.at(kGranule), kGranule, memory);
  EXPECT_OK(copy_to_device(reservation.at(), pattern(kGranule, 3)));
  std::vector<uint8_t> expected = pattern(kGranule, 3);
  const std::vector<uint8_t> once = expected;
  expected.insert(expected.end(), once.begin(), once.end());
  EXPECT_TRUE(bytes_at(reservation.at(), 2 * kGranule) == expected);
}

TEST_F(VirtualMemorySeams, AreCrossedBetweenMappingsOfAllSizesInAnyOrder) {
  const Reservation reservation(10 * kGranule);
  const Physical one(kGranule);
  const Physical three(3 * kGranule);
  const Physical four(4 * kGranule);
  const Mapping last(reservation.at(6 * kGranule), 4 * kGranule, four);
  const Mapping middle(reservation.at(3 * kGranule), 3 * kGranule, three);
  const Mapping before(reservation.at(2 * kGranule), kGranule, one);
  EXPECT_OK(copy_to_device(reservation.at(2 * kGranule), pattern(8 * kGranule, 3)));
  EXPECT_TRUE(holds(reservation.at(2 * kGranule), 8 * kGranule, 3));
}

TEST_F(VirtualMemorySeams, AreCrossedByLargeCopies) {
  Region region(40);
  PinnedBuffer host(region.size());
  host.fill(pattern(region.size(), 3));
  EXPECT_OK(aclrtMemcpyAsync(region.at(), region.size(), host.get(), region.size(),
                             ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  PinnedBuffer back(region.size());
  EXPECT_OK(aclrtMemcpyAsync(back.get(), region.size(), region.at(), region.size(),
                             ACL_MEMCPY_DEVICE_TO_HOST, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_TRUE(host.copy() == back.copy());
}

}  // namespace
}  // namespace conformance::virtual_memory::virtual_memory_seams_test
