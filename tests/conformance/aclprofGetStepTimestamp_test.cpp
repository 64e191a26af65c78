// SPDX-License-Identifier: Apache-2.0
// aclprofGetStepTimestamp: begin and end of a step in stream order.
#include "support/checks_with_context.h"
#include "support/profiling.h"
#include "support/streams.h"

namespace conformance::profiling::aclprofGetStepTimestamp_test {
namespace {

struct Arguments {
  aclprofStepInfo* step = nullptr;
  int tag = ACL_STEP_START;
  aclrtStream stream = nullptr;
  bool has_context = true;
};

class AclprofGetStepTimestamp : public WithStream {
 protected:
  void TearDown() override {
    aclprofDestroyStepInfo(step_);
    WithStream::TearDown();
  }
  aclError stamp(aclprofStepTag tag) { return aclprofGetStepTimestamp(step_, tag, stream_); }

  aclprofStepInfo* step_ = aclprofCreateStepInfo();
};

TEST_F(AclprofGetStepTimestamp, ChecksItsArgumentsInTheirOrder) {
  const streams::OtherContext other;
  aclrtStream foreign = nullptr;
  {
    const streams::Inside inside(other);
    EXPECT_OK(aclrtCreateStream(&foreign));
  }
  aclrtStream dead = streams::Stream().release();
  EXPECT_OK(aclrtDestroyStream(dead));
  Arguments valid;
  valid.step = step_;
  valid.stream = stream_;
  expect_checked_with_context<Arguments>(
      "aclprofGetStepTimestamp", valid,
      [](const Arguments& a) {
        return aclprofGetStepTimestamp(a.step, static_cast<aclprofStepTag>(a.tag), a.stream);
      },
      {{"step NULL", [](Arguments& a) { a.step = nullptr; }, 100000, "EH0008"},
       {"no step", [](Arguments& a) { a.step = reinterpret_cast<aclprofStepInfo*>(8); }, 100000,
        "EH0009"},
       {"tag", [](Arguments& a) { a.tag = 2; }, 100000, "EH0007"},
       {"end first", [](Arguments& a) { a.tag = ACL_STEP_END; }, 100000, "EH0009"},
       {"dead stream", [&](Arguments& a) { a.stream = dead; }, 107017, ""},
       {"no context", [](Arguments& a) { a.has_context = false; }, 107002, ""},
       {"other context", [&](Arguments& a) { a.stream = foreign; }, 107003, ""}});
  EXPECT_FAILS(100000, "EH0008", aclprofGetStepTimestamp(step_, ACL_STEP_START, nullptr));
}

TEST_F(AclprofGetStepTimestamp, StartAndEndAlternate) {
  EXPECT_OK(stamp(ACL_STEP_START));
  EXPECT_TRUE(fails_as("", "", "aclprofGetStepTimestamp", 100000, "EH0009", stamp(ACL_STEP_START)));
  EXPECT_OK(stamp(ACL_STEP_END));
  EXPECT_TRUE(fails_as("", "", "aclprofGetStepTimestamp", 100000, "EH0009", stamp(ACL_STEP_END)));
  EXPECT_OK(stamp(ACL_STEP_START));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclprofGetStepTimestamp, IsNotedWhenTheStreamGetsThere) {
  const Session session(ACL_PROF_TASK_TIME);
  int32_t id = -1;
  EXPECT_OK(aclrtStreamGetId(stream_, &id));
  const Recorded recorded;
  {
    Gate gate(stream_);
    EXPECT_OK(stamp(ACL_STEP_START));
    EXPECT_OK(stamp(ACL_STEP_END));
    EXPECT_OK(stamp(ACL_STEP_START));
    if (devices_are_real()) {
      EXPECT_TRUE(recorded.marks().empty());
    }
  }
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  if (!devices_are_real()) GTEST_SKIP() << "the device does not keep the order";
  const std::vector<ferryRecordedMark> marks = recorded.marks();
  ASSERT_EQ(recorded.texts(), (Texts{"5 ", "6 ", "5 "}));
  EXPECT_EQ(marks[0].id, marks[1].id);
  EXPECT_NE(marks[0].id, marks[2].id);
  for (const ferryRecordedMark& mark : marks)
    EXPECT_EQ(mark.stream, id);
}

TEST_F(AclprofGetStepTimestamp, SucceedsWithoutRecording) {
  const Recorded recorded;
  EXPECT_OK(stamp(ACL_STEP_START));
  EXPECT_OK(stamp(ACL_STEP_END));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_TRUE(recorded.marks().empty());
}

}  // namespace
}  // namespace conformance::profiling::aclprofGetStepTimestamp_test
