// SPDX-License-Identifier: Apache-2.0
// aclrtSnapShotProcessBackup: device memory is saved on the host.
#include "support/snapshots.h"

namespace conformance::snapshots::aclrtSnapShotProcessBackup_test {
namespace {

using AclrtSnapShotProcessBackup = WithSnapshot;

TEST_F(AclrtSnapShotProcessBackup, TakesItsOwnProcessAndNothingElse) {
  expect_own_process_only(
      [](int pid, void* reserved) {
        return aclrtSnapShotProcessBackup(pid, static_cast<aclrtSnapShotBackupArgs*>(reserved));
      },
      "aclrtSnapShotProcessBackup");
}

FERRY_PROCESS_TEST(AclrtSnapShotProcessBackupProduct, IsNotSupportedByEarlierProducts,
                   "FERRY_SOC=Ascend310P3") {
  EXPECT_FAILS(100000, "EH0007", aclrtSnapShotProcessBackup(0, nullptr));
  EXPECT_FAILS(207000, "WE0001", aclrtSnapShotProcessBackup(getpid(), nullptr));
}

TEST_F(AclrtSnapShotProcessBackup, IsRefusedInTheWrongStateAndCallsNoCallback) {
  const Noters noters;
  for (const State state : kStates) {
    bring_into(state);
    const bool is_allowed = state == State::kLocked;
    if (!is_allowed) {
      calls.clear();
      EXPECT_FAILS(507908, "EE1018", aclrtSnapShotProcessBackup(getpid(), nullptr));
      EXPECT_TRUE(calls.empty());
    }
    if (state != State::kRunning) {
      EXPECT_OK(unlock());
    }
  }
}

TEST_F(AclrtSnapShotProcessBackup, ChangesNothing) {
  DeviceBuffer buffer(1000);
  buffer.write(pattern(1000, 3));
  EXPECT_OK(lock());
  EXPECT_OK(back_up());
  if (devices_are_real()) {
    EXPECT_EQ(buffer.read(), pattern(1000, 3));
  }
  EXPECT_OK(unlock());
}

TEST_F(AclrtSnapShotProcessBackup, MayFollowARestore) {
  EXPECT_OK(lock());
  for (int round = 0; round < 3; ++round) {
    EXPECT_OK(back_up());
    EXPECT_OK(restore());
  }
  EXPECT_OK(unlock());
}

}  // namespace
}  // namespace conformance::snapshots::aclrtSnapShotProcessBackup_test
