// SPDX-License-Identifier: Apache-2.0
// aclprofPop: only what the same thread has pushed.
#include "support/profiling.h"

namespace conformance::profiling::aclprofPop_test {
namespace {

TEST(AclprofPop, NeedsAPush) {
  EXPECT_FAILS_WITH(100000, aclprofPop());
  const Session session;
  EXPECT_FAILS_WITH(100000, aclprofPop());
}

TEST(AclprofPop, SeesThePushesOfItsThreadOnly) {
  const Stamp stamp("mine");
  EXPECT_OK(aclprofPush(stamp.get()));
  on_new_thread([] { EXPECT_FAILS_WITH(100000, aclprofPop()); });
  EXPECT_OK(aclprofPop());
  EXPECT_FAILS_WITH(100000, aclprofPop());
}

struct PushesAtTheEnd {
  ~PushesAtTheEnd() {
    const Stamp stamp("last");
    EXPECT_OK(aclprofPush(stamp.get()));
    EXPECT_OK(aclprofPop());
    EXPECT_FAILS_WITH(100000, aclprofPop());
  }
  bool is_used = false;
};

TEST(AclprofPop, WorksWhileTheThreadEnds) {
  on_new_thread([] {
    thread_local PushesAtTheEnd at_the_end;
    at_the_end.is_used = true;
    const Stamp stamp("first");
    EXPECT_OK(aclprofPush(stamp.get()));
    EXPECT_OK(aclprofPop());
  });
}

TEST(AclprofPop, EndsARangeThatBeganBeforeTheRecording) {
  const Stamp stamp("early");
  EXPECT_OK(aclprofPush(stamp.get()));
  const Session session;
  const Recorded recorded;
  EXPECT_OK(aclprofPop());
  EXPECT_EQ(recorded.texts(), Texts{"4 early"});
}

}  // namespace
}  // namespace conformance::profiling::aclprofPop_test
