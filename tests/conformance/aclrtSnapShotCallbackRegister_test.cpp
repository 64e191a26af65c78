// SPDX-License-Identifier: Apache-2.0
// aclrtSnapShotCallbackRegister: when callbacks are called, and what their failures do.
#include "support/snapshots.h"

#include <climits>
#include <csetjmp>
#include <stdexcept>

namespace conformance::snapshots::aclrtSnapShotCallbackRegister_test {
namespace {

using AclrtSnapShotCallbackRegister = WithSnapshot;

uint32_t succeed(int32_t /*device*/, void* /*argument*/) {
  return 0;
}

TEST_F(AclrtSnapShotCallbackRegister, RefusesNullUnknownStagesAndRepetitions) {
  for (const int stage : {-1, 6, INT_MAX, INT_MIN}) {
    EXPECT_FAILS(
        100000, "EH0008",
        aclrtSnapShotCallbackRegister(static_cast<aclrtSnapShotStage>(stage), nullptr, nullptr));
    EXPECT_FAILS(
        107000, "EE1003",
        aclrtSnapShotCallbackRegister(static_cast<aclrtSnapShotStage>(stage), succeed, nullptr));
  }
  EXPECT_OK(aclrtSnapShotCallbackRegister(ACL_RT_SNAPSHOT_LOCK_PRE, succeed, nullptr));
  int other = 0;
  EXPECT_FAILS_WITH(507913,
                    aclrtSnapShotCallbackRegister(ACL_RT_SNAPSHOT_LOCK_PRE, succeed, &other));
  EXPECT_OK(aclrtSnapShotCallbackRegister(ACL_RT_SNAPSHOT_UNLOCK_POST, succeed, nullptr));
  EXPECT_OK(aclrtSnapShotCallbackUnregister(ACL_RT_SNAPSHOT_LOCK_PRE, succeed));
  EXPECT_OK(aclrtSnapShotCallbackUnregister(ACL_RT_SNAPSHOT_UNLOCK_POST, succeed));
}

TEST_F(AclrtSnapShotCallbackRegister, CallsEachStageInItsPlace) {
  const Noters noters;
  EXPECT_OK(lock());
  EXPECT_EQ(Noters::stages(), (std::vector<int>{0}));
  EXPECT_OK(back_up());
  EXPECT_EQ(Noters::stages(), (std::vector<int>{0, 1, 2}));
  EXPECT_OK(restore());
  EXPECT_EQ(Noters::stages(), (std::vector<int>{0, 1, 2, 3, 4}));
  EXPECT_OK(unlock());
  EXPECT_EQ(Noters::stages(), (std::vector<int>{0, 1, 2, 3, 4, 5}));
  for (const Called& call : calls)
    EXPECT_EQ(call.device, 0);
}

FERRY_PROCESS_TEST(AclrtSnapShotCallbackRegisterDevices, CallsOncePerDeviceWithAContext,
                   "FERRY_DEVICES=cpu:3") {
  const Noters noters;
  EXPECT_OK(lock());
  EXPECT_OK(unlock());
  EXPECT_TRUE(calls.empty());
  ASSERT_OK(aclrtSetDevice(2));
  ASSERT_OK(aclrtSetDevice(0));
  EXPECT_OK(lock());
  EXPECT_EQ(calls, (std::vector<Called>{{0, 0}, {0, 2}}));
  EXPECT_OK(unlock());
}

TEST_F(AclrtSnapShotCallbackRegister, AFailureBeforePreventsTheOperation) {
  const Noters noters;
  result_of_callbacks = 3;
  EXPECT_FAILS_WITH(507912, aclrtSnapShotProcessLock(getpid(), nullptr));
  EXPECT_FAILS(507907, "EE1018",
               aclrtSnapShotProcessUnlock(getpid(), nullptr));  // it is still running
  result_of_callbacks = 0;
  EXPECT_OK(lock());
  result_of_callbacks = UINT32_MAX;
  EXPECT_FAILS_WITH(507912, aclrtSnapShotProcessBackup(getpid(), nullptr));
  EXPECT_FAILS(507909, "EE1018",
               aclrtSnapShotProcessRestore(getpid(), nullptr));  // it is not backed up
  result_of_callbacks = 0;
  EXPECT_OK(back_up());
  calls.clear();
  result_of_callbacks = 1;
  EXPECT_FAILS_WITH(507912, aclrtSnapShotProcessRestore(getpid(), nullptr));
  EXPECT_EQ(Noters::stages(), (std::vector<int>{3}));
  result_of_callbacks = 0;
  EXPECT_OK(restore());  // it is still backed up
  EXPECT_OK(unlock());
}

uint32_t fail_once(int32_t /*device*/, void* /*argument*/) {
  return 9;
}

TEST_F(AclrtSnapShotCallbackRegister, AFailureAfterwardsUndoesNothing) {
  const auto with_failure = [](aclrtSnapShotStage stage, aclError (*operation)()) {
    EXPECT_OK(aclrtSnapShotCallbackRegister(stage, fail_once, nullptr));
    EXPECT_EQ(operation(), 507912);
    EXPECT_OK(aclrtSnapShotCallbackUnregister(stage, fail_once));
  };
  EXPECT_OK(lock());
  with_failure(ACL_RT_SNAPSHOT_BACKUP_POST, back_up);
  with_failure(ACL_RT_SNAPSHOT_RESTORE_POST, restore);
  with_failure(ACL_RT_SNAPSHOT_UNLOCK_POST, unlock);
  EXPECT_FAILS(507907, "EE1018", aclrtSnapShotProcessUnlock(getpid(), nullptr));
}

uint32_t use_the_api(int32_t /*device*/, void* argument) {
  static_cast<DeviceBuffer*>(argument)->write(pattern(64, 4));
  EXPECT_FAILS(507906, "EE1018",
               aclrtSnapShotProcessLock(getpid(), nullptr));  // another operation is under way
  EXPECT_FAILS(507907, "EE1018", aclrtSnapShotProcessUnlock(getpid(), nullptr));
  EXPECT_OK(aclrtSnapShotCallbackRegister(ACL_RT_SNAPSHOT_BACKUP_PRE, succeed, nullptr));
  EXPECT_OK(aclrtSnapShotCallbackUnregister(ACL_RT_SNAPSHOT_BACKUP_PRE, succeed));
  return 0;
}

TEST_F(AclrtSnapShotCallbackRegister, CallbacksMayUseTheApi) {
  DeviceBuffer buffer(64);
  for (const aclrtSnapShotStage stage :
       {ACL_RT_SNAPSHOT_LOCK_PRE, ACL_RT_SNAPSHOT_BACKUP_PRE, ACL_RT_SNAPSHOT_UNLOCK_POST})
    EXPECT_OK(aclrtSnapShotCallbackRegister(stage, use_the_api, &buffer));
  EXPECT_OK(lock());
  EXPECT_OK(back_up());
  EXPECT_OK(unlock());
  for (const aclrtSnapShotStage stage :
       {ACL_RT_SNAPSHOT_LOCK_PRE, ACL_RT_SNAPSHOT_BACKUP_PRE, ACL_RT_SNAPSHOT_UNLOCK_POST})
    EXPECT_OK(aclrtSnapShotCallbackUnregister(stage, use_the_api));
}

uint32_t throw_something(int32_t /*device*/, void* /*argument*/) {
  throw std::runtime_error("no");
}

TEST_F(AclrtSnapShotCallbackRegister, AnExceptionIsAFailure) {
  EXPECT_OK(aclrtSnapShotCallbackRegister(ACL_RT_SNAPSHOT_LOCK_PRE, throw_something, nullptr));
  EXPECT_FAILS_WITH(507912, aclrtSnapShotProcessLock(getpid(), nullptr));
  EXPECT_OK(aclrtSnapShotCallbackUnregister(ACL_RT_SNAPSHOT_LOCK_PRE, throw_something));
  EXPECT_OK(lock());
  EXPECT_OK(unlock());
}

jmp_buf way_out;

uint32_t jump_away(int32_t /*device*/, void* /*argument*/) {
  longjmp(way_out, 1);
}

TEST_F(AclrtSnapShotCallbackRegister, AJumpOutOfACallbackEndsTheOperation) {
  EXPECT_OK(aclrtSnapShotCallbackRegister(ACL_RT_SNAPSHOT_LOCK_PRE, jump_away, nullptr));
  if (setjmp(way_out) == 0) {
    lock();
    ADD_FAILURE() << "the call came back";
  }
  EXPECT_OK(aclrtSnapShotCallbackUnregister(ACL_RT_SNAPSHOT_LOCK_PRE, jump_away));
  EXPECT_OK(lock());
  EXPECT_OK(unlock());
}

}  // namespace
}  // namespace conformance::snapshots::aclrtSnapShotCallbackRegister_test
