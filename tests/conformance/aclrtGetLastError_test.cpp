// SPDX-License-Identifier: Apache-2.0
// aclrtGetLastError: returns and clears the last error of a thread.
#include "support/devices.h"

namespace conformance::aclrtGetLastError_test {
namespace {

aclError answer() {
  return aclrtGetLastError(ACL_RT_THREAD_LEVEL);
}

TEST(AclrtGetLastError, AnswersSuccessAtFirst) {
  on_new_thread([] {
    EXPECT_EQ(ACL_SUCCESS, answer());
    EXPECT_EQ(nullptr, aclGetRecentErrMsg());
  });
}

TEST(AclrtGetLastError, ClearsWhatItAnswers) {
  aclrtSetDevice(-1);
  EXPECT_EQ(ACL_ERROR_RT_INVALID_DEVICEID, answer());
  EXPECT_EQ(ACL_SUCCESS, answer());
  EXPECT_EQ(ACL_SUCCESS, aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL));
  clear_errors();
}

TEST(AclrtGetLastError, KnowsTheLatestRuntimeCode) {
  aclrtSetDevice(-1);
  aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_UNDEF);
  EXPECT_EQ(ACL_ERROR_RT_PARAM_INVALID, answer());
  clear_errors();
}

TEST(AclrtGetLastError, IsNotClearedBySuccess) {
  aclrtSetDevice(-1);
  EXPECT_GE(device_count(), 1u);
  EXPECT_EQ(ACL_ERROR_RT_INVALID_DEVICEID, answer());
  clear_errors();
}

TEST(AclrtGetLastError, IgnoresCodesOfTheUpperLayer) {
  aclrtSetDevice(-1);
  EXPECT_EQ(ACL_ERROR_INVALID_PARAM, aclrtGetDeviceCount(nullptr));
  EXPECT_EQ(ACL_ERROR_RT_INVALID_DEVICEID, answer());
  clear_errors();
}

TEST(AclrtGetLastError, RefusesOtherLevelsAndChangesNothing) {
  aclrtSetDevice(-1);
  for (const int level : {1, -1, 2, INT_MAX, INT_MIN}) {
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "EH0007",
                 aclrtGetLastError(static_cast<aclrtLastErrLevel>(level)));
  }
  EXPECT_EQ(ACL_ERROR_RT_INVALID_DEVICEID, answer());
  clear_errors();
}

TEST(AclrtGetLastError, BelongsToTheThread) {
  aclrtSetDevice(-1);
  on_new_thread([] {
    EXPECT_EQ(ACL_SUCCESS, answer());
    aclrtResetDevice(0);
    EXPECT_EQ(ACL_ERROR_RT_CONTEXT_RELEASE_ERROR, answer());
  });
  EXPECT_EQ(ACL_ERROR_RT_INVALID_DEVICEID, answer());
  clear_errors();
}

TEST(AclrtGetLastError, SeesFailuresOfQueuedWorkAtTheSynchronisation) {
  ASSERT_OK(aclrtSetDevice(0));
  {
    BadCopy copy;
    copy.queue(nullptr);
    EXPECT_EQ(ACL_ERROR_RT_TS_ERROR, aclrtSynchronizeStream(nullptr));
    EXPECT_EQ(ACL_ERROR_RT_TS_ERROR, answer());
  }
  EXPECT_OK(aclrtResetDevice(0));
  clear_errors();
}

TEST(AclrtGetLastError, DoesNotSeeRefusalsThatLeaveItAlone) {
  ASSERT_OK(aclrtSetDevice(0));
  clear_errors();
  {
    PinnedBuffer first(64), second(64);
    EXPECT_EQ(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclrtMemcpyAsync(first.get(), 64, second.get(), 64,
                                                                 ACL_MEMCPY_HOST_TO_HOST, nullptr));
    EXPECT_EQ(ACL_SUCCESS, answer());
  }
  EXPECT_OK(aclrtResetDevice(0));
  clear_errors();
}

}  // namespace
}  // namespace conformance::aclrtGetLastError_test
