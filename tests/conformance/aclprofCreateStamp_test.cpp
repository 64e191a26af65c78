// SPDX-License-Identifier: Apache-2.0
// aclprofCreateStamp: with profiling and without.
#include "support/profiling.h"

namespace conformance::profiling::aclprofCreateStamp_test {
namespace {

TEST(AclprofCreateStamp, AlwaysMakesOne) {
  const Stamp before;
  const Session session;
  const Stamp inside;
  EXPECT_NE(before.get(), nullptr);
  EXPECT_NE(inside.get(), nullptr);
  EXPECT_NE(before.get(), inside.get());
}

TEST(AclprofCreateStamp, HasNoTextYet) {
  const Session session;
  const Recorded recorded;
  void* stamp = aclprofCreateStamp();
  EXPECT_OK(aclprofMark(stamp));
  EXPECT_EQ(recorded.texts(), Texts{"0 "});
  aclprofDestroyStamp(stamp);
}

}  // namespace
}  // namespace conformance::profiling::aclprofCreateStamp_test
