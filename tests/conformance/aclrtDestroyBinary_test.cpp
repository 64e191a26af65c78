// SPDX-License-Identifier: Apache-2.0
// aclrtDestroyBinary: ends the wrapper, not what was loaded from it.
#include "support/kernels.h"

namespace conformance::kernels::aclrtDestroyBinary_test {
namespace {

using AclrtDestroyBinary = WithKernels;

TEST_F(AclrtDestroyBinary, RefusesNullDeadAndForeignHandles) {
  EXPECT_FAILS(100000, "EH0008", aclrtDestroyBinary(nullptr));
  aclrtBinary binary = aclrtCreateBinary(kElf.data(), kElf.size());
  EXPECT_OK(aclrtDestroyBinary(binary));
  EXPECT_FAILS(107017, "EE1017", aclrtDestroyBinary(binary));
  EXPECT_FAILS(107017, "EE1017", aclrtDestroyBinary(binary_));
}

TEST_F(AclrtDestroyBinary, LeavesTheLoadedBinary) {
  aclrtBinary binary = aclrtCreateBinary(kElf.data(), kElf.size());
  aclrtBinHandle loaded = nullptr;
  ASSERT_OK(aclrtBinaryLoad(binary, &loaded));
  EXPECT_OK(aclrtDestroyBinary(binary));
  aclrtFuncHandle found = nullptr;
  EXPECT_OK(aclrtBinaryGetFunction(loaded, "ct_record", &found));
  EXPECT_OK(aclrtBinaryUnLoad(loaded));
}

}  // namespace
}  // namespace conformance::kernels::aclrtDestroyBinary_test
