// SPDX-License-Identifier: Apache-2.0
// aclrtGetFunctionAttribute: properties of a kernel.
#include "support/kernels.h"

namespace conformance::kernels::aclrtGetFunctionAttribute_test {
namespace {

using AclrtGetFunctionAttribute = WithKernels;

int64_t value_of(aclrtFuncHandle function, int attribute) {
  int64_t value = -7;
  EXPECT_OK(
      aclrtGetFunctionAttribute(function, static_cast<aclrtFuncAttribute>(attribute), &value));
  return value;
}

TEST_F(AclrtGetFunctionAttribute, RefusesNullAndDeadHandles) {
  int64_t value = 0;
  EXPECT_FAILS(100000, "EH0008",
               aclrtGetFunctionAttribute(nullptr, ACL_FUNC_ATTR_KERNEL_TYPE, &value));
  EXPECT_FAILS(100000, "EH0008",
               aclrtGetFunctionAttribute(function(), ACL_FUNC_ATTR_KERNEL_TYPE, nullptr));
  EXPECT_FAILS(107017, "EE1017",
               aclrtGetFunctionAttribute(dead_function(), ACL_FUNC_ATTR_KERNEL_TYPE, &value));
}

TEST_F(AclrtGetFunctionAttribute, KnowsTypeRatioAndScheduleMode) {
  EXPECT_EQ(ACL_KERNEL_TYPE_AICORE, value_of(function(), ACL_FUNC_ATTR_KERNEL_TYPE));
  EXPECT_EQ(ACL_KERNEL_TYPE_VECTOR, value_of(function("ct_table"), ACL_FUNC_ATTR_KERNEL_TYPE));
  EXPECT_EQ(ACL_KERNEL_TYPE_AICPU, value_of(function("ct_cpu"), ACL_FUNC_ATTR_KERNEL_TYPE));
  EXPECT_EQ(1, value_of(function("ct_table"), ACL_FUNC_ATTR_KERNEL_RATIO));
  EXPECT_EQ(1 << 16, value_of(function(), ACL_FUNC_ATTR_KERNEL_RATIO));
  EXPECT_EQ(0, value_of(function(), ACL_FUNC_ATTR_KERNEL_SCHED_MODE));
}

TEST_F(AclrtGetFunctionAttribute, LeavesTheValueAloneForUnknownOnes) {
  EXPECT_EQ(-7, value_of(function(), 0));
  EXPECT_EQ(-7, value_of(function(), 4711));
}

}  // namespace
}  // namespace conformance::kernels::aclrtGetFunctionAttribute_test
