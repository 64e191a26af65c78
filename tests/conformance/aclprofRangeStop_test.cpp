// SPDX-License-Identifier: Apache-2.0
// aclprofRangeStop: each range once.
#include "support/profiling.h"

namespace conformance::profiling::aclprofRangeStop_test {
namespace {

TEST(AclprofRangeStop, RefusesUnknownNumbers) {
  const Stamp stamp;
  uint32_t id = 0;
  EXPECT_OK(aclprofRangeStart(stamp.get(), &id));
  EXPECT_FAILS(100000, "EH0009", aclprofRangeStop(0));
  EXPECT_FAILS(100000, "EH0009", aclprofRangeStop(id + 1000));
  EXPECT_OK(aclprofRangeStop(id));
  EXPECT_FAILS(100000, "EH0009", aclprofRangeStop(id));
}

TEST(AclprofRangeStop, IsRecordedWhenTheRecordingBeganLater) {
  const Stamp stamp("early");
  uint32_t id = 0;
  EXPECT_OK(aclprofRangeStart(stamp.get(), &id));
  const Session session;
  const Recorded recorded;
  EXPECT_OK(aclprofRangeStop(id));
  EXPECT_EQ(recorded.texts(), Texts{"2 early"});
}

}  // namespace
}  // namespace conformance::profiling::aclprofRangeStop_test
