// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of counting notifies, which only a 950 product has: each test runs in a
// process of its own that emulates one.
#pragma once

#include "support/streams.h"

#include <functional>

namespace conformance::counting {

#define FERRY_COUNTING_TEST(suite, name) \
  FERRY_PROCESS_TEST(suite, name, "FERRY_SOC=Ascend950PR_9599")

constexpr aclError kSyncTimedOut = 507046;
constexpr aclError kTaskTimedOut = 107020;

// A device for the body of such a test.
class SetDevice {
 public:
  SetDevice() { EXPECT_OK(aclrtSetDevice(0)); }
  ~SetDevice() { EXPECT_OK(aclrtResetDevice(0)); }
  SetDevice(const SetDevice&) = delete;
  SetDevice& operator=(const SetDevice&) = delete;
};

class CountingNotify {
 public:
  CountingNotify() { EXPECT_OK(aclrtCntNotifyCreate(&handle_, 0)); }
  ~CountingNotify() {
    if (handle_ != nullptr) {
      EXPECT_OK(aclrtCntNotifyDestroy(handle_));
    }
  }
  CountingNotify(const CountingNotify&) = delete;
  CountingNotify& operator=(const CountingNotify&) = delete;

  operator aclrtCntNotify() const { return handle_; }
  aclrtCntNotify release() { return std::exchange(handle_, nullptr); }

  aclError record(uint32_t mode, uint32_t value, aclrtStream stream) const {
    aclrtCntNotifyRecordInfo info{static_cast<aclrtCntNotifyRecordMode>(mode), value};
    return aclrtCntNotifyRecord(handle_, stream, &info);
  }
  aclError wait(uint32_t mode, uint32_t value, aclrtStream stream, uint8_t clears = 0,
                uint32_t seconds = 0) const {
    aclrtCntNotifyWaitInfo info{
        static_cast<aclrtCntNotifyWaitMode>(mode), value, seconds, clears, {}};
    return aclrtCntNotifyWaitWithTimeout(handle_, stream, &info);
  }

 private:
  aclrtCntNotify handle_ = nullptr;
};

// Whether the count is `count` now.
inline bool has_count(const CountingNotify& notify, uint32_t count) {
  const streams::Stream stream;
  EXPECT_OK(notify.wait(ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE, count, stream));
  const bool is_there = aclrtSynchronizeStreamWithTimeout(stream, 100) == ACL_SUCCESS;
  EXPECT_OK(aclrtStreamAbort(stream));
  clear_errors();
  return is_there;
}

}  // namespace conformance::counting
