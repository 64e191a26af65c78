// SPDX-License-Identifier: Apache-2.0
// aclprofMarkEx: a mark of the host and one of the stream.
#include "support/checks_with_context.h"
#include "support/profiling.h"
#include "support/streams.h"

namespace conformance::profiling::aclprofMarkEx_test {
namespace {

struct Arguments {
  const char* text = "text";
  size_t length = 4;
  aclrtStream stream = nullptr;
  bool has_context = true;
};

using AclprofMarkEx = WithStream;

TEST_F(AclprofMarkEx, ChecksItsArgumentsInTheirOrder) {
  static const std::string long_text(128, 'x');
  const streams::OtherContext other;
  aclrtStream foreign = nullptr;
  {
    const streams::Inside inside(other);
    EXPECT_OK(aclrtCreateStream(&foreign));
  }
  aclrtStream dead = streams::Stream().release();
  EXPECT_OK(aclrtDestroyStream(dead));
  Arguments valid;
  valid.stream = stream_;
  expect_checked_with_context<Arguments>(
      "aclprofMarkEx", valid,
      [](const Arguments& a) { return aclprofMarkEx(a.text, a.length, a.stream); },
      {{"NULL", [](Arguments& a) { a.text = nullptr; }, 100000, "EH0008"},
       {"too long",
        [](Arguments& a) {
          a.text = a.text == nullptr ? nullptr : long_text.c_str();
          a.length = 128;
        },
        100000, "EH0007"},
       {"another length", [](Arguments& a) { a.length = a.length == 128 ? 128 : 3; }, 100000, ""},
       {"dead stream", [&](Arguments& a) { a.stream = dead; }, 107017, ""},
       {"no context", [](Arguments& a) { a.has_context = false; }, 107002, ""},
       {"other context", [&](Arguments& a) { a.stream = foreign; }, 107003, ""}});
}

TEST_F(AclprofMarkEx, NotesTheCallAndTheTask) {
  const Session session;
  int32_t id = -1;
  EXPECT_OK(aclrtStreamGetId(stream_, &id));
  const Recorded recorded;
  {
    Gate gate(stream_);
    EXPECT_OK(aclprofMarkEx("first", 5, stream_));
    EXPECT_OK(aclprofMarkEx("second", 6, stream_));
    if (devices_are_real()) {
      EXPECT_EQ(recorded.texts(), (Texts{"0 first", "0 second"}));
    }
  }
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  if (!devices_are_real()) GTEST_SKIP() << "the device does not keep the order";
  ASSERT_EQ(recorded.texts(), (Texts{"0 first", "0 second", "0 first", "0 second"}));
  const std::vector<ferryRecordedMark> marks = recorded.marks();
  for (const size_t call : {size_t{0}, size_t{1}}) {
    EXPECT_EQ(marks[call].stream, -1);
    EXPECT_EQ(marks[call].task, FERRY_NO_TASK);
    EXPECT_EQ(marks[call + 2].stream, id);
    EXPECT_NE(marks[call + 2].task, FERRY_NO_TASK);
    EXPECT_EQ(marks[call + 2].thread, marks[call].thread);
  }
  EXPECT_EQ(marks[3].task, marks[2].task + 1);
}

TEST_F(AclprofMarkEx, TakesTheDefaultStreamAndTheLongestText) {
  const Session session;
  const Recorded recorded;
  const std::string longest(127, 'x');
  EXPECT_OK(aclprofMarkEx(longest.c_str(), 127, nullptr));
  EXPECT_OK(aclprofMarkEx("", 0, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(recorded.marks().size(), 4U);
}

TEST_F(AclprofMarkEx, SucceedsWithoutRecording) {
  const Recorded recorded;
  EXPECT_OK(aclprofMarkEx("mark", 4, stream_));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_TRUE(recorded.marks().empty());
}

TEST_F(AclprofMarkEx, IsDroppedWithItsStream) {
  if (!devices_are_real()) GTEST_SKIP() << "the device does not keep the order";
  const Session session;
  const Recorded recorded;
  Gate gate(stream_);
  EXPECT_OK(aclprofMarkEx("mark", 4, stream_));
  gate.wait_until_reached();
  EXPECT_OK(aclrtStreamAbort(stream_));
  gate.open();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(recorded.texts(), Texts{"0 mark"});
}

}  // namespace
}  // namespace conformance::profiling::aclprofMarkEx_test
