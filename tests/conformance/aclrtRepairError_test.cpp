// SPDX-License-Identifier: Apache-2.0
// aclrtRepairError: repairs what aclrtGetErrorVerbose has reported.
#include "support/damaged_memory.h"

namespace conformance::aclrtRepairError_test {
namespace {

using damaged_memory::count_damaged;
using damaged_memory::Damage;
using streams::kBadArgument;

using AclrtRepairError = WithDevice;

TEST_F(AclrtRepairError, HasNothingToRepair) {
  aclrtErrorInfo info;
  EXPECT_OK(aclrtGetErrorVerbose(0, &info));
  EXPECT_EQ(ACL_RT_NO_ERROR, info.errorType);
  EXPECT_OK(aclrtRepairError(0, &info));
  info.errorType = ACL_RT_ERROR_LINK;
  EXPECT_OK(aclrtRepairError(0, &info));
}

FERRY_DAMAGE_TEST(AclrtRepairErrorProcess, RepairsDamagedMemory) {
  const Damage damage;
  aclrtErrorInfo info;
  EXPECT_OK(aclrtGetErrorVerbose(0, &info));
  EXPECT_EQ(ACL_RT_ERROR_MEMORY, info.errorType);
  EXPECT_EQ(1, info.tryRepair);
  EXPECT_EQ(1, info.hasDetail);
  ASSERT_EQ(1u, info.detail.uceInfo.arraySize);
  EXPECT_EQ(damage.bad, info.detail.uceInfo.memUceInfoArray[0].addr);
  EXPECT_OK(aclrtRepairError(0, &info));
  EXPECT_EQ(0u, count_damaged());
  EXPECT_OK(aclrtGetErrorVerbose(0, &info));
  EXPECT_EQ(ACL_RT_NO_ERROR, info.errorType);
}

TEST_F(AclrtRepairError, ChecksItsArgumentsInOrder) {
  aclrtErrorInfo info{};
  EXPECT_FAILS(kBadArgument, "EH0008", aclrtRepairError(-1, nullptr));
  EXPECT_FAILS(107001, "EE1003", aclrtRepairError(-1, &info));
  info.errorType = ACL_RT_ERROR_MEMORY;
  info.hasDetail = 1;
  info.detail.uceInfo.arraySize = ACL_RT_MEM_UCE_INFO_MAX_NUM + 1;
  EXPECT_FAILS(kBadArgument, "EH0007", aclrtRepairError(0, &info));
}

}  // namespace
}  // namespace conformance::aclrtRepairError_test
