// SPDX-License-Identifier: Apache-2.0
// aclrtSnapShotProcessRestore: the saved contents come back.
#include "support/snapshots.h"

#include "acl/acl_rt_memory_soma.h"

#include <memory>

namespace conformance::snapshots::aclrtSnapShotProcessRestore_test {
namespace {

using AclrtSnapShotProcessRestore = WithSnapshot;

TEST_F(AclrtSnapShotProcessRestore, TakesItsOwnProcessAndNothingElse) {
  expect_own_process_only(
      [](int pid, void* reserved) {
        return aclrtSnapShotProcessRestore(pid, static_cast<aclrtSnapShotRestoreArgs*>(reserved));
      },
      "aclrtSnapShotProcessRestore");
}

FERRY_PROCESS_TEST(AclrtSnapShotProcessRestoreProduct, IsNotSupportedByEarlierProducts,
                   "FERRY_SOC=Ascend310P3") {
  EXPECT_FAILS(100000, "EH0007", aclrtSnapShotProcessRestore(0, nullptr));
  EXPECT_FAILS(207000, "WE0001", aclrtSnapShotProcessRestore(getpid(), nullptr));
}

TEST_F(AclrtSnapShotProcessRestore, IsRefusedInTheWrongStateAndCallsNoCallback) {
  const Noters noters;
  for (const State state : kStates) {
    bring_into(state);
    const bool is_allowed = state == State::kBackedUp;
    if (!is_allowed) {
      calls.clear();
      EXPECT_FAILS(507909, "EE1018", aclrtSnapShotProcessRestore(getpid(), nullptr));
      EXPECT_TRUE(calls.empty());
    }
    if (state != State::kRunning) {
      EXPECT_OK(unlock());
    }
  }
}

TEST_F(AclrtSnapShotProcessRestore, BringsTheContentsBack) {
  if (!devices_are_real()) GTEST_SKIP() << "the device keeps no bytes";
  DeviceBuffer small(100);
  DeviceBuffer large(3000000);
  small.write(pattern(100, 1));
  large.write(pattern(3000000, 2));
  EXPECT_OK(lock());
  EXPECT_OK(back_up());
  small.write(pattern(100, 8));
  EXPECT_OK(aclrtMemset(large.get(), 3000000, 0, 3000000));
  EXPECT_OK(restore());
  EXPECT_EQ(small.read(), pattern(100, 1));
  EXPECT_EQ(large.read(), pattern(3000000, 2));
  EXPECT_OK(unlock());
}

TEST_F(AclrtSnapShotProcessRestore, LeavesMemoryThatIsNewOrGone) {
  if (!devices_are_real()) GTEST_SKIP() << "the device keeps no bytes";
  DeviceBuffer kept(64);
  kept.write(pattern(64, 1));
  auto gone = std::make_unique<DeviceBuffer>(5000);
  EXPECT_OK(lock());
  EXPECT_OK(back_up());
  gone.reset();
  DeviceBuffer added(4000);  // perhaps at the address of the other
  added.write(pattern(4000, 5));
  kept.write(pattern(64, 2));
  EXPECT_OK(restore());
  EXPECT_EQ(kept.read(), pattern(64, 1));
  EXPECT_EQ(added.read(), pattern(4000, 5));
  EXPECT_OK(unlock());
}

TEST_F(AclrtSnapShotProcessRestore, IncludesMemoryOfPools) {
  if (!devices_are_real()) GTEST_SKIP() << "the device keeps no bytes";
  aclrtMemPoolProps properties{};
  properties.allocType = ACL_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
  properties.maxSize = size_t{64} << 20;
  aclrtMemPool pool = nullptr;
  ASSERT_OK(aclrtMemPoolCreate(&pool, &properties));
  void* block = nullptr;
  ASSERT_OK(aclrtMemPoolMallocAsync(&block, 512, pool, stream_));
  ASSERT_OK(aclrtMemsetAsync(block, 512, 7, 512, stream_));
  EXPECT_OK(lock());
  EXPECT_OK(back_up());
  EXPECT_OK(aclrtMemset(block, 512, 9, 512));
  EXPECT_OK(restore());
  std::vector<uint8_t> read(512);
  EXPECT_OK(aclrtMemcpy(read.data(), 512, block, 512, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_EQ(read, std::vector<uint8_t>(512, 7));
  EXPECT_OK(unlock());
  EXPECT_OK(aclrtMemPoolFreeAsync(block, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_OK(aclrtMemPoolDestroy(pool));
}

FERRY_PROCESS_TEST(AclrtSnapShotProcessRestoreDevices, CoversAllDevices, "FERRY_DEVICES=cpu:2") {
  ASSERT_OK(aclrtSetDevice(1));
  DeviceBuffer second(64);
  second.write(pattern(64, 2));
  ASSERT_OK(aclrtSetDevice(0));
  DeviceBuffer first(64);
  first.write(pattern(64, 1));
  EXPECT_OK(lock());
  EXPECT_OK(back_up());
  EXPECT_OK(aclrtMemset(first.get(), 64, 0, 64));
  ASSERT_OK(aclrtSetDevice(1));
  EXPECT_OK(aclrtMemset(second.get(), 64, 0, 64));
  EXPECT_OK(restore());
  EXPECT_EQ(second.read(), pattern(64, 2));
  ASSERT_OK(aclrtSetDevice(0));
  EXPECT_EQ(first.read(), pattern(64, 1));
  EXPECT_OK(unlock());
}

}  // namespace
}  // namespace conformance::snapshots::aclrtSnapShotProcessRestore_test
