// SPDX-License-Identifier: Apache-2.0
// Copies and sets never touch a hole in a reservation, nor cross from one reservation into another.
#include "support/range_forms.h"

namespace conformance::virtual_memory::virtual_memory_holes_test {
namespace {

// A range that leaves mapped memory.
struct Bad {
  const char* what;
  char* start;
  size_t count;
};

// Three granules of which the second is not mapped, and a reservation that touches the end.
class VirtualMemoryHoles : public WithStream {
 protected:
  void SetUp() override {
    WithStream::SetUp();
    region_ = std::make_unique<Region>(3);
    region_->fill(1);
    region_->unmap(1);
  }
  void TearDown() override {
    region_.reset();
    WithStream::TearDown();
  }

  std::vector<Bad> bad_ranges() const {
    return {{"into the hole", region_->at(kGranule - 100), 104},
            {"across the hole", region_->at(kGranule - 100), kGranule + 200},
            {"one byte too many", region_->at(), kGranule + 4},
            {"beyond the end", region_->at(3 * kGranule - 100), 200}};
  }

  // The mapped granules still have their bytes.
  void expect_unchanged() const {
    const std::vector<uint8_t> all = pattern(3 * kGranule, 1);
    for (const size_t i : {0, 2}) {
      const auto begin = all.begin() + static_cast<ptrdiff_t>(i * kGranule);
      EXPECT_TRUE(std::vector<uint8_t>(begin, begin + kGranule) ==
                  bytes_at(region_->at(i * kGranule), kGranule));
    }
  }

  // The call fails with 107000, or later with 507001.
  void expect_fails(const char* name, bool is_queued, aclError code) {
    if (is_queued) {
      EXPECT_TRUE(succeeds(name, code));
      EXPECT_TRUE(copies::task_failed(stream_, name));
    } else {
      EXPECT_TRUE(copies::failed_as(name, kBadValue, "", code));
    }
  }

