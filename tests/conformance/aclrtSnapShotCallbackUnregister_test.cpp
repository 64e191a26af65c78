// SPDX-License-Identifier: Apache-2.0
// aclrtSnapShotCallbackUnregister: only what is registered for the stage.
#include "support/snapshots.h"

namespace conformance::snapshots::aclrtSnapShotCallbackUnregister_test {
namespace {

using AclrtSnapShotCallbackUnregister = WithSnapshot;

uint32_t must_not_be_called(int32_t /*device*/, void* /*argument*/) {
  ADD_FAILURE() << "it was removed";
  return 0;
}

TEST_F(AclrtSnapShotCallbackUnregister, RefusesWhatIsNotRegistered) {
  const auto remove = [](int stage, aclrtSnapShotCallBack callback) {
    return aclrtSnapShotCallbackUnregister(static_cast<aclrtSnapShotStage>(stage), callback);
  };
  EXPECT_TRUE(
      fails_as("", "", "aclrtSnapShotCallbackUnregister", 100000, "EH0008", remove(0, nullptr)));
  EXPECT_TRUE(fails_as("", "", "aclrtSnapShotCallbackUnregister", 107000, "EE1003",
                       remove(6, must_not_be_called)));
  EXPECT_TRUE(fails_as("", "", "aclrtSnapShotCallbackUnregister", 107000, "EE1003",
                       remove(-1, must_not_be_called)));
  EXPECT_TRUE(fails_as("", "", "aclrtSnapShotCallbackUnregister", 107000, "EE1017",
                       remove(0, must_not_be_called)));
  EXPECT_OK(aclrtSnapShotCallbackRegister(ACL_RT_SNAPSHOT_LOCK_PRE, must_not_be_called, nullptr));
  EXPECT_TRUE(fails_as("", "", "aclrtSnapShotCallbackUnregister", 107000, "EE1017",
                       remove(1, must_not_be_called)));
  EXPECT_OK(remove(0, must_not_be_called));
  EXPECT_TRUE(fails_as("", "", "aclrtSnapShotCallbackUnregister", 107000, "EE1017",
                       remove(0, must_not_be_called)));
  EXPECT_OK(lock());
  EXPECT_OK(unlock());
}

}  // namespace
}  // namespace conformance::snapshots::aclrtSnapShotCallbackUnregister_test
