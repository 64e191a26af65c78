// SPDX-License-Identifier: Apache-2.0
// Managed memory in copies and fills: it is device memory beside host memory, host memory beside
// device memory, and device memory beside itself. Batches are in
// managed_memory_in_batches_test.cpp.
#include "support/managed.h"

#include <cstring>

namespace conformance::copies::managed_memory_in_copies_test {
namespace {

constexpr size_t kSize = 100;

enum class Place { kManaged, kDevice, kPinned, kPageable };

// One side of a copy; it can be filled and read.
class Side {
 public:
  explicit Side(Place place) : place_(place) {
    if (place == Place::kManaged) managed_ = std::make_unique<ManagedBuffer>(kSize);
    if (place == Place::kDevice) device_ = std::make_unique<DeviceBuffer>(kSize);
    if (place == Place::kPinned) pinned_ = std::make_unique<PinnedBuffer>(kSize);
    if (place == Place::kPageable) pageable_.resize(kSize);
  }
  void* get() {
    if (managed_) return managed_->get();
    if (device_) return device_->get();
    return pinned_ ? pinned_->get() : pageable_.data();
  }
  void fill(uint8_t seed) {
    EXPECT_OK(aclrtMemcpy(get(), kSize, pattern(kSize, seed).data(), kSize, ACL_MEMCPY_DEFAULT));
  }
  std::vector<uint8_t> read() {
    std::vector<uint8_t> bytes(kSize);
    EXPECT_OK(aclrtMemcpy(bytes.data(), kSize, get(), kSize, ACL_MEMCPY_DEFAULT));
    return bytes;
  }
  bool is_pageable() const { return place_ == Place::kPageable; }

