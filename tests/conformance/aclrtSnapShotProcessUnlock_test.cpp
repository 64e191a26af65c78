// SPDX-License-Identifier: Apache-2.0
// aclrtSnapShotProcessUnlock: the process goes on.
#include "support/snapshots.h"

namespace conformance::snapshots::aclrtSnapShotProcessUnlock_test {
namespace {

using AclrtSnapShotProcessUnlock = WithSnapshot;

TEST_F(AclrtSnapShotProcessUnlock, TakesItsOwnProcessAndNothingElse) {
  expect_own_process_only(
      [](int pid, void* reserved) {
        return aclrtSnapShotProcessUnlock(pid, static_cast<void*>(reserved));
      },
      "aclrtSnapShotProcessUnlock");
}

FERRY_PROCESS_TEST(AclrtSnapShotProcessUnlockProduct, IsNotSupportedByEarlierProducts,
                   "FERRY_SOC=Ascend310P3") {
  EXPECT_FAILS(100000, "EH0007", aclrtSnapShotProcessUnlock(0, nullptr));
  EXPECT_FAILS(207000, "WE0001", aclrtSnapShotProcessUnlock(getpid(), nullptr));
}

TEST_F(AclrtSnapShotProcessUnlock, IsRefusedInTheWrongStateAndCallsNoCallback) {
  const Noters noters;
  for (const State state : kStates) {
    bring_into(state);
    const bool is_allowed = state != State::kRunning;
    if (!is_allowed) {
      calls.clear();
      EXPECT_FAILS(507907, "EE1018", aclrtSnapShotProcessUnlock(getpid(), nullptr));
      EXPECT_TRUE(calls.empty());
    }
    if (state != State::kRunning) {
      EXPECT_OK(unlock());
    }
  }
}

TEST_F(AclrtSnapShotProcessUnlock, DropsWhatWasSaved) {
  bring_into(State::kBackedUp);
  EXPECT_OK(unlock());
  EXPECT_FAILS(507909, "EE1018", aclrtSnapShotProcessRestore(getpid(), nullptr));
  EXPECT_OK(lock());
  EXPECT_FAILS(507909, "EE1018", aclrtSnapShotProcessRestore(getpid(), nullptr));
  EXPECT_OK(unlock());
}

}  // namespace
}  // namespace conformance::snapshots::aclrtSnapShotProcessUnlock_test
