// SPDX-License-Identifier: Apache-2.0
// The runtime's own text about a refused call.
#include "layers/check/rules/refusal.h"

#include "base/error_state.h"

#include <gtest/gtest.h>

namespace ferry::layers::check {
namespace {

std::string text_after(const char* recorded) {
  record_error(ACL_ERROR_RT_INVALID_HANDLE, recorded, LastError::kKeep);
  const Call call(Function::aclrtRecordEvent, "(event, stream)", {});
  return refusal_text(call);
}

TEST(Refusal, TheCodeInBracketsIsLeftOut) {
  EXPECT_EQ(text_after("aclrtRecordEvent: event is 0x5, which is not a live event (EE1017)"),
            "aclrtRecordEvent: event is 0x5, which is not a live event");
}

TEST(Refusal, OtherBracketsStay) {
  EXPECT_EQ(text_after("aclrtRecordEvent: stream is 0x5 (id 3), of device 1"),
            "aclrtRecordEvent: stream is 0x5 (id 3), of device 1");
}

TEST(Refusal, ATextOfAnotherCallDoesNotCount) {
  EXPECT_EQ(text_after("aclrtRecordEventWithFlag: event is 0x5 (EE1017)"),
            "aclrtRecordEvent: the call was refused");
}

TEST(Refusal, TheArgumentComesFirst) {
  EXPECT_EQ(blamed_argument("aclrtRecordEvent: event is 0x5, which is dead"), "event");
  EXPECT_EQ(blamed_argument("aclrtNotifyBatchReset: notifies[2] is 0x5, which is dead"),
            "notifies[2]");
  EXPECT_EQ(blamed_argument("aclrtMalloc: the calling thread has none"), "");
  EXPECT_EQ(blamed_argument("aclrtMalloc: what it is is unknown"), "");
  EXPECT_EQ(blamed_argument(""), "");
}

}  // namespace
}  // namespace ferry::layers::check