 private:
  Place place_;
  std::unique_ptr<ManagedBuffer> managed_;
  std::unique_ptr<DeviceBuffer> device_;
  std::unique_ptr<PinnedBuffer> pinned_;
  std::vector<uint8_t> pageable_;
};

struct Pair {
  const char* what;
  Place from;
  Place to;
};

constexpr Pair kPairs[] = {
    {"managed to managed", Place::kManaged, Place::kManaged},
    {"managed to device", Place::kManaged, Place::kDevice},
    {"device to managed", Place::kDevice, Place::kManaged},
    {"managed to pinned", Place::kManaged, Place::kPinned},
    {"pinned to managed", Place::kPinned, Place::kManaged},
    {"managed to pageable", Place::kManaged, Place::kPageable},
    {"pageable to managed", Place::kPageable, Place::kManaged},
};

class ManagedMemoryInAsyncCopies : public WithAsyncCopy {
 protected:
  void SetUp() override {
    WithAsyncCopy::SetUp();
    NEEDS_MANAGED_MEMORY();
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

  // The call waits for the stream.
  void check_blocks(Side& from, Side& to, aclrtMemcpyKind kind) {
    Gate gate(stream_);
    CallOnThread call([&] { return copy(to.get(), from.get(), kSize, kind, stream_); });
    EXPECT_FALSE(call.has_returned());
    gate.open();
    EXPECT_EQ(ACL_SUCCESS, call.result()) << call.text();
    EXPECT_EQ(pattern(kSize, 1), to.read());
  }
};

TEST_P(ManagedMemoryInAsyncCopies, EveryKindWorksAndOnlyPageableMemoryBlocks) {
  for (const Pair& pair : kPairs) {
    for (int kind = ACL_MEMCPY_HOST_TO_HOST; kind <= ACL_MEMCPY_DEFAULT; ++kind) {
      SCOPED_TRACE(std::string(pair.what) + ", kind " + std::to_string(kind));
      Side from(pair.from);
      Side to(pair.to);
      from.fill(1);
      to.fill(2);
      if (from.is_pageable() || to.is_pageable()) {
        check_blocks(from, to, kind_of(kind));
      } else {
        check_queued(from, to, kind_of(kind));
      }
    }
  }
}

TEST_P(ManagedMemoryInAsyncCopies, ACapturedCopyGoesFromItAndNotToIt) {
  constexpr aclrtMemcpyKind kCaptured = ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE;
  const ManagedBuffer managed(kSize);
  const DeviceBuffer device(kSize);
  const PinnedBuffer pinned(kSize);
  for (const void* const src : {managed.get(), device.get(), pinned.get()}) {
    EXPECT_TRUE(failed(ACL_ERROR_RT_PARAM_INVALID, "EE1011",
                       copy(managed.at(kSize), src, kSize, kCaptured, stream_)));
  }
  EXPECT_TRUE(failed(ACL_ERROR_RT_PARAM_INVALID, "EE1011",
                     copy(pinned.get(), managed.get(), kSize, kCaptured, stream_)));
  std::memcpy(managed.get(), pattern(kSize).data(), kSize);
  Gate gate(stream_);
  EXPECT_OK(copy(device.get(), managed.get(), kSize, kCaptured, stream_));
  std::memset(managed.get(), 0, kSize);  // the source was taken during the call
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(device.read(), pattern(kSize));
}

TEST_P(ManagedMemoryInAsyncCopies, ARangeThatLeavesItFailsOnTheStream) {
  const ManagedBuffer managed(1);
  const DeviceBuffer device(2 * kManagedPage);
  EXPECT_OK(aclrtMemset(device.get(), device.size(), 0, device.size()));
  EXPECT_OK(copy(managed.at(1), device.get(), kManagedPage, ACL_MEMCPY_DEFAULT, stream_));
  EXPECT_TRUE(task_failed(stream_, name()));
}

INSTANTIATE_TEST_SUITE_P(, ManagedMemoryInAsyncCopies, ::testing::ValuesIn(kAsyncCopyForms),
                         FormName());

using ManagedMemoryInCopies = WithManagedMemory;

TEST_F(ManagedMemoryInCopies, AclrtMemcpyTakesEveryKind) {
  for (const Pair& pair : kPairs) {
    for (int kind = ACL_MEMCPY_HOST_TO_HOST; kind <= ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE; ++kind) {
      SCOPED_TRACE(std::string(pair.what) + ", kind " + std::to_string(kind));
      Side from(pair.from);
      Side to(pair.to);
      from.fill(1);
      to.fill(2);
      EXPECT_OK(aclrtMemcpy(to.get(), kSize, from.get(), kSize, kind_of(kind)));
      EXPECT_EQ(pattern(kSize, 1), to.read());
    }
  }
}

TEST_F(ManagedMemoryInCopies, AclrtMemcpyRefusesARangeThatLeavesIt) {
  const ManagedBuffer managed(1);
  std::vector<uint8_t> pageable(kManagedPage);
  EXPECT_FAILS(
      ACL_ERROR_RT_PARAM_INVALID, "EE1011",
      aclrtMemcpy(managed.at(1), kManagedPage, pageable.data(), kManagedPage, ACL_MEMCPY_DEFAULT));
}

aclError copy_rows(void* dst, const void* src, aclrtMemcpyKind kind) {
  return aclrtMemcpy2d(dst, 10, src, 10, 10, kSize / 10, kind);
}

TEST_F(ManagedMemoryInCopies, RowsGoBetweenItAndOtherMemory) {
  for (const Pair& pair : kPairs) {
    const bool is_refused = pair.from == pair.to;
    for (const aclrtMemcpyKind kind :
         {ACL_MEMCPY_HOST_TO_DEVICE, ACL_MEMCPY_DEVICE_TO_HOST, ACL_MEMCPY_DEFAULT}) {
      SCOPED_TRACE(std::string(pair.what) + ", kind " + std::to_string(kind));
      Side from(pair.from);
      Side to(pair.to);
      from.fill(1);
      to.fill(2);
      const aclError code = copy_rows(to.get(), from.get(), kind);
      if (is_refused) {
        EXPECT_TRUE(failed_as("aclrtMemcpy2d", ACL_ERROR_RT_PARAM_INVALID, "EE1017", code));
      } else {
        EXPECT_OK(code);
      }
      EXPECT_EQ(pattern(kSize, is_refused ? 2 : 1), to.read());
    }
  }
}

TEST_F(ManagedMemoryInCopies, RowsKeepTheirOtherChecks) {
  const ManagedBuffer managed(kSize);
  const DeviceBuffer device(kSize);
  for (const int kind : {0, 5, 6, 7}) {
    EXPECT_TRUE(failed_as("aclrtMemcpy2d", ACL_ERROR_INVALID_PARAM, "EH0007",
                          copy_rows(managed.get(), device.get(), kind_of(kind))));
  }
  EXPECT_TRUE(failed_as("aclrtMemcpy2d", ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "WE0001",
                        copy_rows(managed.get(), device.get(), ACL_MEMCPY_DEVICE_TO_DEVICE)));
}

TEST_F(ManagedMemoryInCopies, QueuedRowsGoEveryWay) {
  for (const Pair& pair : kPairs) {
    for (int kind = ACL_MEMCPY_HOST_TO_DEVICE; kind <= ACL_MEMCPY_DEFAULT; ++kind) {
      SCOPED_TRACE(std::string(pair.what) + ", kind " + std::to_string(kind));
      Side from(pair.from);
      Side to(pair.to);
      from.fill(1);
      to.fill(2);
      // Beside pageable memory it is device memory, and the kind must say so.
      const bool is_right = kind == ACL_MEMCPY_DEFAULT ||
                            (from.is_pageable() && kind == ACL_MEMCPY_HOST_TO_DEVICE) ||
                            (to.is_pageable() && kind == ACL_MEMCPY_DEVICE_TO_HOST) ||
                            (!from.is_pageable() && !to.is_pageable());
      const aclError code =
          aclrtMemcpy2dAsync(to.get(), 10, from.get(), 10, 10, kSize / 10, kind_of(kind), stream_);
      if (is_right) {
        EXPECT_OK(code);
      } else {
        EXPECT_TRUE(failed_as("aclrtMemcpy2dAsync", ACL_ERROR_RT_PARAM_INVALID, "EE9999", code));
      }
      EXPECT_OK(aclrtSynchronizeStream(stream_));
      EXPECT_EQ(pattern(kSize, is_right ? 1 : 2), to.read());
    }
  }
}

TEST_F(ManagedMemoryInCopies, FillsAreThoseOfDeviceMemory) {
  ManagedBuffer managed(kSize);
  managed.write(pattern(kSize));
  EXPECT_OK(aclrtMemset(managed.get(), kSize, 1, kSize));
  EXPECT_EQ(managed.read(), std::vector<uint8_t>(kSize, 1));
  Gate gate(stream_);
  EXPECT_OK(aclrtMemsetAsync(managed.get(), kSize, 2, kSize, stream_));
  EXPECT_EQ(managed.read(), std::vector<uint8_t>(kSize, 1)) << "filled too early";
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(managed.read(), std::vector<uint8_t>(kSize, 2));
}

TEST_F(ManagedMemoryInCopies, FillsWithWordsAreRefused) {
  const ManagedBuffer managed(kSize);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH9999", aclrtMemsetD32(managed.get(), 8, 1, 2));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH9999",
               aclrtMemsetD32Async(managed.get(), 8, 1, 2, stream_));
}

TEST_F(ManagedMemoryInCopies, ADescriptorCopiesBetweenTwoManagedAddresses) {
  constexpr aclrtMemcpyKind kInside = ACL_MEMCPY_INNER_DEVICE_TO_DEVICE;
  ManagedBuffer managed(2 * kSize);
  const DeviceBuffer device(kSize);
  const DeviceBuffer descriptor(64);
  managed.write(pattern(2 * kSize));
  EXPECT_OK(aclrtSetMemcpyDesc(descriptor.get(), kInside, managed.get(), managed.at(kSize), kSize,
                               nullptr));
  EXPECT_OK(aclrtMemcpyAsyncWithDesc(descriptor.get(), kInside, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(0, std::memcmp(managed.get(), managed.at(kSize), kSize));
  // Beside device memory it is host memory, and by itself it is no device memory.
  EXPECT_FAILS(
      ACL_ERROR_RT_PARAM_INVALID, "EE1017",
      aclrtSetMemcpyDesc(descriptor.get(), kInside, managed.get(), device.get(), kSize, nullptr));
  EXPECT_FAILS(
      ACL_ERROR_RT_PARAM_INVALID, "EE1017",
      aclrtSetMemcpyDesc(descriptor.get(), kInside, device.get(), managed.get(), kSize, nullptr));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "EE1017",
               aclrtMemcpyAsyncWithDesc(managed.get(), kInside, stream_));
}

FERRY_PROCESS_TEST(ManagedMemoryInCopiesProcess, NeedsNoPeerAccess, "FERRY_DEVICES=cpu:2",
                   "FERRY_SOC=Ascend910B4") {
  TwoDevices devices(kSize);
  ManagedBuffer managed(2 * kSize);
  managed.write(pattern(2 * kSize, 5));
  const aclrtStream stream = devices.stream(0);
  EXPECT_OK(aclrtMemcpyAsync(devices.buffer(1).get(), kSize, managed.get(), kSize,
                             ACL_MEMCPY_DEFAULT, stream));
  EXPECT_OK(
      aclrtMemcpyAsync(managed.at(kSize), kSize, managed.get(), kSize, ACL_MEMCPY_DEFAULT, stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(devices.buffer(1).read(), pattern(kSize, 5));
  EXPECT_EQ(0, std::memcmp(managed.get(), managed.at(kSize), kSize));
}

}  // namespace
}  // namespace conformance::copies::managed_memory_in_copies_test
