// SPDX-License-Identifier: Apache-2.0
// aclprofFinalize: always succeeds, and ends what is started.
#include "support/profiling.h"

namespace conformance::profiling::aclprofFinalize_test {
namespace {

TEST(AclprofFinalize, SucceedsWithoutASession) {
  EXPECT_OK(aclprofFinalize());
  EXPECT_OK(open_session());
  EXPECT_OK(aclprofFinalize());
  EXPECT_OK(aclprofFinalize());
}

TEST(AclprofFinalize, EndsWhatIsStarted) {
  const Recorded recorded;
  const Stamp stamp("seen");
  {
    const Session session;
    EXPECT_OK(aclprofMark(stamp.get()));
  }
  EXPECT_OK(aclprofMark(stamp.get()));
  EXPECT_EQ(recorded.texts(), Texts{"0 seen"});
  const Config config;
  EXPECT_FAILS_WITH(100043, aclprofStart(config.get()));
}

}  // namespace
}  // namespace conformance::profiling::aclprofFinalize_test
