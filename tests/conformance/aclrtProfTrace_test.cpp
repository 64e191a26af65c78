// SPDX-License-Identifier: Apache-2.0
// aclrtProfTrace: 18 bytes of the program, noted in stream order.
#include "support/checks_with_context.h"
#include "support/profiling.h"
#include "support/streams.h"

namespace conformance::profiling::aclrtProfTrace_test {
namespace {

struct Arguments {
  char bytes[18] = {};
  bool is_null = false;
  int32_t length = 18;
  aclrtStream stream = nullptr;
  bool has_context = true;
};

using AclrtProfTrace = WithStream;

TEST_F(AclrtProfTrace, ChecksItsArgumentsInTheirOrder) {
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
  const auto call = [](Arguments& a) {
    return aclrtProfTrace(a.is_null ? nullptr : a.bytes, a.length, a.stream);
  };
  for (const int32_t length : {0, -1, 19, INT32_MIN, INT32_MAX}) {
    expect_checked_with_context<Arguments>(
        "aclrtProfTrace", valid, call,
        {{"NULL", [](Arguments& a) { a.is_null = true; }, 100000, "EH0008"},
         {"length", [&](Arguments& a) { a.length = length; }, 107000, "EE1003"},
         {"dead stream", [&](Arguments& a) { a.stream = dead; }, 107017, ""},
         {"no context", [](Arguments& a) { a.has_context = false; }, 107002, ""},
         {"other context", [&](Arguments& a) { a.stream = foreign; }, 107003, ""}});
  }
}

TEST_F(AclrtProfTrace, NotesTheThreeNumbersWhenTheTaskRuns) {
  const Session session(ACL_PROF_TASK_TIME);
  int32_t id = -1;
  EXPECT_OK(aclrtStreamGetId(stream_, &id));
  const Recorded recorded;
  struct [[gnu::packed]] {
    uint64_t id;
    uint64_t model;
    uint16_t tag;
  } data = {0x1122334455667788, 0x99AABBCCDDEEFF00, 0xABCD};
  static_assert(sizeof data == 18);
  {
    Gate gate(stream_);
    EXPECT_OK(aclrtProfTrace(&data, 18, stream_));
    EXPECT_OK(aclrtProfTrace(&data, 9, stream_));
    data = {};  // it was copied
    if (devices_are_real()) {
      EXPECT_TRUE(recorded.marks().empty());
    }
  }
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  const std::vector<ferryRecordedMark> marks = recorded.marks();
  ASSERT_EQ(marks.size(), 2U);
  EXPECT_EQ(marks[0].kind, uint32_t{FERRY_TRACE_POINT});
  EXPECT_EQ(marks[0].id, 0x1122334455667788U);
  EXPECT_EQ(marks[0].model, 0x99AABBCCDDEEFF00U);
  EXPECT_EQ(marks[0].tag, 0xABCDU);
  EXPECT_EQ(marks[0].stream, id);
  EXPECT_EQ(marks[1].id, 0x1122334455667788U);
  EXPECT_EQ(marks[1].model, 0x00U);
  EXPECT_EQ(marks[1].tag, 0U);
}

TEST_F(AclrtProfTrace, TakesTheDefaultStreamAndDoesNothingWithoutRecording) {
  const Recorded recorded;
  char byte = 1;
  EXPECT_OK(aclrtProfTrace(&byte, 1, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_TRUE(recorded.marks().empty());
}

}  // namespace
}  // namespace conformance::profiling::aclrtProfTrace_test