  std::unique_ptr<Region> region_;
};

TEST_F(VirtualMemoryHoles, AreNotWrittenFromTheHost) {
  const PinnedBuffer host(2 * kGranule);
  for (const CopyForm& form : kCopyForms) {
    for (const Bad& bad : bad_ranges()) {
      SCOPED_TRACE(bad.what);
      expect_fails(form.name, form.is_queued,
                   form.copy(bad.start, host.get(), bad.count, true, stream_));
    }
    expect_unchanged();
  }
}

TEST_F(VirtualMemoryHoles, AreNotReadByTheHost) {
  PinnedBuffer host(2 * kGranule);
  host.fill(pattern(2 * kGranule, 2));
  for (const CopyForm& form : kCopyForms) {
    for (const Bad& bad : bad_ranges()) {
      SCOPED_TRACE(bad.what);
      expect_fails(form.name, form.is_queued,
                   form.copy(host.get(), bad.start, bad.count, false, stream_));
    }
    EXPECT_TRUE(host.copy() == pattern(2 * kGranule, 2));
  }
}

// Pageable memory makes every call blocking: all say 107000 at once.
TEST_F(VirtualMemoryHoles, AreFoundAtTheCallWithPageableMemory) {
  std::vector<uint8_t> host = pattern(2 * kGranule, 2);
  for (const CopyForm& form : kCopyForms) {
    for (const Bad& bad : bad_ranges()) {
      SCOPED_TRACE(bad.what);
      expect_fails(form.name, false, form.copy(bad.start, host.data(), bad.count, true, stream_));
      expect_fails(form.name, false, form.copy(host.data(), bad.start, bad.count, false, stream_));
    }
    EXPECT_TRUE(host == pattern(2 * kGranule, 2));
    expect_unchanged();
  }
}

TEST_F(VirtualMemoryHoles, AreNotCopiedInsideTheDevice) {
  DeviceBuffer other(2 * kGranule);
  other.write(pattern(2 * kGranule, 2));
  const Descriptions descriptions;
  for (const DeviceCopyForm& form : kDeviceCopyForms) {
    for (const Bad& bad : bad_ranges()) {
      SCOPED_TRACE(bad.what);
      expect_fails(form.name, form.is_queued,
                   form.copy(bad.start, other.get(), bad.count, descriptions, stream_));
      expect_fails(form.name, form.is_queued,
                   form.copy(other.get(), bad.start, bad.count, descriptions, stream_));
    }
    EXPECT_TRUE(other.read() == pattern(2 * kGranule, 2));
    expect_unchanged();
  }
}

TEST_F(VirtualMemoryHoles, AreNotSet) {
  for (const SetForm& form : kSetForms) {
    for (const Bad& bad : bad_ranges()) {
      SCOPED_TRACE(bad.what);
      expect_fails(form.name, form.is_queued, form.set(bad.start, bad.count, stream_));
    }
    expect_unchanged();
  }
}

// An address in a hole is no memory: the copy fails, now or later.
TEST_F(VirtualMemoryHoles, AreNoStartOfACopy) {
  PinnedBuffer host(64);
  for (const CopyForm& form : kCopyForms) {
    for (const size_t offset : {kGranule, kGranule + 4096, 2 * kGranule - 64}) {
      SCOPED_TRACE(form.name);
      aclError code = form.copy(region_->at(offset), host.get(), 64, true, stream_);
      if (code == ACL_SUCCESS) code = aclrtSynchronizeStream(stream_);
      EXPECT_NE(ACL_SUCCESS, code);
      code = form.copy(host.get(), region_->at(offset), 64, false, stream_);
      if (code == ACL_SUCCESS) code = aclrtSynchronizeStream(stream_);
      EXPECT_NE(ACL_SUCCESS, code);
    }
    expect_unchanged();
  }
  EXPECT_FAILS_WITH(
      kBadValue, aclrtMemcpy(region_->at(kGranule), 64, host.get(), 64, ACL_MEMCPY_HOST_TO_DEVICE));
}

TEST_F(VirtualMemoryHoles, AreNotCrossedByRows) {
  PinnedBuffer host(4096);
  // The second row lies in the hole.
  EXPECT_FAILS_WITH(kBadValue, aclrtMemcpy2d(region_->at(kGranule - 4096), 4096, host.get(), 1024,
                                             1024, 2, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_OK(aclrtMemcpy2dAsync(region_->at(kGranule - 4096), 4096, host.get(), 1024, 1024, 2,
                               ACL_MEMCPY_HOST_TO_DEVICE, stream_));
  EXPECT_TRUE(copies::task_failed(stream_, "aclrtMemcpy2dAsync"));
  expect_unchanged();
}

TEST_F(VirtualMemoryHoles, OfABatchAreNamedByTheFailIndex) {
  PinnedBuffer host(4 * 256);
  std::vector<void*> dsts = {region_->at(), region_->at(2 * kGranule), region_->at(kGranule - 128),
                             region_->at(4096)};
  std::vector<void*> srcs;
  for (size_t i = 0; i < 4; ++i)
    srcs.push_back(host.bytes() + i * 256);
  std::vector<size_t> sizes(4, 256);
  aclrtMemcpyBatchAttr attr = {};
  attr.dstLoc = on_device();
  attr.srcLoc = on_host();
  size_t first = 0;
  for (const copies::BatchForm& form : copies::kBatchForms) {
    size_t fail_index = copies::Batch::kNotWritten;
    const aclError code =
        copies::call_batch(form, {dsts.data(), sizes.data(), srcs.data(), sizes.data(), 4, &attr,
                                  &first, 1, &fail_index, stream_});
    expect_fails(form.name, form.is_async, code);
    if (form.has_fail_index) {
      EXPECT_EQ(form.is_async ? SIZE_MAX : 2, fail_index) << form.name;
    }
    expect_unchanged();
  }
}

TEST_F(VirtualMemoryHoles, EndWhenSomethingIsMappedThere) {
  PinnedBuffer host(3 * kGranule);
  region_->map(1);
  EXPECT_OK(aclrtMemcpyAsync(host.get(), host.size(), region_->at(), host.size(),
                             ACL_MEMCPY_DEVICE_TO_HOST, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_TRUE(host.copy() == pattern(3 * kGranule, 1));
}

// Two reservations that touch each other, both mapped.
TEST_F(VirtualMemoryHoles, LieBetweenReservationsThatTouchEachOther) {
  char* const free = Reservation(8 * kGranule).at();
  const Reservation first(kGranule, free);
  const Reservation second(kGranule, free + kGranule);
  ASSERT_EQ(first.at(kGranule), second.at());
  const Physical memory(kGranule);
  const Mapping here(first.at(), kGranule, memory);
  const Mapping there(second.at(), kGranule, memory);
  EXPECT_OK(copy_to_device(first.at(), pattern(kGranule, 3)));
  PinnedBuffer host(200);
  host.fill(pattern(200, 2));
  for (const CopyForm& form : kCopyForms) {
    expect_fails(form.name, form.is_queued,
                 form.copy(first.at(kGranule - 100), host.get(), 200, true, stream_));
    expect_fails(form.name, form.is_queued,
                 form.copy(host.get(), first.at(kGranule - 100), 200, false, stream_));
  }
  EXPECT_EQ(pattern(200, 2), host.copy());
  EXPECT_TRUE(holds(first.at(), kGranule, 3));
}

}  // namespace
}  // namespace conformance::virtual_memory::virtual_memory_holes_test
