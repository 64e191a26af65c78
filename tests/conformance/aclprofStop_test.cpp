// SPDX-License-Identifier: Apache-2.0
// aclprofStop: a configuration like the one that was started.
#include "support/profiling.h"

namespace conformance::profiling::aclprofStop_test {
namespace {

TEST(AclprofStop, RefusesWhatIsNoConfiguration) {
  EXPECT_FAILS(100000, "EH0008", aclprofStop(nullptr));
  int something = 0;
  EXPECT_FAILS(100000, "EH0009", aclprofStop(reinterpret_cast<aclprofConfig*>(&something)));
}

TEST(AclprofStop, SucceedsWithoutASession) {
  const Config config;
  EXPECT_OK(aclprofStop(config.get()));
}

TEST(AclprofStop, RefusesAConfigurationThatIsNotStarted) {
  const Session session;
  const Config other(ACL_PROF_TASK_TIME);
  EXPECT_FAILS_WITH(100000, aclprofStop(other.get()));
  EXPECT_OK(aclprofStop(session.config()));
  EXPECT_FAILS_WITH(100000, aclprofStop(session.config()));
}

TEST(AclprofStop, EndsTheRecording) {
  const Session session;
  const Recorded recorded;
  const Stamp stamp("mark");
  EXPECT_OK(aclprofMark(stamp.get()));
  EXPECT_OK(aclprofStop(session.config()));
  EXPECT_OK(aclprofMark(stamp.get()));
  EXPECT_OK(aclprofStart(session.config()));
  EXPECT_OK(aclprofMark(stamp.get()));
  EXPECT_EQ(recorded.texts(), (Texts{"0 mark", "0 mark"}));
}

}  // namespace
}  // namespace conformance::profiling::aclprofStop_test
