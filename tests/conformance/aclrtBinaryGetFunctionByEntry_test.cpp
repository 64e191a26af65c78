// SPDX-License-Identifier: Apache-2.0
// aclrtBinaryGetFunctionByEntry: finds kernels by number.
#include "support/kernels.h"

namespace conformance::kernels::aclrtBinaryGetFunctionByEntry_test {
namespace {

using AclrtBinaryGetFunctionByEntry = WithKernels;

TEST_F(AclrtBinaryGetFunctionByEntry, ChecksItsArgumentsInOrder) {
  aclrtFuncHandle found = untouched();
  EXPECT_FAILS(100000, "EH0008", aclrtBinaryGetFunctionByEntry(nullptr, 1, nullptr));
  EXPECT_FAILS(100000, "EH0008", aclrtBinaryGetFunctionByEntry(binary_, 1, nullptr));
  EXPECT_FAILS(107017, "EE1017", aclrtBinaryGetFunctionByEntry(stream_, 1, &found));
  EXPECT_FAILS_WITH(107000, aclrtBinaryGetFunctionByEntry(binary_, 4711, &found));
  EXPECT_EQ(nullptr, found);
}

TEST_F(AclrtBinaryGetFunctionByEntry, FindsWhatAStandInHasRegistered) {
  aclrtFuncHandle found = nullptr;
  ASSERT_OK(aclrtBinaryGetFunctionByEntry(binary_, kTableEntry, &found));
  EXPECT_EQ(function("ct_table"), found);
}

TEST_F(AclrtBinaryGetFunctionByEntry, RefusesBinariesForTheAiCpu) {
  aclrtBinaryLoadOption option = cpu_mode(2);
  aclrtBinaryLoadOptions options{.options = &option, .numOpt = 1};
  aclrtBinHandle loaded = nullptr;
  ASSERT_OK(aclrtBinaryLoadFromData(kElf.data(), kElf.size(), &options, &loaded));
  aclrtFuncHandle found = untouched();
  EXPECT_FAILS_WITH(107000, aclrtBinaryGetFunctionByEntry(loaded, kTableEntry, &found));
  EXPECT_OK(aclrtBinaryUnLoad(loaded));
}

}  // namespace
}  // namespace conformance::kernels::aclrtBinaryGetFunctionByEntry_test
