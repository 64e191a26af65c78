// SPDX-License-Identifier: Apache-2.0
// aclrtMemcpyAsync and aclrtMemcpyAsyncWithCondition: what each kind means for each pair of
// locations, as one table.
#include "support/copies.h"

namespace conformance::copies::aclrtMemcpyAsync_matrix_test {
namespace {

constexpr size_t kSize = 100;

enum class Place { kDevice, kPinned, kPageable };

// One side of a copy in one of the locations; it can be filled and read.
class Side {
 public:
  explicit Side(Place place) : place_(place) {
    if (place == Place::kDevice) device_ = std::make_unique<DeviceBuffer>(kSize);
    if (place == Place::kPinned) pinned_ = std::make_unique<PinnedBuffer>(kSize);
    if (place == Place::kPageable) pageable_.resize(kSize);
  }
  void* get() {
    if (device_) return device_->get();
    return pinned_ ? pinned_->get() : pageable_.data();
  }
  void fill(uint8_t seed) {
    if (device_) device_->write(pattern(kSize, seed));
    if (pinned_) pinned_->fill(pattern(kSize, seed));
    if (place_ == Place::kPageable) pageable_ = pattern(kSize, seed);
  }
  std::vector<uint8_t> read() const {
    if (device_) return device_->read();
    return pinned_ ? pinned_->copy() : pageable_;
  }

 private:
  Place place_;
  std::unique_ptr<DeviceBuffer> device_;
  std::unique_ptr<PinnedBuffer> pinned_;
  std::vector<uint8_t> pageable_;
};

enum class Outcome { kQueued, kBlocks, kRefused, kNotSupported };

struct Row {
  const char* what;
  Place from;
  Place to;
  Outcome by_kind[5];  // kinds 0 to 4
};

constexpr Outcome kQueued = Outcome::kQueued;
constexpr Outcome kBlocks = Outcome::kBlocks;
constexpr Outcome kRefused = Outcome::kRefused;
constexpr Outcome kNone = Outcome::kNotSupported;

constexpr Row kRows[] = {
    {"pinned to device",
     Place::kPinned,
     Place::kDevice,
     {kQueued, kQueued, kQueued, kQueued, kQueued}},
    {"device to pinned",
     Place::kDevice,
     Place::kPinned,
     {kQueued, kQueued, kQueued, kQueued, kQueued}},
    {"device to device",
     Place::kDevice,
     Place::kDevice,
     {kQueued, kQueued, kQueued, kQueued, kQueued}},
    {"pinned to pinned", Place::kPinned, Place::kPinned, {kNone, kNone, kNone, kNone, kNone}},
    {"pageable to device",
     Place::kPageable,
     Place::kDevice,
     {kRefused, kBlocks, kRefused, kRefused, kBlocks}},
    {"device to pageable",
     Place::kDevice,
     Place::kPageable,
     {kRefused, kRefused, kBlocks, kRefused, kBlocks}},
    {"pinned to pageable", Place::kPinned, Place::kPageable, {kNone, kNone, kNone, kNone, kNone}},
    {"pageable to pinned", Place::kPageable, Place::kPinned, {kNone, kNone, kNone, kNone, kNone}},
    {"pageable to pageable",
     Place::kPageable,
     Place::kPageable,
     {kNone, kNone, kNone, kNone, kNone}},
};

class AclrtMemcpyAsyncMatrix : public WithAsyncCopy {
 protected:
  void SetUp() override {
    WithAsyncCopy::SetUp();
    clear_errors();
  }

  // The call returns while the stream is blocked, and the copy runs later.
  void check_queued(Side& from, Side& to, aclrtMemcpyKind kind) {
    Gate gate(stream_);
    EXPECT_OK(copy(to.get(), from.get(), kSize, kind, stream_));
    EXPECT_EQ(pattern(kSize, 2), to.read()) << "copied too early";
    gate.open();
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_EQ(pattern(kSize, 1), to.read());
  }

  // The call waits for the stream: a fill of the device side queued before it runs first.
  void check_blocks(Side& from, Side& to, bool is_from_device, aclrtMemcpyKind kind) {
    Gate gate(stream_);
    void* const device = is_from_device ? from.get() : to.get();
    EXPECT_OK(aclrtMemsetAsync(device, kSize, 0x5a, kSize, stream_));
    CallOnThread call([&] { return copy(to.get(), from.get(), kSize, kind, stream_); });
    EXPECT_FALSE(call.has_returned());
    gate.open();
    EXPECT_EQ(ACL_SUCCESS, call.result()) << call.text();
    const std::vector<uint8_t> filled(kSize, 0x5a);
    EXPECT_EQ(is_from_device ? filled : pattern(kSize, 1), to.read());
    // A copy that ran before the fill would be overwritten by now.
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_EQ(is_from_device ? filled : pattern(kSize, 1), to.read());
  }

  // The call fails and queues nothing.
  void check_fails(Side& from, Side& to, aclrtMemcpyKind kind, Outcome outcome) {
    clear_errors();
    const aclError result = copy(to.get(), from.get(), kSize, kind, stream_);
    if (outcome == Outcome::kRefused) {
      EXPECT_TRUE(failed(ACL_ERROR_RT_PARAM_INVALID, "EE9999", result));
      EXPECT_EQ(ACL_ERROR_RT_PARAM_INVALID, last_error());
    } else {
      EXPECT_TRUE(failed(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "", result));
      EXPECT_EQ(ACL_SUCCESS, last_error());
    }
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_EQ(pattern(kSize, 2), to.read());
  }

  void check(const Row& row, aclrtMemcpyKind kind) {
    Side from(row.from);
    Side to(row.to);
    from.fill(1);
    to.fill(2);
    const Outcome outcome = row.by_kind[kind];
    if (outcome == Outcome::kQueued) {
      check_queued(from, to, kind);
    } else if (outcome == Outcome::kBlocks) {
      check_blocks(from, to, row.from == Place::kDevice, kind);
    } else {
      check_fails(from, to, kind, outcome);
    }
  }
};

TEST_P(AclrtMemcpyAsyncMatrix, EveryKindForEveryPairOfPlaces) {
  for (const Row& row : kRows) {
    for (int kind = ACL_MEMCPY_HOST_TO_HOST; kind <= ACL_MEMCPY_DEFAULT; ++kind) {
      SCOPED_TRACE(std::string(row.what) + ", kind " + std::to_string(kind));
      check(row, kind_of(kind));
    }
  }
}

TEST_P(AclrtMemcpyAsyncMatrix, RegisteredMemoryIsPinned) {
  HostPages pages(1);
  ASSERT_OK(aclrtHostRegisterV2(pages.at(0), pages.size(), ACL_HOST_REG_PINNED));
  {
    Side device(Place::kDevice);
    device.fill(2);
    const std::vector<uint8_t> sent = pattern(kSize, 1);
    std::copy(sent.begin(), sent.end(), pages.at(0));
    Gate gate(stream_);
    EXPECT_OK(copy(device.get(), pages.at(0), kSize, ACL_MEMCPY_DEVICE_TO_DEVICE, stream_));
    gate.open();
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_EQ(sent, device.read());
  }
  EXPECT_OK(aclrtHostUnregister(pages.at(0)));
}

INSTANTIATE_TEST_SUITE_P(, AclrtMemcpyAsyncMatrix, ::testing::ValuesIn(kAsyncCopyForms),
                         FormName());

}  // namespace
}  // namespace conformance::copies::aclrtMemcpyAsync_matrix_test
