// SPDX-License-Identifier: Apache-2.0
// aclprofMark: points in time.
#include "support/at_once.h"
#include "support/profiling.h"

#include <sys/syscall.h>
#include <unistd.h>

namespace conformance::profiling::aclprofMark_test {
namespace {

TEST(AclprofMark, RefusesWhatIsNoStamp) {
  EXPECT_FAILS(100000, "EH0008", aclprofMark(nullptr));
  for (void* wrong : no_stamps())
    EXPECT_FAILS(100000, "EH0009", aclprofMark(wrong));
}

TEST(AclprofMark, SucceedsWithoutRecording) {
  const Recorded recorded;
  const Stamp stamp("mark");
  EXPECT_OK(aclprofMark(stamp.get()));
  EXPECT_TRUE(recorded.marks().empty());
}

TEST(AclprofMark, NotesTimeAndThread) {
  const Session session;
  const Recorded recorded;
  const Stamp stamp("mark");
  EXPECT_OK(aclprofMark(stamp.get()));
  on_new_thread([&] { EXPECT_OK(aclprofMark(stamp.get())); });
  const std::vector<ferryRecordedMark> marks = recorded.marks();
  ASSERT_EQ(marks.size(), 2U);
  EXPECT_LE(marks[0].time, marks[1].time);
  EXPECT_NE(marks[0].thread, marks[1].thread);
  EXPECT_EQ(marks[0].thread, static_cast<uint32_t>(syscall(SYS_gettid)));
  EXPECT_EQ(marks[0].stream, -1);
  EXPECT_EQ(marks[0].task, FERRY_NO_TASK);
  EXPECT_STREQ(marks[0].domain, "");
}

TEST(AclprofMark, FromManyThreadsLosesNone) {
  const Session session;
  const Recorded recorded;
  at_once(4, [](size_t number) {
    const Stamp stamp(std::to_string(number).c_str());
    for (int i = 0; i < 200; ++i)
      EXPECT_OK(aclprofMark(stamp.get()));
  });
  const std::vector<ferryRecordedMark> marks = recorded.marks();
  EXPECT_EQ(marks.size(), 800U);
  for (size_t i = 1; i < marks.size(); ++i)
    EXPECT_LE(marks[i - 1].time, marks[i].time);
}

}  // namespace
}  // namespace conformance::profiling::aclprofMark_test
