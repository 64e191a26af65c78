// SPDX-License-Identifier: Apache-2.0
// aclprofDestroyConfig: live configurations only.
#include "support/profiling.h"

namespace conformance::profiling::aclprofDestroyConfig_test {
namespace {

TEST(AclprofDestroyConfig, RefusesWhatIsNoConfiguration) {
  Config config;
  aclprofConfig* handle = config.release();
  EXPECT_OK(aclprofDestroyConfig(handle));
  EXPECT_FAILS(100000, "EH0009", aclprofDestroyConfig(handle));
  EXPECT_FAILS(100000, "EH0008", aclprofDestroyConfig(nullptr));
  int something = 0;
  EXPECT_FAILS(100000, "EH0009",
               aclprofDestroyConfig(reinterpret_cast<aclprofConfig*>(&something)));
  const Stamp stamp;
  EXPECT_FAILS(100000, "EH0009", aclprofDestroyConfig(static_cast<aclprofConfig*>(stamp.get())));
}

TEST(AclprofDestroyConfig, LeavesWhatWasStartedWithIt) {
  EXPECT_OK(open_session());
  Config config;
  EXPECT_OK(aclprofStart(config.get()));
  EXPECT_OK(aclprofDestroyConfig(config.release()));
  const Recorded recorded;
  const Stamp stamp("still");
  EXPECT_OK(aclprofMark(stamp.get()));
  EXPECT_EQ(recorded.texts(), Texts{"0 still"});
  const Config equal;
  EXPECT_OK(aclprofStop(equal.get()));
  EXPECT_OK(aclprofFinalize());
}

}  // namespace
}  // namespace conformance::profiling::aclprofDestroyConfig_test
