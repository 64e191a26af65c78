// SPDX-License-Identifier: Apache-2.0
// aclprofRangePop: a stack of its own.
#include "support/profiling.h"

namespace conformance::profiling::aclprofRangePop_test {
namespace {

TEST(AclprofRangePop, NeedsAPushOfItsOwnKind) {
  const Stamp stamp;
  EXPECT_FAILS_WITH(100000, aclprofRangePop());
  EXPECT_OK(aclprofPush(stamp.get()));
  EXPECT_FAILS_WITH(100000, aclprofRangePop());
  EXPECT_OK(aclprofPop());
}

TEST(AclprofRangePop, Nests) {
  const Session session;
  const Recorded recorded;
  for (const char* name : {"outer", "inner"}) {
    aclprofTensorInfo info{};
    info.opNameId = aclprofStr2Id(name);
    aclprofEventAttributes attributes{};
    attributes.message.tensorInfo = &info;
    EXPECT_OK(aclprofRangePushEx(&attributes));
  }
  on_new_thread([] { EXPECT_FAILS_WITH(100000, aclprofRangePop()); });
  EXPECT_OK(aclprofRangePop());
  EXPECT_OK(aclprofRangePop());
  EXPECT_FAILS_WITH(100000, aclprofRangePop());
  EXPECT_EQ(recorded.texts(), (Texts{"3 outer", "3 inner", "4 inner", "4 outer"}));
}

}  // namespace
}  // namespace conformance::profiling::aclprofRangePop_test
