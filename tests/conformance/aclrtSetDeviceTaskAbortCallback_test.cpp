// SPDX-License-Identifier: Apache-2.0
// aclrtSetDeviceTaskAbortCallback: a function that is called before and after the tasks of a device
// are aborted, and may refuse.
#include "support/streams.h"

namespace conformance::aclrtSetDeviceTaskAbortCallback_test {
namespace {

using streams::kBadArgument;
using streams::kBadValue;
using streams::Mark;

constexpr aclError kInternal = 507000;

struct Calls {
  std::vector<aclrtDeviceTaskAbortStage> stages;
  std::vector<uint32_t> timeouts;
  std::vector<int32_t> answers;  // one per call; 0 when there are no more
};

int32_t note(int32_t device, aclrtDeviceTaskAbortStage stage, uint32_t timeout, void* self) {
  auto& calls = *static_cast<Calls*>(self);
  EXPECT_EQ(0, device);
  calls.stages.push_back(stage);
  calls.timeouts.push_back(timeout);
  const size_t call = calls.stages.size() - 1;
  return call < calls.answers.size() ? calls.answers[call] : 0;
}

class AclrtSetDeviceTaskAbortCallback : public WithStream {
 protected:
  void SetUp() override {
    WithStream::SetUp();
    EXPECT_OK(aclrtSetDeviceTaskAbortCallback("noting", note, &calls_));
  }
  void TearDown() override {
    EXPECT_OK(aclrtSetDeviceTaskAbortCallback("noting", nullptr, nullptr));
    WithStream::TearDown();
  }

  Calls calls_;
};

TEST_F(AclrtSetDeviceTaskAbortCallback, IsCalledBeforeAndAfter) {
  EXPECT_OK(aclrtDeviceTaskAbort(0, 60000));
  EXPECT_EQ((std::vector{ACL_RT_DEVICE_TASK_ABORT_PRE, ACL_RT_DEVICE_TASK_ABORT_POST}),
            calls_.stages);
  EXPECT_EQ((std::vector<uint32_t>{60000, 60000}), calls_.timeouts);
}

TEST_F(AclrtSetDeviceTaskAbortCallback, PreventsTheAbortWhenItRefusesBefore) {
  Mark mark;
  Gate gate(stream_);
  EXPECT_OK(mark.queue(stream_));
  calls_.answers = {7};
  EXPECT_FAILS_WITH(kInternal, aclrtDeviceTaskAbort(0, 0));
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_TRUE(mark.is_reached());
  EXPECT_EQ((std::vector{ACL_RT_DEVICE_TASK_ABORT_PRE}), calls_.stages);
}

TEST_F(AclrtSetDeviceTaskAbortCallback, FailsTheCallWhenItRefusesAfter) {
  Mark mark;
  Gate gate(stream_);
  EXPECT_OK(mark.queue(stream_));
  gate.wait_until_reached();
  calls_.answers = {0, -1};
  EXPECT_FAILS_WITH(kInternal, aclrtDeviceTaskAbort(0, 0));
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_FALSE(mark.is_reached());
}

TEST_F(AclrtSetDeviceTaskAbortCallback, RefusesANameInUse) {
  EXPECT_FAILS(kBadValue, "EE1017", aclrtSetDeviceTaskAbortCallback("noting", note, nullptr));
}

TEST_F(AclrtSetDeviceTaskAbortCallback, IsNotCalledOnceRemoved) {
  EXPECT_OK(aclrtSetDeviceTaskAbortCallback("noting", nullptr, nullptr));
  EXPECT_OK(aclrtDeviceTaskAbort(0, 0));
  EXPECT_TRUE(calls_.stages.empty());
}

TEST(AclrtSetDeviceTaskAbortCallbackArguments, NeedsAName) {
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtSetDeviceTaskAbortCallback(nullptr, note, nullptr));
  EXPECT_OK(aclrtSetDeviceTaskAbortCallback("nobody", nullptr, nullptr));
}

}  // namespace
}  // namespace conformance::aclrtSetDeviceTaskAbortCallback_test
