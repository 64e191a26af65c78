// SPDX-License-Identifier: Apache-2.0
// aclprofDestroyStepInfo: a destroyed step is known as such.
#include "support/profiling.h"

namespace conformance::profiling::aclprofDestroyStepInfo_test {
namespace {

using AclprofDestroyStepInfo = WithStream;

TEST_F(AclprofDestroyStepInfo, EndsTheStep) {
  aclprofStepInfo* step = aclprofCreateStepInfo();
  EXPECT_OK(aclprofGetStepTimestamp(step, ACL_STEP_START, stream_));
  aclprofDestroyStepInfo(step);  // its task may still be queued
  EXPECT_FAILS(100000, "EH0009", aclprofGetStepTimestamp(step, ACL_STEP_END, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclprofDestroyStepInfo, TellsWhatIsNoStep) {
  clear_errors();
  aclprofDestroyStepInfo(nullptr);
  EXPECT_NE(recent_text().find("stepInfo is NULL"), std::string::npos);
  int something = 0;
  aclprofDestroyStepInfo(reinterpret_cast<aclprofStepInfo*>(&something));
  EXPECT_NE(recent_text().find("not a live step"), std::string::npos);
}

}  // namespace
}  // namespace conformance::profiling::aclprofDestroyStepInfo_test
