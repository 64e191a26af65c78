// SPDX-License-Identifier: Apache-2.0
// aclGetRecentErrMsg: the text of the latest failure. The text shared by the whole process is
// tested with aclInit.
#include "support/devices.h"

namespace conformance::aclGetRecentErrMsg_test {
namespace {

TEST(AclGetRecentErrMsg, AnswersNullWhenNothingWasRecorded) {
  on_new_thread([] {
    EXPECT_EQ(nullptr, aclGetRecentErrMsg());
    EXPECT_EQ(nullptr, aclGetRecentErrMsg());
    EXPECT_OK(aclrtSetDevice(0));
    EXPECT_EQ(nullptr, aclGetRecentErrMsg());
    EXPECT_OK(aclrtResetDevice(0));
  });
}

TEST(AclGetRecentErrMsg, TakesTheText) {
  aclrtGetDeviceCount(nullptr);
  const char* text = aclGetRecentErrMsg();
  ASSERT_NE(nullptr, text);
  EXPECT_STREQ("aclrtGetDeviceCount: ", std::string(text).substr(0, 21).c_str());
  EXPECT_EQ(nullptr, aclGetRecentErrMsg());
}

TEST(AclGetRecentErrMsg, NamesFunctionArgumentAndValueInOneLine) {
  ASSERT_OK(aclrtSetDevice(0));
  {
    DeviceBuffer device(64);
    PinnedBuffer host(64);
    EXPECT_EQ(ACL_ERROR_RT_PARAM_INVALID, aclrtMemcpyAsync(device.get(), 63, host.get(), 64,
                                                           ACL_MEMCPY_HOST_TO_DEVICE, nullptr));
    EXPECT_EQ("aclrtMemcpyAsync: count is 64, allowed is 0 to destMax = 63 (EE1003)",
              recent_text());
  }
  EXPECT_OK(aclrtResetDevice(0));
  clear_errors();
}

TEST(AclGetRecentErrMsg, KeepsTheLatestText) {
  aclrtGetDeviceCount(nullptr);
  aclrtGetRunMode(nullptr);
  EXPECT_EQ(0u, recent_text().find("aclrtGetRunMode: "));
  EXPECT_EQ(nullptr, aclGetRecentErrMsg());
}

TEST(AclGetRecentErrMsg, IsNotClearedBySuccess) {
  aclrtGetDeviceCount(nullptr);
  EXPECT_GE(device_count(), 1u);
  EXPECT_EQ(0u, recent_text().find("aclrtGetDeviceCount: "));
}

TEST(AclGetRecentErrMsg, IsGoodUntilTheNextCallOfTheThread) {
  aclrtGetDeviceCount(nullptr);
  const char* text = aclGetRecentErrMsg();
  ASSERT_NE(nullptr, text);
  const std::string copy = text;
  for (int i = 0; i < 100; ++i)
    aclrtSetDevice(1000000 + i);
  on_new_thread([] {
    aclrtGetRunMode(nullptr);
    aclGetRecentErrMsg();
  });
  EXPECT_EQ(copy, text);
  clear_errors();
}

TEST(AclGetRecentErrMsg, KeepsTextsOfThreadsApart) {
  clear_errors();
  on_new_thread([] {
    aclrtGetDeviceCount(nullptr);
    on_new_thread([] { EXPECT_EQ(nullptr, aclGetRecentErrMsg()); });
    EXPECT_EQ(0u, recent_text().find("aclrtGetDeviceCount: "));
  });
  EXPECT_EQ(nullptr, aclGetRecentErrMsg());
}

TEST(AclGetRecentErrMsg, LeavesTheLastErrorAlone) {
  aclrtSetDevice(-1);
  aclGetRecentErrMsg();
  EXPECT_EQ(ACL_ERROR_RT_INVALID_DEVICEID, last_error());
  clear_errors();
}

TEST(AclGetRecentErrMsg, IsRecordedAlsoWhereTheLastErrorIsNot) {
  on_new_thread([] {
    aclrtContext context = nullptr;
    EXPECT_EQ(ACL_ERROR_RT_CONTEXT_NULL, aclrtGetCurrentContext(&context));
    EXPECT_EQ(ACL_SUCCESS, last_error());
    EXPECT_EQ(0u, recent_text().find("aclrtGetCurrentContext: "));
  });
}

TEST(AclGetRecentErrMsg, TellsTheCallThatQueuedAFailedTask) {
  ASSERT_OK(aclrtSetDevice(0));
  {
    BadCopy copy;
    copy.queue(nullptr);
    EXPECT_EQ(ACL_ERROR_RT_TS_ERROR, aclrtSynchronizeStream(nullptr));
    const std::string text = recent_text();
    EXPECT_EQ(0u, text.find("aclrtSynchronizeStream: ")) << text;
    EXPECT_NE(std::string::npos, text.find("aclrtMemcpyAsync")) << text;
  }
  EXPECT_OK(aclrtResetDevice(0));
  clear_errors();
}

}  // namespace
}  // namespace conformance::aclGetRecentErrMsg_test
