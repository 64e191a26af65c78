// SPDX-License-Identifier: Apache-2.0
// aclprofRangeStart: ranges across threads.
#include "support/at_once.h"
#include "support/profiling.h"

#include <mutex>
#include <set>

namespace conformance::profiling::aclprofRangeStart_test {
namespace {

TEST(AclprofRangeStart, RefusesNullAndWhatIsNoStamp) {
  const Stamp stamp;
  uint32_t id = 0;
  EXPECT_FAILS(100000, "EH0008", aclprofRangeStart(nullptr, &id));
  EXPECT_FAILS(100000, "EH0008", aclprofRangeStart(stamp.get(), nullptr));
  for (void* wrong : no_stamps())
    EXPECT_FAILS(100000, "EH0009", aclprofRangeStart(wrong, &id));
  EXPECT_EQ(id, 0U);
}

TEST(AclprofRangeStart, GivesNumbersThatAreUniqueInTheProcess) {
  const Stamp stamp("range");
  std::mutex mutex;
  std::set<uint32_t> ids;
  at_once(4, [&](size_t) {
    for (int i = 0; i < 50; ++i) {
      uint32_t id = 0;
      EXPECT_OK(aclprofRangeStart(stamp.get(), &id));
      EXPECT_NE(id, 0U);
      const std::lock_guard lock(mutex);
      EXPECT_TRUE(ids.insert(id).second);
    }
  });
  for (const uint32_t id : ids)
    EXPECT_OK(aclprofRangeStop(id));
}

TEST(AclprofRangeStart, NotesStartAndEndWithTheSameNumber) {
  const Session session;
  const Recorded recorded;
  const Stamp stamp("range");
  uint32_t first = 0;
  uint32_t second = 0;
  EXPECT_OK(aclprofRangeStart(stamp.get(), &first));
  EXPECT_OK(aclprofRangeStart(stamp.get(), &second));
  on_new_thread([&] { EXPECT_OK(aclprofRangeStop(first)); });
  EXPECT_OK(aclprofRangeStop(second));
  const std::vector<ferryRecordedMark> marks = recorded.marks();
  ASSERT_EQ(recorded.texts(), (Texts{"1 range", "1 range", "2 range", "2 range"}));
  EXPECT_EQ(marks[0].id, first);
  EXPECT_EQ(marks[1].id, second);
  EXPECT_EQ(marks[2].id, first);
  EXPECT_EQ(marks[3].id, second);
}

}  // namespace
}  // namespace conformance::profiling::aclprofRangeStart_test
