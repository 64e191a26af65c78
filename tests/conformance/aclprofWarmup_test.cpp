// SPDX-License-Identifier: Apache-2.0
// aclprofWarmup: prepares nothing.
#include "support/profiling.h"

namespace conformance::profiling::aclprofWarmup_test {
namespace {

TEST(AclprofWarmup, RefusesWhatIsNoConfiguration) {
  EXPECT_FAILS(100000, "EH0008", aclprofWarmup(nullptr));
  int something = 0;
  EXPECT_FAILS(100000, "EH0009", aclprofWarmup(reinterpret_cast<aclprofConfig*>(&something)));
}

TEST(AclprofWarmup, StartsNothing) {
  const Config config;
  EXPECT_OK(aclprofWarmup(config.get()));
  EXPECT_OK(open_session());
  EXPECT_OK(aclprofWarmup(config.get()));
  const Recorded recorded;
  const Stamp stamp("mark");
  EXPECT_OK(aclprofMark(stamp.get()));
  EXPECT_TRUE(recorded.marks().empty());
  EXPECT_OK(aclprofStart(config.get()));
  EXPECT_OK(aclprofFinalize());
}

}  // namespace
}  // namespace conformance::profiling::aclprofWarmup_test
