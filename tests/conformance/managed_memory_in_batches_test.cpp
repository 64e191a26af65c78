// SPDX-License-Identifier: Apache-2.0
// Managed memory in batch copies: attributes name it, and the other side decides the direction.
#include "support/batch.h"
#include "support/managed.h"

namespace conformance::copies::managed_memory_in_batches_test {
namespace {

constexpr size_t kSize = 48;

constexpr aclrtMemLocation kManagedPlace{7, ACL_MEM_LOCATION_TYPE_MANAGED};
constexpr aclrtMemLocation kDevicePlace{0, ACL_MEM_LOCATION_TYPE_DEVICE};
constexpr aclrtMemLocation kHostPlace{0, ACL_MEM_LOCATION_TYPE_HOST};

struct PairItem {
  void* dst;
  void* src;
  aclrtMemLocation dst_place;
  aclrtMemLocation src_place;
};

class ManagedMemoryInBatches : public WithBatchForm {
 protected:
  void SetUp() override {
    WithBatchForm::SetUp();
    NEEDS_MANAGED_MEMORY();
  }

  // One attribute per item.
  struct Arrays {
    explicit Arrays(const std::vector<PairItem>& items) {
      for (const PairItem& item : items) {
        dsts.push_back(item.dst);
        srcs.push_back(item.src);
        sizes.push_back(kSize);
        indexes.push_back(indexes.size());
        attrs.push_back({item.dst_place, item.src_place, {}});
      }
    }
    BatchArguments arguments(aclrtStream stream) {
      return {dsts.data(),  sizes.data(),   srcs.data(),  sizes.data(), sizes.size(),
              attrs.data(), indexes.data(), attrs.size(), nullptr,      stream};
    }
    std::vector<void*> dsts;
    std::vector<void*> srcs;
    std::vector<size_t> sizes;
    std::vector<size_t> indexes;
    std::vector<aclrtMemcpyBatchAttr> attrs;
  };

  void expect_copies(const std::vector<PairItem>& items) {
    Arrays arrays(items);
    expect_succeeds(arrays.arguments(stream_));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
  }
  void expect_refused(const char* message_code, size_t index, const std::vector<PairItem>& items) {
    Arrays arrays(items);
    expect_fails(ACL_ERROR_RT_PARAM_INVALID, message_code, index, arrays.arguments(stream_));
  }
};

std::vector<uint8_t> bytes_at(const void* address) {
  std::vector<uint8_t> bytes(kSize);
  EXPECT_OK(aclrtMemcpy(bytes.data(), kSize, address, kSize, ACL_MEMCPY_DEFAULT));
  return bytes;
}

TEST_P(ManagedMemoryInBatches, CopiesBetweenItAndEveryOtherMemory) {
  ManagedBuffer managed(4 * kSize);
  DeviceBuffer device(2 * kSize);
  PinnedBuffer pinned(2 * kSize);
  std::vector<uint8_t> pageable = pattern(kSize, 3);
  managed.write(pattern(4 * kSize, 1));
  pinned.fill(pattern(2 * kSize, 2));
  device.write(pattern(2 * kSize, 4));
  const std::vector<uint8_t> from_managed = pattern(kSize, 1);
  // Towards the device: from the host to managed memory, from managed memory to the device.
  expect_copies({{managed.at(kSize), pinned.get(), kManagedPlace, kHostPlace},
                 {device.get(), managed.get(), kDevicePlace, kManagedPlace},
                 {managed.at(2 * kSize), pageable.data(), kManagedPlace, kHostPlace}});
  EXPECT_EQ(bytes_at(managed.at(kSize)), pattern(kSize, 2));
  EXPECT_EQ(bytes_at(device.get()), from_managed);
  EXPECT_EQ(bytes_at(managed.at(2 * kSize)), pattern(kSize, 3));
  // Away from it: from managed memory to the host, from the device to managed memory.
  expect_copies({{pinned.bytes() + kSize, managed.get(), kHostPlace, kManagedPlace},
                 {managed.at(3 * kSize), device.get(), kManagedPlace, kDevicePlace},
                 {pageable.data(), managed.get(), kHostPlace, kManagedPlace}});
  EXPECT_EQ(bytes_at(pinned.bytes() + kSize), from_managed);
  EXPECT_EQ(bytes_at(managed.at(3 * kSize)), from_managed);
  EXPECT_EQ(pageable, from_managed);
}

TEST_P(ManagedMemoryInBatches, OnlyItsOwnTypeFitsAndFitsNothingElse) {
  const ManagedBuffer managed(2 * kSize);
  const DeviceBuffer device(2 * kSize);
  const PinnedBuffer pinned(2 * kSize);
  for (const aclrtMemLocationType type :
       {ACL_MEM_LOCATION_TYPE_HOST, ACL_MEM_LOCATION_TYPE_HOST_NUMA, ACL_MEM_LOCATION_TYPE_DEVICE,
        ACL_MEM_LOCATION_TYPE_UNREGISTERED}) {
    const PairItem good{managed.get(), pinned.get(), kManagedPlace, kHostPlace};
    const PairItem bad{managed.at(kSize), pinned.get(), {0, type}, kHostPlace};
    expect_refused("EE1017", 1, {good, bad});
    expect_refused("EE1017", 0, {{pinned.get(), managed.get(), kHostPlace, {0, type}}});
  }
  expect_refused("EE1017", 0, {{device.get(), pinned.get(), kManagedPlace, kHostPlace}});
  expect_refused("EE1017", 0, {{device.get(), pinned.get(), kDevicePlace, kManagedPlace}});
}

TEST_P(ManagedMemoryInBatches, RefusesItOnBothSides) {
  const ManagedBuffer managed(2 * kSize);
  expect_refused("EE1016", 0, {{managed.at(kSize), managed.get(), kManagedPlace, kManagedPlace}});
}

TEST_P(ManagedMemoryInBatches, RefusesTwoDirections) {
  const ManagedBuffer managed(4 * kSize);
  const DeviceBuffer device(2 * kSize);
  const PinnedBuffer pinned(2 * kSize);
  const PairItem to_device{device.get(), managed.get(), kDevicePlace, kManagedPlace};
  const PairItem from_device{managed.at(kSize), device.at(kSize), kManagedPlace, kDevicePlace};
  const PairItem from_host{managed.at(2 * kSize), pinned.get(), kManagedPlace, kHostPlace};
  const PairItem to_host{pinned.bytes() + kSize, managed.at(3 * kSize), kHostPlace, kManagedPlace};
  expect_refused("EE1016", 1, {to_device, from_device});
  expect_refused("EE1016", 2, {from_host, to_device, to_host});
  expect_refused("EE1016", 1, {to_host, from_host});
}

INSTANTIATE_TEST_SUITE_P(, ManagedMemoryInBatches, ::testing::ValuesIn(kBatchForms), FormName());

}  // namespace
}  // namespace conformance::copies::managed_memory_in_batches_test
