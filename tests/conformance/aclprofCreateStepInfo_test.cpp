// SPDX-License-Identifier: Apache-2.0
// aclprofCreateStepInfo: distinct steps.
#include "support/profiling.h"

namespace conformance::profiling::aclprofCreateStepInfo_test {
namespace {

TEST(AclprofCreateStepInfo, MakesDistinctOnes) {
  aclprofStepInfo* first = aclprofCreateStepInfo();
  aclprofStepInfo* second = aclprofCreateStepInfo();
  EXPECT_NE(first, nullptr);
  EXPECT_NE(second, nullptr);
  EXPECT_NE(first, second);
  aclprofDestroyStepInfo(first);
  aclprofDestroyStepInfo(second);
}

}  // namespace
}  // namespace conformance::profiling::aclprofCreateStepInfo_test
