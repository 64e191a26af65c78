// SPDX-License-Identifier: Apache-2.0
// aclprofDestroyStamp: a destroyed stamp is known as such.
#include "support/profiling.h"

namespace conformance::profiling::aclprofDestroyStamp_test {
namespace {

TEST(AclprofDestroyStamp, EndsTheStamp) {
  EXPECT_FAILS(100000, "EH0009", aclprofMark(destroyed_stamp()));
}

TEST(AclprofDestroyStamp, TellsWhatIsNoStamp) {
  clear_errors();
  aclprofDestroyStamp(nullptr);
  EXPECT_NE(recent_text().find("aclprofDestroyStamp: stamp is NULL"), std::string::npos);
  for (void* wrong : no_stamps()) {
    aclprofDestroyStamp(wrong);
    EXPECT_NE(recent_text().find("not a live stamp"), std::string::npos);
  }
}

TEST(AclprofDestroyStamp, LeavesOpenRanges) {
  const Session session;
  const Recorded recorded;
  uint32_t range = 0;
  {
    const Stamp stamp("range");
    EXPECT_OK(aclprofRangeStart(stamp.get(), &range));
    EXPECT_OK(aclprofPush(stamp.get()));
  }
  EXPECT_OK(aclprofPop());
  EXPECT_OK(aclprofRangeStop(range));
  EXPECT_EQ(recorded.texts(), (Texts{"1 range", "3 range", "4 range", "2 range"}));
}

}  // namespace
}  // namespace conformance::profiling::aclprofDestroyStamp_test
