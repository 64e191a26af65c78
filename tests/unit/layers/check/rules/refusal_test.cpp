// SPDX-License-Identifier: Apache-2.0
// The runtime's own text about a refused call.
#include "layers/check/rules/refusal.h"

#include "base/error_state.h"
#include "base/status.h"

#include <gtest/gtest.h>

namespace ferry::layers::check {
namespace {

const void* const kHandle = reinterpret_cast<void*>(0x50);

void fail_in(const char* function) {
  const CallScope scope(function);
  static_cast<void>(fail_handle(ACL_ERROR_RT_INVALID_HANDLE, "event", kHandle, "event"));
}

TEST(Refusal, HasTheFieldsOfTheError) {
  fail_in("aclrtRecordEvent");
  const Call call(Function::aclrtRecordEvent, "(event, stream)", {});
  EXPECT_EQ(refusal_of(call).handle, kHandle);
  EXPECT_STREQ(refusal_of(call).argument(), "event");
}

TEST(Refusal, LeavesTheMessageCodeOut) {
  fail_in("aclrtRecordEvent");
  const Call call(Function::aclrtRecordEvent, "(event, stream)", {});
  EXPECT_EQ(refusal_text(call),
            "aclrtRecordEvent: event is 0x50, which is not a live event: it was destroyed or never "
            "was one");
}

TEST(Refusal, AnErrorOfAnotherCallDoesNotCount) {
  fail_in("aclrtRecordEventWithFlag");
  const Call call(Function::aclrtRecordEvent, "(event, stream)", {});
  EXPECT_EQ(refusal_of(call).code, ACL_SUCCESS);
  EXPECT_EQ(refusal_text(call), "aclrtRecordEvent: the call was refused");
}

}  // namespace
}  // namespace ferry::layers::check
