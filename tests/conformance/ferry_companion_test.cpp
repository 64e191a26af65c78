// SPDX-License-Identifier: Apache-2.0
// The functions of ferry/companion.h, for the libraries beside this one.
#include "support/conformance.h"

#include "ferry/companion.h"

#include <cstdlib>

namespace conformance::ferry_companion_test {
namespace {

TEST(FerryRecordError, KeepsTheTextForTheThread) {
  clear_errors();
  EXPECT_EQ(500004, ferryRecordError("HcclSend", 500004, "nothing is 100% there"));
  EXPECT_EQ("HcclSend: nothing is 100% there (WE0001)", recent_text());
  EXPECT_EQ(ACL_SUCCESS, aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL));
  EXPECT_EQ(100000, ferryRecordError("HcclSend", 100000, "x is NULL"));
  on_new_thread([] { EXPECT_EQ("", recent_text()); });
  EXPECT_EQ("HcclSend: x is NULL (EH0009)", recent_text());
}

TEST(FerryRecordError, OfARuntimeCodeIsTheLastError) {
  clear_errors();
  EXPECT_EQ(107000, ferryRecordError("f", 107000, "text"));
  EXPECT_EQ(107000, aclrtGetLastError(ACL_RT_THREAD_LEVEL));
  clear_errors();
}

TEST(FerryRecordError, RefusesWhatIsNoFailure) {
  EXPECT_FAILS(100000, "EH0008", ferryRecordError(nullptr, 1, "text"));
  EXPECT_FAILS(100000, "EH0008", ferryRecordError("f", 1, nullptr));
  EXPECT_FAILS(100000, "EH0007", ferryRecordError("f", 0, "text"));
}

FERRY_PROCESS_TEST(FerryGetPhysicalDeviceCount, CountsInvisibleDevicesToo, "FERRY_DEVICES=cpu:3",
                   "ASCEND_RT_VISIBLE_DEVICES=1") {
  uint32_t count = 0;
  EXPECT_OK(ferryGetPhysicalDeviceCount(&count));
  EXPECT_EQ(3u, count);
  EXPECT_OK(aclrtGetDeviceCount(&count));
  EXPECT_EQ(1u, count);
  EXPECT_FAILS(100000, "EH0008", ferryGetPhysicalDeviceCount(nullptr));
}

FERRY_PROCESS_TEST(FerryGetPhysicalDeviceCount, LeavesTheVisibleDevicesOpen,
                   "FERRY_DEVICES=cpu:2,null,cpu") {
  uint32_t count = 0;
  EXPECT_OK(ferryGetPhysicalDeviceCount(&count));
  EXPECT_EQ(4u, count);
  setenv("ASCEND_RT_VISIBLE_DEVICES", "0,1,3", 1);
  EXPECT_OK(aclrtGetDeviceCount(&count));
  EXPECT_EQ(3u, count);
  EXPECT_OK(ferryGetPhysicalDeviceCount(&count));
  EXPECT_EQ(4u, count);
}

FERRY_PROCESS_TEST(FerryGetPhysicalDeviceCount, FailsWithAWrongConfiguration,
                   "FERRY_DEVICES=nothing") {
  uint32_t count = 7;
  EXPECT_NE(ACL_SUCCESS, ferryGetPhysicalDeviceCount(&count));
  EXPECT_EQ(7u, count);
  EXPECT_NE(std::string::npos, recent_text().find("FERRY_DEVICES"));
}

FERRY_PROCESS_TEST(FerryIsLogged, FollowsTheVariable, "FERRY_LOG=warn:/dev/null") {
  EXPECT_EQ(0, ferryIsLogged(ACL_DEBUG));
  EXPECT_EQ(0, ferryIsLogged(ACL_INFO));
  EXPECT_EQ(1, ferryIsLogged(ACL_WARNING));
  EXPECT_EQ(1, ferryIsLogged(ACL_ERROR));
}

}  // namespace
}  // namespace conformance::ferry_companion_test
