// SPDX-License-Identifier: Apache-2.0
// Ferry's own functions for marks: the list, its bounds, domains, streams.
#include "support/profiling.h"
#include "support/streams.h"

namespace conformance::profiling::ferry_marks_test {
namespace {

using FerryMark = WithStream;

class RecordingByTheProgram {
 public:
  RecordingByTheProgram() { EXPECT_OK(ferryRecordMarks(1)); }
  ~RecordingByTheProgram() { EXPECT_OK(ferryRecordMarks(0)); }
};

TEST_F(FerryMark, RefusesBadArguments) {
  uint64_t id = 0;
  ferryRecordedMark mark{};
  EXPECT_FAILS(100000, "EH0008", ferryMark("domain", nullptr, nullptr));
  EXPECT_FAILS(107017, "", ferryMark("domain", "text", &id));
  EXPECT_FAILS(100000, "EH0008", ferryRangeStart("domain", nullptr, nullptr, &id));
  EXPECT_FAILS(100000, "EH0008", ferryRangeStart("domain", "text", nullptr, nullptr));
  EXPECT_FAILS(107017, "", ferryRangeStart("domain", "text", &id, &id));
  EXPECT_FAILS(100000, "EH0009", ferryRangeEnd("domain", 0));
  EXPECT_FAILS(100000, "EH0009", ferryRangeEnd("domain", UINT64_MAX));
  EXPECT_FAILS(100000, "EH0008", ferryGetMark(0, nullptr));
  EXPECT_FAILS(100000, "EH0007", ferryGetMark(0, &mark));
  mark.structSize = sizeof mark;
  EXPECT_FAILS(100000, "EH0007", ferryGetMark(ferryMarkCount(), &mark));
}

TEST_F(FerryMark, RecordsOnlyWhileItIsSwitchedOn) {
  const Recorded recorded;
  EXPECT_OK(ferryMark(nullptr, "before", nullptr));
  {
    const RecordingByTheProgram recording;
    EXPECT_OK(ferryMark(nullptr, "during", nullptr));
  }
  EXPECT_OK(ferryMark(nullptr, "after", nullptr));
  EXPECT_EQ(recorded.texts(), Texts{"0 during"});
}

TEST_F(FerryMark, KeepsDomainAndStream) {
  const RecordingByTheProgram recording;
  const Recorded recorded;
  uint64_t id = 0;
  EXPECT_OK(ferryRangeStart("loader", "load", stream_, &id));
  EXPECT_OK(ferryMark("loader", "loading", stream_));
  EXPECT_FAILS(100000, "EH0009", ferryRangeEnd("other", id));
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  on_new_thread([&] { EXPECT_OK(ferryRangeEnd("loader", id)); });
  EXPECT_OK(aclrtSynchronizeStream(stream_));
  std::vector<std::string> of_host;
  std::vector<std::string> of_stream;
  for (const ferryRecordedMark& mark : recorded.marks()) {
    EXPECT_STREQ(mark.domain, "loader");
    (mark.task == FERRY_NO_TASK ? of_host : of_stream)
        .push_back(std::to_string(mark.kind) + " " + mark.name);
  }
  EXPECT_EQ(of_host, (Texts{"1 load", "0 loading", "2 load"}));
  EXPECT_EQ(of_stream, (Texts{"1 load", "0 loading", "2 load"}));
}

TEST_F(FerryMark, EndsARangeWhoseStreamIsGone) {
  const RecordingByTheProgram recording;
  const Recorded recorded;
  uint64_t id = 0;
  {
    const streams::Stream stream;
    EXPECT_OK(ferryRangeStart("", "range", stream, &id));
    EXPECT_OK(aclrtSynchronizeStream(stream));
  }
  EXPECT_OK(ferryRangeEnd("", id));
  EXPECT_EQ(recorded.texts(), (Texts{"1 range", "1 range", "2 range"}));
}

TEST_F(FerryMark, CutsLongTextsBetweenCharacters) {
  const RecordingByTheProgram recording;
  const Recorded recorded;
  std::string text(254, 'a');
  text += "\xC3\xBC";  // its second byte would be byte 256
  const std::string domain(100, 'd');
  EXPECT_OK(ferryMark(domain.c_str(), text.c_str(), nullptr));
  const std::vector<ferryRecordedMark> marks = recorded.marks();
  ASSERT_EQ(marks.size(), 1U);
  EXPECT_EQ(std::string(marks[0].name), std::string(254, 'a'));
  EXPECT_EQ(std::string(marks[0].domain), std::string(63, 'd'));
}

TEST_F(FerryMark, KeepsTheLatest8192) {
  const RecordingByTheProgram recording;
  const uint64_t first = ferryMarkCount();
  for (int i = 0; i < 8200; ++i)
    EXPECT_OK(ferryMark("", std::to_string(i).c_str(), nullptr));
  EXPECT_EQ(ferryMarkCount(), first + 8200);
  ferryRecordedMark mark{};
  mark.structSize = sizeof mark;
  EXPECT_FAILS(100000, "EH0007", ferryGetMark(first + 7, &mark));
  EXPECT_OK(ferryGetMark(first + 8, &mark));
  EXPECT_STREQ(mark.name, "8");
  EXPECT_OK(ferryGetMark(first + 8199, &mark));
  EXPECT_STREQ(mark.name, "8199");
}

}  // namespace
}  // namespace conformance::profiling::ferry_marks_test
