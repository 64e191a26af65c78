// SPDX-License-Identifier: Apache-2.0
// aclprofStart: the checks of a configuration in their order, and what is recorded.
#include "support/profiling.h"

namespace conformance::profiling::aclprofStart_test {
namespace {

TEST(AclprofStart, ChecksTheConfigurationBeforeTheSession) {
  const Config nothing(0);
  const Config unknown(ACL_PROF_MSPROFTX | 0x400);
  const Config valid;
  for (const bool is_open : {false, true}) {
    EXPECT_FAILS(100000, "EH0008", aclprofStart(nullptr));
    EXPECT_FAILS_WITH(100000, aclprofStart(nothing.get()));
    EXPECT_FAILS_WITH(200007, aclprofStart(unknown.get()));
    if (!is_open) {
      EXPECT_FAILS_WITH(100043, aclprofStart(valid.get()));
      EXPECT_OK(open_session());
    }
  }
  EXPECT_OK(aclprofFinalize());
  Config dead;
  aclprofConfig* handle = dead.release();
  EXPECT_OK(aclprofDestroyConfig(handle));
  EXPECT_FAILS(100000, "EH0009", aclprofStart(handle));
}

TEST(AclprofStart, KnowsAllTypes) {
  constexpr uint64_t kAll = 0x0C0100FBFF;
  EXPECT_OK(open_session());
  for (int bit = 0; bit < 64; ++bit) {
    const uint64_t type = uint64_t{1} << bit;
    const Config config(type);
    if ((kAll & type) != 0) {
      EXPECT_OK(aclprofStart(config.get()));
      EXPECT_OK(aclprofStop(config.get()));
    } else {
      EXPECT_FAILS_WITH(200007, aclprofStart(config.get()));
    }
  }
  EXPECT_OK(aclprofFinalize());
}

TEST(AclprofStart, AnEqualConfigurationMayBeStartedAgain) {
  const Session session;
  const Config equal;
  EXPECT_OK(aclprofStart(session.config()));
  EXPECT_OK(aclprofStart(equal.get()));
  const Config other(ACL_PROF_TASK_TIME);
  EXPECT_FAILS_WITH(100042, aclprofStart(other.get()));
  const Config metrics(ACL_PROF_MSPROFTX | ACL_PROF_ACL_API, {0}, ACL_AICORE_PIPE_UTILIZATION);
  EXPECT_FAILS_WITH(100042, aclprofStart(metrics.get()));
  EXPECT_OK(aclprofStop(session.config()));
  EXPECT_OK(aclprofStart(other.get()));
}

FERRY_PROCESS_TEST(AclprofStartProcess, DevicesAreStartedIndependently, "FERRY_DEVICES=cpu:3") {
  EXPECT_OK(open_session());
  const Config first(ACL_PROF_MSPROFTX, {0, 2});
  const Config second(ACL_PROF_TASK_TIME, {1});
  const Config overlapping(ACL_PROF_TASK_TIME, {1, 2});
  const Config host(ACL_PROF_MSPROFTX, {});
  EXPECT_OK(aclprofStart(first.get()));
  EXPECT_OK(aclprofStart(second.get()));
  EXPECT_OK(aclprofStart(host.get()));
  EXPECT_FAILS_WITH(100042, aclprofStart(overlapping.get()));
  const Config reordered(ACL_PROF_MSPROFTX, {2, 0});
  EXPECT_OK(aclprofStart(reordered.get()));
  EXPECT_OK(aclprofStop(reordered.get()));
  EXPECT_FAILS_WITH(100000, aclprofStop(first.get()));
}

TEST(AclprofStart, MarksNeedTheirType) {
  const Recorded recorded;
  const Stamp stamp("mark");
  {
    const Session session(ACL_PROF_TASK_TIME);
    EXPECT_OK(aclprofMark(stamp.get()));
  }
  EXPECT_TRUE(recorded.marks().empty());
}

}  // namespace
}  // namespace conformance::profiling::aclprofStart_test
