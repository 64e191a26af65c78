// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of aclrtExceptionInfoCallbackRegister and
// aclrtExceptionInfoCallbackUnregister: three callbacks that count their calls. Header only; a
// callback has no argument, so the counts belong to the process.
#pragma once

#include "support/devices.h"

#include <array>
#include <atomic>

namespace conformance::exception_counts {

constexpr size_t kCallbacks = 3;

inline std::array<std::atomic<int>, kCallbacks>& counts() {
  static std::array<std::atomic<int>, kCallbacks> all{};
  return all;
}

template <size_t kIndex>
void count(aclrtExceptionInfo* info) {
  EXPECT_EQ(507001u, aclrtGetErrorCodeFromExceptionInfo(info));
  ++counts()[kIndex];
}

// Makes one task of the stream fail, and returns how often each callback was called for it.
inline std::array<int, kCallbacks> calls_of_failure(aclrtStream stream) {
  for (std::atomic<int>& each : counts())
    each = 0;
  BadCopy copy;
  copy.queue(stream);
  EXPECT_EQ(ACL_ERROR_RT_TS_ERROR, aclrtSynchronizeStream(stream));
  clear_errors();
  return {counts()[0], counts()[1], counts()[2]};
}

class WithCounts : public WithStream {
 protected:
  void TearDown() override {
    EXPECT_OK(aclrtSetExceptionInfoCallback(nullptr));
    EXPECT_OK(aclrtExceptionInfoCallbackUnregister(count<0>));
    EXPECT_OK(aclrtExceptionInfoCallbackUnregister(count<1>));
    EXPECT_OK(aclrtExceptionInfoCallbackUnregister(count<2>));
    WithStream::TearDown();
  }
  using Calls = std::array<int, kCallbacks>;
};

}  // namespace conformance::exception_counts
