// SPDX-License-Identifier: Apache-2.0
// aclprofPush: ranges nested within a thread.
#include "support/profiling.h"

namespace conformance::profiling::aclprofPush_test {
namespace {

TEST(AclprofPush, RefusesWhatIsNoStamp) {
  EXPECT_FAILS(100000, "EH0008", aclprofPush(nullptr));
  for (void* wrong : no_stamps())
    EXPECT_FAILS(100000, "EH0009", aclprofPush(wrong));
  EXPECT_FAILS_WITH(100000, aclprofPop());
}

TEST(AclprofPush, Nests) {
  const Session session;
  const Recorded recorded;
  const Stamp outer("outer");
  const Stamp inner("inner");
  EXPECT_OK(aclprofPush(outer.get()));
  EXPECT_OK(aclprofPush(inner.get()));
  EXPECT_OK(aclprofPop());
  EXPECT_OK(aclprofPush(inner.get()));
  EXPECT_OK(aclprofPop());
  EXPECT_OK(aclprofPop());
  EXPECT_EQ(recorded.texts(),
            (Texts{"3 outer", "3 inner", "4 inner", "3 inner", "4 inner", "4 outer"}));
}

}  // namespace
}  // namespace conformance::profiling::aclprofPush_test
